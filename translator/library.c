// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find and parse the files of the tapset directories. If the script was not translated before (script_cache.c), pass 1
 * parses the macros. It searches the scripts of the installed library for the names that they define
 * (lang/definitions.c), and pass 2 parses each when it needs a name. The scripts of -I are parsed at once, so that
 * users see their errors.
 */
#include "translator/library.h"

#include <string.h>

#include "translator/script_cache.h"
#include "translator/sources.h"

#include "common/base/i18n.h"
#include "common/base/paths.h"

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Append the files of a directory with the given ending, sorted by name. Skip names that were seen before. */
static void add_tapset_files(struct translation *t, const char *directory, const char *ending, GHashTable *seen,
			     GPtrArray *paths)
{
	GPtrArray *found = arena_ptr_array(t->arena);
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ending) && g_hash_table_add(seen, g_strdup(name)))
			g_ptr_array_add(found, arena_printf(t->arena, "%s/%s", directory, name));
	g_ptr_array_sort(found, compare_strings);
	g_ptr_array_extend(paths, found, NULL, NULL);
}

/*
 * Return the files of a tapset directory that apply to the target kernel. Subdirectories for kernel releases are
 * searched first, the most specific first: 6.1.0-56-amd64, 6.1.0, 6.1. Each of these levels can have a subdirectory for
 * the architecture, which precedes it. A file hides files of the same name that are found later.
 */
static GPtrArray *tapset_files(struct translation *t, const char *directory, const char *ending)
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
		const char *level = arena_printf(t->arena, "%s%s%s", directory, *levels[i] ? "/" : "", levels[i]);

		if (i && !strcmp(levels[i], levels[i - 1]))
			continue;
		add_tapset_files(t, arena_printf(t->arena, "%s/%s", level, t->kernel.abi->name), ending, seen, paths);
		add_tapset_files(t, level, ending, seen, paths);
	}
	return paths;
}

/*
 * May the embedded C of a tapset be used? Markers in its comments say which functions unprivileged users may call. With
 * --privilege below stapdev, only the markers of the installed tapset are trusted.
 */
static bool is_trusted(const struct translation *t, const char *directory, const char *installed)
{
	return !strcmp(t->language.privilege, "stapdev") || !strcmp(directory, installed);
}

static void find_directory(struct translation *t, const char *directory, bool macros, const char *installed,
			   bool is_library)
{
	for_each_ptr(const char *, path, tapset_files(t, directory, macros ? ".stpm" : ".stp")) {
		struct library_file *file = arena_new0(t->arena, struct library_file);

		file->path = path;
		file->is_of_macros = macros;
		file->is_trusted = is_trusted(t, directory, installed);
		file->is_installed = !strcmp(directory, installed);
		file->is_library = is_library;
		g_ptr_array_add(t->library_files, file);
	}
}

struct error *find_library(struct translation *t, const struct options *options)
{
	g_autofree char *installed = g_build_filename(data_directory(), "tapset", NULL);
	const char *own = g_getenv("SYSTEMTAP_TAPSET") ?: installed;
	g_autoptr(GPtrArray) directories = g_ptr_array_new();

	for_each_ptr(const char *, directory, options->tapset_directories)
		g_ptr_array_add(directories, (void *)directory);
	g_ptr_array_add(directories, (void *)own);
	for_each_ptr(const char *, directory, directories)
		if (!g_file_test(directory, G_FILE_TEST_IS_DIR))
			return error_with_hint(error_new(ERROR_LOOKUP, _("cannot find tapset directory %s"), directory),
					       _("check -I, SYSTEMTAP_TAPSET and SPILE_DATADIR"));
	for (int macros = 1; macros >= 0; macros--)
		for_each_ptr(const char *, directory, directories)
			find_directory(t, directory, macros, installed, directory == own);
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

static struct error *read_library_file(struct translation *t, const struct library_file *file, struct source_file **ret)
{
	struct error *error = source_read(t, file->path, ret);

	if (error)
		return error;
	(*ret)->is_tapset = true;
	(*ret)->is_library = file->is_library;
	(*ret)->is_of_macros = file->is_of_macros;
	(*ret)->privileged = file->is_trusted;
	return NULL;
}

/* ---- macros ------------------------------------------------------------------------------------------------------ */

/* Define macros with the paths of stap and staprun, for the library's aliases of their marks. */
static void parse_own_macros(struct translation *t)
{
	const char *text = arena_printf(t->arena,
					"@define __stap_program %%( \"%s\" %%)\n"
					"@define __staprun_program %%( \"%s\" %%)\n",
					program_path("stap"), program_path("staprun"));
	struct source_file *source = source_new(t, "<programs>", (char *)text, strlen(text));

	source->is_tapset = true;
	source->is_library = true;
	source->is_of_macros = true;
	source->privileged = true;
	parse_macro_library(&t->language, source);
}

struct error *parse_macros(struct translation *t)
{
	struct error *error = NULL;

	parse_own_macros(t);
	for_each_ptr(struct library_file *, file, t->library_files) {
		if (!file->is_of_macros)
			continue;
		error = read_library_file(t, file, &file->source);
		if (error)
			break;
		parse_macro_library(&t->language, file->source);
	}
	return error;
}

/* ---- scripts ----------------------------------------------------------------------------------------------------- */

static void parse_library_script(struct translation *t, struct library_file *file)
{
	struct script *script = file->is_parsed ? NULL : parse_script(&t->language, file->source);

	file->is_parsed = true;
	if (script)
		g_ptr_array_add(t->library, script);
}

/* The arguments of add_name(). */
struct naming {
	struct translation *t;
	struct library_file *file;
};

static void add_name(const char *name, size_t length, void *data)
{
	struct naming *naming = data;
	struct translation *t = naming->t;
	const char *copy = arena_strndup(t->arena, name, length);
	GPtrArray *files = g_hash_table_lookup(t->library_names, copy);

	if (!files) {
		files = arena_ptr_array(t->arena);
		g_hash_table_insert(t->library_names, (void *)copy, files);
	}
	if (!files->len || g_ptr_array_index(files, files->len - 1) != naming->file)
		g_ptr_array_add(files, naming->file);
}

struct error *parse_library(struct translation *t)
{
	t->library_names = g_hash_table_new(g_str_hash, g_str_equal);
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, t->library_names);
	for_each_ptr(struct library_file *, file, t->library_files) {
		struct naming naming = {t, file};
		struct error *error;

		/* After an error of the user's script, only tapsets of -I can have errors worth reporting. */
		if (file->is_of_macros ||
		    (file->is_installed && diagnostics_errors(t->diagnostics) && !t->language.keeps_damaged))
			continue;
		error = file->source ? NULL : read_library_file(t, file, &file->source);
		if (error)
			return error;
		if (!file->is_installed || !find_definitions(file->source, add_name, &naming))
			parse_library_script(t, file);
	}
	return NULL;
}

const GPtrArray *library_with(struct translation *t, const char *name)
{
	const GPtrArray *files = g_hash_table_lookup(t->library_names, name);

	for_each_ptr(struct library_file *, file, files)
		parse_library_script(t, file);
	return t->library;
}

const GPtrArray *library_containing(struct translation *t, const char *text)
{
	for_each_ptr(struct library_file *, file, t->library_files)
		if (!file->is_of_macros && !file->is_parsed && file->source && strstr(file->source->text, text))
			parse_library_script(t, file);
	return t->library;
}

const GPtrArray *library_all(struct translation *t)
{
	return library_containing(t, "");
}
