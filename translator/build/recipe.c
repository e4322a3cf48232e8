// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running kbuild's commands without make.
 *
 * For each file that it makes, kbuild stores the command in a hidden file beside it (.NAME.cmd). For Spile's modules,
 * the commands differ only in paths: compile the script, link it with the runtime, run modpost, compile modpost's
 * output, link the module. They are recorded from one run of kbuild, with the work directory's path replaced by a mark.
 * One shell runs them for later scripts, in a tenth of the time; the rest is make reading Makefiles.
 *
 * The output of modpost depends almost only on the imported symbols (imports_sum()), because all modules have the same
 * name (BUILD_NAME). Its object is cached by the checksum of its source. A second cache entry maps the checksum of the
 * imports to that object, so modpost runs once per set of imports. .module-common.o of newer kernels depends on nothing
 * and is cached, too.
 *
 * The commands for the runtime's two halves are recorded, too. They compile its other variants (runtime.c) without
 * make, both at once.
 *
 * A recipe is recorded only if every command file in the directory is known, and used only if the directory's path
 * needs no quoting. Everything unexpected is left to kbuild.
 */
#include "translator/build/recipe.h"

#include <string.h>

#include "common/cache.h"
#include "common/files.h"
#include "common/process.h"
#include "common/base/i18n.h"
#include "translator/build/kbuild.h"

#define DIRECTORY_MARK "@DIRECTORY@"
#define MODPOST_SOURCE BUILD_NAME ".mod.c"
#define MODPOST_OBJECT BUILD_NAME ".mod.o"
#define COMMON_OBJECT ".module-common.o"

enum step_kind {
	STEP_RUN, /* a command that runs before modpost */
	STEP_MODPOST, /* modpost, which is skipped if its output is known */
	STEP_COMPILE_MODPOST, /* compiles the output of modpost, whose object may be cached */
	STEP_LINK, /* links the module */
	STEP_COPY, /* makes a file that is kept in the cache */
	STEP_RUNTIME, /* compiles a half of the runtime; not part of a script's build */
	STEP_IGNORE, /* not replayed: lists, which recipe_replay() writes itself */
};

/* In the order of running. */
static const struct step {
	const char *file; /* its command is in ".FILE.cmd" */
	enum step_kind kind;
	bool optional; /* in newer kernels only, or only if the runtime was compiled */
} steps[] = {
	{SCRIPT_OBJECT, STEP_RUN, false},	 {BUILD_NAME ".o", STEP_RUN, false},
	{"Module.symvers", STEP_MODPOST, false}, {MODPOST_OBJECT, STEP_COMPILE_MODPOST, false},
	{COMMON_OBJECT, STEP_COPY, true},	 {BUILD_NAME ".ko", STEP_LINK, false},
	{BUILD_NAME ".mod", STEP_IGNORE, false}, {"modules.order", STEP_IGNORE, false},
	{RUNTIME_FAST ".o", STEP_RUNTIME, true}, {RUNTIME_SLOW ".o", STEP_RUNTIME, true},
};

/* Files whose contents are part of the recipe: lists for the linker and for modpost. */
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

/*
 * ---- the object of modpost's output --------------------------------------------------------------------------------
 */

static struct error *read_modpost_source(const char *directory, char **text, size_t *length)
{
	g_autofree char *source = g_build_filename(directory, MODPOST_SOURCE, NULL);

	return file_read(source, text, length);
}

/* Return the path in the cache of the object of modpost's output. */
static char *modpost_object(const char *cache, const char *text, size_t length)
{
	g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, length);

	return g_strdup_printf("%s/modpost-%s.o", cache, sum);
}

/* Cache the object of modpost's output. A failure is not reported. */
static void keep_modpost_object(const struct translation *t, const char *directory, const char *cached)
{
	g_autofree char *object = g_build_filename(directory, MODPOST_OBJECT, NULL);
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

/* Return the name of a command file without a step, or NULL. To be freed. */
static char *find_unknown(const char *directory)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".cmd") && !is_known(name))
			return g_strdup(name);
	return NULL;
}

/* Read a file. If that fails, the file is unexpected and the caller leaves the work to kbuild. */
static bool read_text(const char *path, char **text, size_t *length)
{
	error_free(file_read(path, text, length));
	return *text != NULL;
}

/*
 * Return the command in ".FILE.cmd", which follows ":=" in its first line. make has doubled $ and replaced # by
 * $(pound).
 */
static char *read_command(const char *directory, const char *file)
{
	g_autofree char *path = g_strdup_printf("%s/.%s.cmd", directory, file);
	g_autofree char *text = NULL, *marked = NULL, *hashes = NULL;
	char *command;
	size_t length;

	if (!read_text(path, &text, &length))
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	command = strstr(text, " := ");
	if (!command || strstr(command, "@DIRECTORY@"))
		return NULL;
	marked = replace(command + strlen(" := "), directory, DIRECTORY_MARK);
	hashes = replace(marked, "$(pound)", "#");
	return replace(hashes, "$$", "$");
}

static bool record_step(GKeyFile *recipe, const struct step *step, const char *cache, const char *directory)
{
	g_autofree char *command = NULL, *made = g_build_filename(directory, step->file, NULL);
	g_autofree char *kept = g_build_filename(cache, step->file, NULL);

	if (step->kind == STEP_IGNORE)
		return true;
	command = read_command(directory, step->file);
	/* A prebuilt half was copied, not compiled. */
	if (!command || (step->kind == STEP_RUNTIME && strstr(command, "_shipped")))
		return step->optional;
	g_key_file_set_string(recipe, "commands", step->file, command);
	if (step->kind == STEP_COPY)
		cache_store_file(kept, made);
	return true;
}

static bool record_list(GKeyFile *recipe, const char *name, const char *directory)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	g_autofree char *text = NULL, *marked = NULL;
	size_t length;

	if (!read_text(path, &text, &length))
		return false;
	marked = replace(text, directory, DIRECTORY_MARK);
	g_key_file_set_string(recipe, "lists", name, marked);
	return true;
}

/*
 * Record the variables that kbuild exports or changes for its commands; some commands are scripts that need the
 * architecture. Variables of make and of the shell are skipped. DIRECTORY_VARIABLE is included: commands run in the
 * kernel's build directory or, since 6.13, in the module's.
 */
static bool record_environment(GKeyFile *recipe, const char *directory)
{
	static const char *const others[] = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES",
					     "PWD",	  "OLDPWD", "SHLVL",	 "_"};
	g_autofree char *path = g_build_filename(directory, ENVIRONMENT_FILE, NULL), *text = NULL;
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
		marked = replace(value + 1, directory, DIRECTORY_MARK);
		g_key_file_set_string(recipe, "environment", name, marked);
	}
	return true;
}

static void record_modpost(const struct translation *t, const char *cache, const char *directory)
{
	g_autofree char *text = NULL, *cached = NULL;
	struct error *error;
	size_t length;

	error = read_modpost_source(directory, &text, &length);
	if (!error) {
		cached = modpost_object(cache, text, length);
		keep_modpost_object(t, directory, cached);
	}
	error_free(error);
}

void recipe_record(const struct translation *t, const char *cache, const char *directory)
{
	g_autoptr(GKeyFile) recipe = g_key_file_new();
	g_autofree char *unknown = find_unknown(directory), *path = g_build_filename(cache, "recipe", NULL),
			*text = NULL;
	gsize length;

	if (unknown || !is_plain(directory)) {
		kbuild_note(t, _("kbuild's commands are not recorded: unexpected file or path '%s'"),
			    unknown ?: directory);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++)
		if (!record_step(recipe, &steps[i], cache, directory)) {
			kbuild_note(t, _("kbuild's commands are not recorded: '%s' has none"), steps[i].file);
			return;
		}
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		if (!record_list(recipe, lists[i], directory))
			return;
	if (!record_environment(recipe, directory))
		return;
	text = g_key_file_to_data(recipe, &length, NULL);
	record_modpost(t, cache, directory);
	cache_store(path, text, length);
}

/* ---- replaying --------------------------------------------------------------------------------------------------- */

struct replay {
	const struct translation *t;
	const char *cache, *directory;
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

/* Append the command of a step, with objtool's if it is not part of it. */
static struct error *append_command(const struct replay *r, const struct step *step, GString *script)
{
	g_autofree char *command = g_key_file_get_string(r->recipe, "commands", step->file, NULL);
	bool is_compiled = step->kind == STEP_RUNTIME || !strcmp(step->file, SCRIPT_OBJECT);

	if (!command)
		return error_new(ERROR_BUILD, _("the recipe lacks the command for '%s'"), step->file);
	g_string_append_printf(script, "%s\n", command);
	if (is_compiled)
		g_string_append_printf(script, "${" OBJTOOL_VARIABLE ":+$" OBJTOOL_VARIABLE " " DIRECTORY_MARK "/%s}\n",
				       step->file);
	return NULL;
}

/*
 * Return a shell script that runs the steps of one kind in order, or the halves of the runtime at the same time. To be
 * freed.
 */
static struct error *steps_script(const struct replay *r, enum step_kind kind, char **ret)
{
	g_autoptr(GString) script = g_string_new("set -e\n");
	bool at_once = kind == STEP_RUNTIME;
	struct error *error = NULL;

	export_environment(r, script);
	if (at_once)
		g_string_append(script, "children= status=0\n");
	for (size_t i = 0; !error && i < G_N_ELEMENTS(steps); i++) {
		if (steps[i].kind != kind)
			continue;
		g_string_append(script, at_once ? "(" : "");
		error = append_command(r, &steps[i], script);
		g_string_append(script, at_once ? ") & children=\"$children $!\"\n" : "");
	}
	if (at_once)
		g_string_append(script, "for child in $children; do wait $child || status=1; done\nexit $status\n");
	*ret = replace(script->str, DIRECTORY_MARK, r->directory);
	return error;
}

/* Run the steps of one kind in the directory in which kbuild runs them. */
static struct error *run_steps(const struct replay *r, enum step_kind kind)
{
	g_autofree char *text = NULL, *output = NULL, *marked = NULL, *place = NULL;
	struct error *error;

	marked = g_key_file_get_string(r->recipe, "environment", DIRECTORY_VARIABLE, NULL);
	if (!marked)
		return error_new(ERROR_BUILD, _("the recipe lacks the directory"));
	place = replace(marked, DIRECTORY_MARK, r->directory);
	error = steps_script(r, kind, &text);
	error = error
			?: process_run_inside(r->t->kernel.build_root, (const char *const[]){"sh", "-c", text, NULL},
					      place, &output);
	return error && error->code == ERROR_BUILD && output ? error_prefix(error, "%s", g_strchomp(output)) : error;
}

static struct error *write_lists(const struct replay *r)
{
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
		g_autofree char *marked = g_key_file_get_string(r->recipe, "lists", lists[i], NULL);
		g_autofree char *text = marked ? replace(marked, DIRECTORY_MARK, r->directory) : NULL;
		g_autofree char *path = g_build_filename(r->directory, lists[i], NULL);
		struct error *error;

		if (!text)
			return error_new(ERROR_BUILD, _("the recipe lacks the list '%s'"), lists[i]);
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
		g_autofree char *to = g_build_filename(r->directory, steps[i].file, NULL);
		struct error *error;
		bool done;

		if (steps[i].kind != STEP_COPY || !g_key_file_has_key(r->recipe, "commands", steps[i].file, NULL))
			continue;
		error = cache_load_file(from, to, &done);
		if (error || !done)
			return error ?: error_new(ERROR_BUILD, _("the cache lacks the file '%s'"), steps[i].file);
	}
	return NULL;
}

/* Return the cache entry with the name of modpost's object for the module's imports; NULL if they cannot be read. */
static char *imports_entry(const struct replay *r)
{
	g_autofree char *object = g_build_filename(r->directory, BUILD_NAME ".o", NULL), *sum = imports_sum(object);

	return sum ? g_strdup_printf("%s/imports-%s", r->cache, sum) : NULL;
}

static struct error *load_modpost(const struct replay *r, const char *cached, bool *done)
{
	g_autofree char *object = g_build_filename(r->directory, MODPOST_OBJECT, NULL);

	return cache_load_file(cached, object, done);
}

/* Load modpost's object by an entry of imports_entry(), if it exists. */
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
		keep_modpost_object(r->t, r->directory, cached);
	return error;
}

/*
 * Does modpost's output depend on the imports only? A checksum of the module's sources (CONFIG_MODULE_SRCVERSION_ALL)
 * or device names belong to one script.
 */
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
	error = error ?: read_modpost_source(r->directory, &text, &length);
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
	g_autofree char *record = g_build_filename(r->directory, "." SCRIPT_OBJECT ".cmd", NULL);
	struct error *error;

	/* modpost expects this file. */
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

/* Run a part of the recipe. If there is none, or it fails, @p done is false. */
static struct error *follow_recipe(const struct replay *r, struct error *(*part)(const struct replay *r), bool *done)
{
	g_autofree char *path = g_build_filename(r->cache, "recipe", NULL), *text = NULL;
	struct error *error;
	size_t length;

	*done = false;
	if (!is_plain(r->directory) || !cache_load(path, &text, &length) ||
	    !g_key_file_load_from_data(r->recipe, text, length, G_KEY_FILE_NONE, NULL))
		return NULL;
	error = part(r);
	if (error && error->code == ERROR_INTERRUPTED)
		return error;
	*done = !error;
	if (error)
		kbuild_note(r->t, _("kbuild's recorded commands failed (%s); running kbuild"), error->message);
	error_free(error);
	return NULL;
}

struct error *recipe_replay(const struct translation *t, const char *cache, const char *directory, bool *done)
{
	g_autoptr(GKeyFile) recipe = g_key_file_new();
	const struct replay r = {.t = t, .cache = cache, .directory = directory, .recipe = recipe};

	return follow_recipe(&r, replay, done);
}

static struct error *replay_runtime(const struct replay *r)
{
	return run_steps(r, STEP_RUNTIME);
}

struct error *recipe_compile_runtime(const struct translation *t, const char *cache, const char *directory, bool *done)
{
	g_autoptr(GKeyFile) recipe = g_key_file_new();
	const struct replay r = {.t = t, .cache = cache, .directory = directory, .recipe = recipe};

	return follow_recipe(&r, replay_runtime, done);
}
