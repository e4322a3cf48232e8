// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The texts that pass 1 parses: the files of the tapset folders, and the user's script. They are found first, and
 * parsed if they are not known from an earlier time (known.c).
 */
#include "translator/sources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "translator/known.h"
#include "translator/list.h"
#include "translator/util/cleanup.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "translator/util/paths.h"

static struct source_file *source_new(struct translation *t, const char *name, char *text, size_t length)
{
	struct source_file *source = arena_new0(t->arena, struct source_file);

	source->name = arena_strdup(t->arena, name);
	source->text = text;
	source->length = length;
	return source;
}

static struct error *read_stream(FILE *file, const char *name, struct translation *t, struct source_file **ret)
{
	enum { LARGEST = 16 * 1024 * 1024 };
	g_autofree char *text = NULL;
	size_t length;
	struct error *error = stream_read(file, name, LARGEST, &text, &length);

	if (error)
		return error;
	*ret = source_new(t, name, arena_strndup(t->arena, text, length), length);
	return NULL;
}

/* It can be read once, and a script may be translated for several kernels. */
static struct error *read_standard_input(struct translation *t, struct source_file **ret)
{
	static char *text;
	static size_t length;
	struct error *error = NULL;

	if (text) {
		*ret = source_new(t, "<stdin>", arena_strndup(t->arena, text, length), length);
		return NULL;
	}
	error = read_stream(stdin, "<stdin>", t, ret);
	if (!error) {
		length = (*ret)->length;
		text = g_memdup2((*ret)->text, length + 1);
	}
	return error;
}

static struct error *read_source(struct translation *t, const char *path, struct source_file **ret)
{
	_cleanup_fclose_ FILE *file = NULL;
	struct error *error;

	if (!strcmp(path, "-"))
		return read_standard_input(t, ret);
	file = fopen(path, "re");
	if (!file) {
		error = error_errno(_("cannot read %s"), path);
		if (errno == ENOENT && strpbrk(path, " {("))
			error_with_hint(error, _("to give the script itself, use -e"));
		return error;
	}
	return read_stream(file, path, t, ret);
}

/*
 * Files of one folder with the given ending, in order of their names; one with a name that is there already stays out.
 */
static void add_tapset_files(struct translation *t, const char *folder, const char *ending, GHashTable *seen,
			     GPtrArray *paths)
{
	GPtrArray *found = arena_ptr_array(t->arena);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ending) && g_hash_table_add(seen, g_strdup(name)))
			g_ptr_array_add(found, arena_printf(t->arena, "%s/%s", folder, name));
	g_ptr_array_sort(found, compare_strings);
	g_ptr_array_extend(paths, found, NULL, NULL);
}

/*
 * A tapset's own folders for a kernel, most specific first, as in 6.1.0-56-amd64, 6.1.0, 6.1: what is in them overrides
 * files of the same name further down. Each may have a folder for the architecture.
 */
static GPtrArray *tapset_files(struct translation *t, const char *folder, const char *ending)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GPtrArray *paths = arena_ptr_array(t->arena);
	const char *release = t->kernel.release ?: "";
	size_t base = strspn(release, "0123456789.");
	const char *version = arena_strndup(t->arena, release, base);
	const char *point = strchr(version, '.');
	const char *minor = point ? strchr(point + 1, '.') : NULL;
	const char *series = minor ? arena_strndup(t->arena, version, minor - version) : version;
	const char *const levels[] = {release, version, series, ""};

	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
		const char *level = arena_printf(t->arena, "%s%s%s", folder, *levels[i] ? "/" : "", levels[i]);

		if (i && !strcmp(levels[i], levels[i - 1]))
			continue;
		add_tapset_files(t, arena_printf(t->arena, "%s/%s", level, t->kernel.architecture), ending, seen,
				 paths);
		add_tapset_files(t, level, ending, seen, paths);
	}
	return paths;
}

static struct error *parse_library_file(struct translation *t, const struct library_file *file)
{
	struct source_file *source;
	struct script *script;
	struct error *error = read_source(t, file->path, &source);

	if (error)
		return error;
	source->is_tapset = true;
	source->privileged = file->is_trusted;
	if (file->is_of_macros) {
		parse_macro_library(&t->language, source);
		return NULL;
	}
	script = parse_script(&t->language, source);
	if (script)
		g_ptr_array_add(t->library, script);
	return NULL;
}

static struct error *parse_library_files(struct translation *t, bool macros)
{
	struct error *error = NULL;

	for_each_ptr(const struct library_file *, file, t->library_files) {
		error = file->is_of_macros == macros ? parse_library_file(t, file) : NULL;
		if (error)
			break;
	}
	return error;
}

/*
 * A tapset's C may do anything, and says itself what unprivileged users may call. For those who are trusted with less
 * than that (--privilege), only what is installed is believed.
 */
static bool is_trusted(const struct translation *t, const char *folder, const char *installed)
{
	return !strcmp(t->language.privilege, "stapdev") || !strcmp(folder, installed);
}

static void find_folder(struct translation *t, const char *folder, bool macros, bool is_trusted)
{
	for_each_ptr(const char *, path, tapset_files(t, folder, macros ? ".stpm" : ".stp")) {
		struct library_file *file = arena_new0(t->arena, struct library_file);

		*file = (struct library_file){path, macros, is_trusted};
		g_ptr_array_add(t->library_files, file);
	}
}

/* Where our own programs are, for the library's aliases of their marks. */
static void parse_own_macros(struct translation *t)
{
	const char *text = arena_printf(t->arena,
					"@define __stap_program %%( \"%s\" %%)\n"
					"@define __staprun_program %%( \"%s\" %%)\n",
					program_path("stap"), program_path("staprun"));
	struct source_file *source = source_new(t, "<programs>", (char *)text, strlen(text));

	source->is_tapset = true;
	source->privileged = true;
	parse_macro_library(&t->language, source);
}

struct error *find_library(struct translation *t, const struct options *options)
{
	g_autofree char *installed = g_build_filename(data_folder(), "tapset", NULL);
	const char *own = g_getenv("SYSTEMTAP_TAPSET") ?: installed;
	g_autoptr(GPtrArray) folders = g_ptr_array_new();

	for_each_ptr(const char *, folder, options->tapset_folders)
		g_ptr_array_add(folders, (void *)folder);
	g_ptr_array_add(folders, (void *)own);
	for_each_ptr(const char *, folder, folders)
		if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
			return error_with_hint(error_new(ERROR_LOOKUP, _("no tapset folder %s"), folder),
					       _("check -I, or the installation (SPILE_DATADIR)"));
	for (int macros = 1; macros >= 0; macros--)
		for_each_ptr(const char *, folder, folders)
			find_folder(t, folder, macros, is_trusted(t, folder, installed));
	t->is_library_installed = folders->len == 1 && !strcmp(own, installed);
	known_add_library(t);
	return NULL;
}

unsigned int count_library_scripts(const struct translation *t)
{
	unsigned int count = 0;

	for_each_ptr(const struct library_file *, file, t->library_files)
		count += !file->is_of_macros;
	return count;
}

struct error *parse_macros(struct translation *t)
{
	parse_own_macros(t);
	return parse_library_files(t, true);
}

struct error *parse_library(struct translation *t)
{
	return parse_library_files(t, false);
}

/* Comments alone, or what a condition of the preprocessor left nothing of. */
static bool is_empty(const struct script *script)
{
	return !script->probes->len && !script->aliases->len && !script->globals->len && !script->functions->len &&
	       !script->embeds->len;
}

static void parse_user_source(struct translation *t, const struct options *options, struct source_file *source)
{
	struct script *script;

	source->privileged = options->guru_mode;
	script = parse_script(&t->language, source);
	if (!script)
		return;
	script->privileged = options->guru_mode;
	if (is_empty(script)) {
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("parse error"), &(struct location){0},
			 _("the script %s is empty"), source->name);
		diagnose_hint(t->diagnostics, _("a script needs at least one probe, as in: probe begin { exit() }"));
	}
	g_ptr_array_add(t->scripts, script);
}

/* To be listed, a point becomes a probe with an empty body. */
static char *listing_script(struct translation *t, const struct options *options, const char *point)
{
	if (options->list_lines)
		point = list_lines_point(t->arena, point);
	return arena_printf(t->arena, "probe %s {}", point);
}

/* Of what -E adds to a listing, only aliases are of use. */
static void keep_first_probes(struct translation *t)
{
	for (guint i = 1; i < t->scripts->len; i++) {
		struct script *script = g_ptr_array_index(t->scripts, i);

		g_ptr_array_set_size(script->probes, 0);
	}
}

static void add_user_source(struct translation *t, struct source_file *source)
{
	known_add_source(t, source);
	g_ptr_array_add(t->user_sources, source);
}

struct error *find_user_scripts(struct translation *t, const struct options *options)
{
	struct source_file *source = NULL;
	struct error *error = NULL;

	if (options->script_text) {
		char *text = options_listing(options) ? listing_script(t, options, options->script_text)
						      : (char *)options->script_text;

		source = source_new(t, "<input>", text, strlen(text));
	} else {
		error = read_source(t, options->script_path, &source);
	}
	if (error)
		return error;
	add_user_source(t, source);
	for_each_ptr(const char *, text, options->extra_texts)
		add_user_source(t, source_new(t, "<input>", (char *)text, strlen(text)));
	if (options->stop_after && !options_listing(options)) {
		char *text = arena_printf(t->arena, "probe timer.s(%s) { exit() }", options->stop_after);

		add_user_source(t, source_new(t, "-T", text, strlen(text)));
	}
	return NULL;
}

void parse_user_scripts(struct translation *t, const struct options *options)
{
	for_each_ptr(struct source_file *, source, t->user_sources)
		parse_user_source(t, options, source);
	if (options_listing(options))
		keep_first_probes(t);
}
