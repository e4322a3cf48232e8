// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kbuild without make.
 *
 * For each file it makes, kbuild leaves the command in a hidden file beside it (.NAME.cmd). For a module of ours these
 * are always the same, with other paths: compile the script, link it with the runtime, modpost, compile what modpost
 * wrote, link the module. They are recorded from one run of kbuild, with the work folder's path replaced by a mark, and
 * run by one shell for later scripts: the same result in a tenth of the time. (The other nine tenths are make reading
 * Makefiles.)
 *
 * What modpost writes depends on the imported symbols (imports_sum()) and hardly ever on more, since the name is the
 * same for all (BUILD_NAME); its object is kept by the checksum of its source, and which one it was by that of the
 * imports, so that modpost is run once for each set of these. The same goes for .module-common.o of newer kernels,
 * which depends on nothing.
 *
 * A recipe is only made if every command file in the folder is one that is known here, and used only if the folder's
 * path needs no quoting. Anything unexpected is left to kbuild.
 */
#include "translator/build/recipe.h"

#include <string.h>

#include "translator/build/kbuild.h"
#include "translator/util/cache.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "translator/util/process.h"

#define FOLDER_MARK "@FOLDER@"
#define MODPOST_SOURCE BUILD_NAME ".mod.c"
#define MODPOST_OBJECT BUILD_NAME ".mod.o"
#define COMMON_OBJECT ".module-common.o"

enum step_kind {
	STEP_RUN, /* a command, with the others up to modpost */
	STEP_MODPOST, /* what it writes may be known */
	STEP_COMPILE_MODPOST, /* the command for what modpost wrote; its object may be in the cache */
	STEP_LINK, /* the last one */
	STEP_COPY, /* the file that was made is kept in the cache */
	STEP_IGNORE, /* lists that recipe_replay() writes itself */
};

/* In the order of running. */
static const struct step {
	const char *file; /* of which ".FILE.cmd" is the command */
	enum step_kind kind;
	bool optional; /* only newer kernels have it */
} steps[] = {
	{SCRIPT_OBJECT, STEP_RUN, false},	 {BUILD_NAME ".o", STEP_RUN, false},
	{"Module.symvers", STEP_MODPOST, false}, {MODPOST_OBJECT, STEP_COMPILE_MODPOST, false},
	{COMMON_OBJECT, STEP_COPY, true},	 {BUILD_NAME ".ko", STEP_LINK, false},
	{BUILD_NAME ".mod", STEP_IGNORE, false}, {"modules.order", STEP_IGNORE, false},
	{RUNTIME_HITS ".o", STEP_IGNORE, false}, {RUNTIME_SUPPORT ".o", STEP_IGNORE, false},
};

/* Files whose content is part of the recipe: lists for the linker and for modpost. */
static const char *const lists[] = {BUILD_NAME ".mod", "modules.order"};

#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

static bool is_plain(const char *path)
{
	return strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+~") == strlen(path);
}

static char *replace(const char *text, const char *what, const char *by)
{
	g_auto(GStrv) parts = g_strsplit(text, what, -1);

	return g_strjoinv(by, parts);
}

/* ---- the object of what modpost wrote ---------------------------------------------------------------------------- */

static struct error *read_modpost_source(const char *folder, char **text, size_t *length)
{
	g_autofree char *source = g_build_filename(folder, MODPOST_SOURCE, NULL);

	return file_read(source, text, length);
}

/* Where the object of what modpost wrote is kept. */
static char *modpost_object(const char *cache, const char *text, size_t length)
{
	g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, length);

	return g_strdup_printf("%s/modpost-%s.o", cache, sum);
}

/* That it could not be kept is not told. */
static void keep_modpost_object(const struct translation *t, const char *folder, const char *cached)
{
	g_autofree char *object = g_build_filename(folder, MODPOST_OBJECT, NULL);
	struct error *error = kbuild_strip_object(t, object);

	if (!error)
		cache_store_file(cached, object);
	error_free(error);
}

/* ---- recording --------------------------------------------------------------------------------------------------- */

static bool is_known(const char *command_file)
{
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		g_autofree char *known = g_strdup_printf(".%s.cmd", steps[i].file);

		if (!strcmp(known, command_file))
			return true;
	}
	return false;
}

/* The name of a command file that no step is about; NULL if there is none. To be freed. */
static char *find_unknown(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".cmd") && !is_known(name))
			return g_strdup(name);
	return NULL;
}

/* One that cannot be read is unexpected, and so left to kbuild. */
static bool read_text(const char *path, char **text, size_t *length)
{
	error_free(file_read(path, text, length));
	return *text != NULL;
}

/* The command in ".FILE.cmd": behind ":=" of its first line, where make has $ doubled and # as $(pound). */
static char *read_command(const char *folder, const char *file)
{
	g_autofree char *path = g_strdup_printf("%s/.%s.cmd", folder, file);
	g_autofree char *text = NULL, *marked = NULL, *hashes = NULL;
	char *command;
	size_t length;

	if (!read_text(path, &text, &length))
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	command = strstr(text, " := ");
	if (!command || strstr(command, "@FOLDER@"))
		return NULL;
	marked = replace(command + strlen(" := "), folder, FOLDER_MARK);
	hashes = replace(marked, "$(pound)", "#");
	return replace(hashes, "$$", "$");
}

static bool record_step(GKeyFile *recipe, const struct step *step, const char *cache, const char *folder)
{
	g_autofree char *command = NULL, *made = g_build_filename(folder, step->file, NULL);
	g_autofree char *kept = g_build_filename(cache, step->file, NULL);

	if (step->kind == STEP_IGNORE)
		return true;
	command = read_command(folder, step->file);
	if (!command)
		return step->optional;
	g_key_file_set_string(recipe, "commands", step->file, command);
	if (step->kind == STEP_COPY)
		cache_store_file(kept, made);
	return true;
}

static bool record_list(GKeyFile *recipe, const char *name, const char *folder)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autofree char *text = NULL, *marked = NULL;
	size_t length;

	if (!read_text(path, &text, &length))
		return false;
	marked = replace(text, folder, FOLDER_MARK);
	g_key_file_set_string(recipe, "lists", name, marked);
	return true;
}

/*
 * The variables that kbuild exports, or changes, for its commands: some are scripts that want to know the architecture.
 * Those of make itself and of the shell are left out. FOLDER_VARIABLE is among them: commands run in the kernel's build
 * folder, or since 6.13 in the module's.
 */
static bool record_environment(GKeyFile *recipe, const char *folder)
{
	static const char *const others[] = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES",
					     "PWD",	  "OLDPWD", "SHLVL",	 "_"};
	g_autofree char *path = g_build_filename(folder, ENVIRONMENT_FILE, NULL), *text = NULL;
	size_t length;

	if (!read_text(path, &text, &length))
		return false;
	for (char *entry = text; entry < text + length; entry += strlen(entry) + 1) {
		char *value = strchr(entry, '=');
		g_autofree char *name = value ? g_strndup(entry, value - entry) : NULL, *marked = NULL;
		bool skip = !name || strspn(name, NAME_CHARACTERS) != strlen(name) ||
			    !strcmp(value + 1, g_getenv(name) ?: "");

		for (size_t i = 0; i < G_N_ELEMENTS(others) && !skip; i++)
			skip = !strcmp(name, others[i]);
		if (skip)
			continue;
		marked = replace(value + 1, folder, FOLDER_MARK);
		g_key_file_set_string(recipe, "environment", name, marked);
	}
	return true;
}

static void record_modpost(const struct translation *t, const char *cache, const char *folder)
{
	g_autofree char *text = NULL, *cached = NULL;
	struct error *error;
	size_t length;

	error = read_modpost_source(folder, &text, &length);
	if (!error) {
		cached = modpost_object(cache, text, length);
		keep_modpost_object(t, folder, cached);
	}
	error_free(error);
}

void recipe_record(const struct translation *t, const char *cache, const char *folder)
{
	g_autoptr(GKeyFile) recipe = g_key_file_new();
	g_autofree char *unknown = find_unknown(folder), *path = g_build_filename(cache, "recipe", NULL), *text = NULL;
	gsize length;

	if (unknown || !is_plain(folder)) {
		kbuild_note(t, _("kbuild's commands are not recorded: '%s' is not expected"), unknown ?: folder);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++)
		if (!record_step(recipe, &steps[i], cache, folder)) {
			kbuild_note(t, _("kbuild's commands are not recorded: there is none for '%s'"), steps[i].file);
			return;
		}
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		if (!record_list(recipe, lists[i], folder))
			return;
	if (!record_environment(recipe, folder))
		return;
	text = g_key_file_to_data(recipe, &length, NULL);
	record_modpost(t, cache, folder);
	cache_store(path, text, length);
}

/* ---- replaying --------------------------------------------------------------------------------------------------- */

struct replay {
	const struct translation *t;
	const char *cache, *folder;
	GKeyFile *recipe;
};

static void export_environment(const struct replay *r, GString *script)
{
	g_auto(GStrv) names = g_key_file_get_keys(r->recipe, "environment", NULL, NULL);

	for (char **name = names; name && *name; name++) {
		g_autofree char *value = g_key_file_get_string(r->recipe, "environment", *name, NULL);
		g_autofree char *quoted = g_shell_quote(value ?: "");

		g_string_append_printf(script, "export %s=%s\n", *name, quoted);
	}
}

/* Run the steps of one kind, one after the other, where kbuild runs them. */
static struct error *run_steps(const struct replay *r, enum step_kind kind)
{
	g_autoptr(GString) script = g_string_new("set -e\n");
	g_autofree char *text = NULL, *output = NULL, *marked = NULL, *place = NULL;
	struct error *error;

	marked = g_key_file_get_string(r->recipe, "environment", FOLDER_VARIABLE, NULL);
	if (!marked)
		return error_new(ERROR_BUILD, _("it lacks the folder"));
	place = replace(marked, FOLDER_MARK, r->folder);
	export_environment(r, script);
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		g_autofree char *command = NULL;

		if (steps[i].kind != kind)
			continue;
		command = g_key_file_get_string(r->recipe, "commands", steps[i].file, NULL);
		if (!command)
			return error_new(ERROR_BUILD, _("it lacks the command for '%s'"), steps[i].file);
		g_string_append_printf(script, "%s\n", command);
		if (!strcmp(steps[i].file, SCRIPT_OBJECT))
			g_string_append(script, "${" OBJTOOL_VARIABLE ":+$" OBJTOOL_VARIABLE " " FOLDER_MARK
						"/" SCRIPT_OBJECT "}\n");
	}
	text = replace(script->str, FOLDER_MARK, r->folder);
	error = process_run_inside(r->t->kernel.build_root, (const char *const[]){"sh", "-c", text, NULL}, place,
				   &output);
	return error && error->code == ERROR_BUILD && output ? error_prefix(error, "%s", g_strchomp(output)) : error;
}

static struct error *write_lists(const struct replay *r)
{
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
		g_autofree char *marked = g_key_file_get_string(r->recipe, "lists", lists[i], NULL);
		g_autofree char *text = marked ? replace(marked, FOLDER_MARK, r->folder) : NULL;
		g_autofree char *path = g_build_filename(r->folder, lists[i], NULL);
		struct error *error;

		if (!text)
			return error_new(ERROR_BUILD, _("it lacks the list '%s'"), lists[i]);
		error = file_write(path, text, strlen(text));
		if (error)
			return error;
	}
	return NULL;
}

static struct error *copy_kept(const struct replay *r)
{
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		g_autofree char *from = g_build_filename(r->cache, steps[i].file, NULL);
		g_autofree char *to = g_build_filename(r->folder, steps[i].file, NULL);
		struct error *error;
		bool done;

		if (steps[i].kind != STEP_COPY || !g_key_file_has_key(r->recipe, "commands", steps[i].file, NULL))
			continue;
		error = cache_load_file(from, to, &done);
		if (error || !done)
			return error ?: error_new(ERROR_BUILD, _("it lacks the file '%s'"), steps[i].file);
	}
	return NULL;
}

/* Where it is kept which object was modpost's for the same imports; NULL: that cannot be known. */
static char *imports_entry(const struct replay *r)
{
	g_autofree char *object = g_build_filename(r->folder, BUILD_NAME ".o", NULL), *sum = imports_sum(object);

	return sum ? g_strdup_printf("%s/imports-%s", r->cache, sum) : NULL;
}

/* What was kept at @cached, if it is there. */
static struct error *load_modpost(const struct replay *r, const char *cached, bool *done)
{
	g_autofree char *object = g_build_filename(r->folder, MODPOST_OBJECT, NULL);

	return cache_load_file(cached, object, done);
}

/* @entry: of imports_entry(). */
static struct error *load_known_modpost(const struct replay *r, const char *entry, bool *done)
{
	g_autofree char *name = NULL, *cached = NULL;
	size_t length;

	*done = false;
	if (!entry || !cache_load(entry, &name, &length) || strchr(name, '/'))
		return NULL;
	cached = g_build_filename(r->cache, name, NULL);
	return load_modpost(r, cached, done);
}

static struct error *compile_modpost(const struct replay *r, const char *cached)
{
	struct error *error;
	bool done;

	error = load_modpost(r, cached, &done);
	if (error || done)
		return error;
	error = run_steps(r, STEP_COMPILE_MODPOST);
	if (!error)
		keep_modpost_object(r->t, r->folder, cached);
	return error;
}

/* A checksum of the module's sources (CONFIG_MODULE_SRCVERSION_ALL), or devices that it names, are of one script. */
static bool is_of_imports_alone(const char *text)
{
	return !strstr(text, "srcversion") && !strstr(text, "MODULE_ALIAS");
}

static struct error *run_modpost(const struct replay *r)
{
	g_autofree char *entry = imports_entry(r), *text = NULL, *cached = NULL, *name = NULL;
	struct error *error;
	size_t length;
	bool done;

	error = load_known_modpost(r, entry, &done);
	if (error || done)
		return error;
	error = run_steps(r, STEP_MODPOST);
	error = error ?: read_modpost_source(r->folder, &text, &length);
	if (error)
		return error;
	cached = modpost_object(r->cache, text, length);
	error = compile_modpost(r, cached);
	if (error || !entry || !is_of_imports_alone(text))
		return error;
	name = g_path_get_basename(cached);
	cache_store(entry, name, strlen(name));
	return NULL;
}

static struct error *replay(const struct replay *r)
{
	g_autofree char *record = g_build_filename(r->folder, "." SCRIPT_OBJECT ".cmd", NULL);
	struct error *error;

	/* modpost wants to see it. */
	error = file_write(record, "", 0);
	error = error ?: write_lists(r);
	error = error ?: copy_kept(r);
	error = error ?: run_steps(r, STEP_RUN);
	error = error ?: run_modpost(r);
	return error ?: run_steps(r, STEP_LINK);
}

bool recipe_exists(const char *cache)
{
	g_autofree char *path = g_build_filename(cache, "recipe", NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS);
}

struct error *recipe_replay(const struct translation *t, const char *cache, const char *folder, bool *done)
{
	g_autofree char *path = g_build_filename(cache, "recipe", NULL);
	g_autoptr(GKeyFile) recipe = g_key_file_new();
	struct replay r = {.t = t, .cache = cache, .folder = folder, .recipe = recipe};
	g_autofree char *text = NULL;
	struct error *error;
	size_t length;

	*done = false;
	if (!is_plain(folder) || !cache_load(path, &text, &length) ||
	    !g_key_file_load_from_data(recipe, text, length, G_KEY_FILE_NONE, NULL))
		return NULL;
	error = replay(&r);
	if (error && error->code == ERROR_INTERRUPTED)
		return error;
	*done = !error;
	if (error)
		kbuild_note(t, _("kbuild's recorded commands failed (%s); running kbuild"), error->message);
	error_free(error);
	return NULL;
}
