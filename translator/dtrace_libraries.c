// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Libraries of D: the files *.d of the directories of -L. A file may say what it needs:
 *
 *     #pragma D depends_on library other.d
 *     #pragma D depends_on provider io
 *     #pragma D depends_on module vmlinux
 *
 * A library is parsed after those that it names. One that needs a provider or module that does not exist is left out,
 * with all libraries that need it.
 */
#include "translator/dtrace_libraries.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/sources.h"

enum state { NEW, VISITING, PARSED, LEFT_OUT };

struct library {
	const char *name, *path;
	struct source_file *file;
	enum state state;
};

struct libraries {
	struct translation *t;
	const struct d_macros *macros;
	struct d_program *program;
	GPtrArray *list; /* of struct library *, in the order of the directories and of names */
};

static struct library *find_library(const struct libraries *libraries, const char *name)
{
	for_each_ptr(struct library *, library, libraries->list)
		if (!strcmp(library->name, name))
			return library;
	return NULL;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Add the files of a directory, sorted by name. */
static struct error *add_directory(struct libraries *libraries, const char *path)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
	const char *name;

	if (!directory)
		return error_new(ERROR_OTHER, _("cannot open the directory of D libraries '%s'"), path);
	while ((name = g_dir_read_name(directory)))
		if (g_str_has_suffix(name, ".d"))
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	for_each_ptr(const char *, one, names) {
		struct library *library = arena_new0(libraries->t->arena, struct library);
		struct error *error;

		library->name = arena_strdup(libraries->t->arena, one);
		library->path = arena_printf(libraries->t->arena, "%s/%s", path, one);
		error = source_read(libraries->t, library->path, &library->file);
		if (error)
			return error;
		g_ptr_array_add(libraries->list, library);
	}
	return NULL;
}

static void load(struct libraries *libraries, struct library *library);

/* Load what a pragma names; return false if it does not exist. */
static bool load_dependency(struct libraries *libraries, const struct location *at, const char *kind, const char *name)
{
	struct library *other;

	if (!strcmp(kind, "provider"))
		return dlang_has_provider(name);
	if (!strcmp(kind, "module"))
		return true; /* types of modules are found when they are used */
	if (strcmp(kind, "library")) {
		diagnose(libraries->t->diagnostics, PARSE_ERROR, at,
			 _("[D_PRAGMA_INVAL] invalid class of dependency '%s': expected library, provider or module"),
			 kind);
		return false;
	}
	other = find_library(libraries, name);
	if (!other) {
		diagnose(libraries->t->diagnostics, PARSE_ERROR, at,
			 _("[D_PRAGMA_DEPEND] the library %s is in none of the directories of -L"), name);
		return false;
	}
	if (other->state == VISITING) {
		diagnose(libraries->t->diagnostics, PARSE_ERROR, at,
			 _("[D_PRAGMA_DEPEND] the libraries %s depend on each other"), name);
		return false;
	}
	load(libraries, other);
	return other->state == PARSED;
}

/* Parse a library after those that it needs. */
static void load(struct libraries *libraries, struct library *library)
{
	g_auto(GStrv) lines = NULL;
	struct location at = {.file = library->file, .column = 1};

	if (library->state != NEW)
		return;
	library->state = VISITING;
	lines = g_strsplit(library->file->text, "\n", -1);
	for (char **line = lines; *line; line++) {
		char kind[32], name[256];

		at.line++;
		at.length = (int)strlen(*line);
		if (sscanf(*line, "#pragma D depends_on %31s %255s", kind, name) != 2)
			continue;
		if (!load_dependency(libraries, &at, kind, name)) {
			library->state = LEFT_OUT;
			return;
		}
	}
	dlang_parse(&libraries->t->language, library->file, libraries->macros, D_PROBE_NAME, libraries->program);
	library->state = PARSED;
}

struct error *dtrace_parse_libraries(struct translation *t, const GPtrArray *directories, const struct d_macros *macros,
				     struct d_program *program)
{
	struct libraries libraries = {.t = t, .macros = macros, .program = program, .list = arena_ptr_array(t->arena)};

	for_each_ptr(const char *, directory, directories) {
		struct error *error = add_directory(&libraries, directory);

		if (error)
			return error;
	}
	for_each_ptr(struct library *, library, libraries.list)
		load(&libraries, library);
	return NULL;
}
