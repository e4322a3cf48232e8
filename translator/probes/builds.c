// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs and libraries that a point names by build-id: process("BUILD-ID"), and those of debuginfod servers:
 * debuginfod.process("GLOB").
 *
 * A build-id is searched among the links that packages install, the program of -c or -x, the programs in PATH and
 * beside libraries, and then on the debuginfod servers. A downloaded file is read like an installed one. Its path where
 * the script runs is the one that the server reports; without one, the runtime searches the files that processes map
 * (struct stp_target.any_place).
 *
 * debuginfod.process("GLOB") is rewritten to one process("BUILD-ID") for each build that the servers have.
 */
#include "translator/probes/builds.h"

#include <fnmatch.h>
#include <string.h>

#include "common/base/foreign.h"
#include "common/base/i18n.h"
#include "common/elf/elf.h"
#include "common/files.h"
#include "translator/probes/provider.h"

enum { BUILD_ID_DIGITS = 40 /* SHA-1, the default of linkers */, MOST_BUILDS = 64 };

static const char *const program_directories[] = {
	"/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin", "/usr/local/sbin",
};

bool is_build_id(const char *text)
{
	return strlen(text) == BUILD_ID_DIGITS && strspn(text, "0123456789abcdef") == BUILD_ID_DIGITS;
}

/* ---- installed files --------------------------------------------------------------------------------------------- */

/* Return the real path of a file if it is a program or library with the build-id, with code, else NULL. */
static char *with_build_id(const struct translation *t, const char *path, const char *id)
{
	g_autofree char *real = sysroot_resolve(&t->search.sysroot, path), *found = NULL;

	if (!real || g_str_has_suffix(real, ".debug") || !g_file_test(real, G_FILE_TEST_IS_REGULAR) ||
	    !file_begins_with(real, "\177ELF"))
		return NULL;
	found = elf_file_build_id(real);
	return !g_strcmp0(found, id) ? g_steal_pointer(&real) : NULL;
}

/* A search of directories, each of which is read once, whatever links lead to it. */
struct directory_search {
	const struct translation *t;
	const char *id;
	GHashTable *done; /* set of real paths */
};

static char *find_in_directory(struct directory_search *search, const char *directory, int levels)
{
	char *here = sysroot_resolve(&search->t->search.sysroot, directory), *found = NULL;
	g_autoptr(GDir) files = here ? g_dir_open(here, 0, NULL) : NULL;
	bool is_new = here && g_hash_table_add(search->done, here);
	const char *name;

	while (is_new && !found && files && (name = g_dir_read_name(files))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);
		g_autofree char *file = g_build_filename(here, name, NULL);

		if (!g_file_test(file, G_FILE_TEST_IS_DIR))
			found = with_build_id(search->t, path, search->id);
		else if (levels)
			found = find_in_directory(search, path, levels - 1);
	}
	return found;
}

/* Packages of some distributions install a link to each program and library. */
static char *find_by_link(const struct translation *t, const char *id)
{
	static const char *const directories[] = {"/usr/lib/debug/.build-id", "/usr/lib/.build-id"};
	char *found = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(directories) && !found; i++) {
		g_autofree char *path = g_strdup_printf("%s/%.2s/%s", directories[i], id, id + 2);

		found = with_build_id(t, path, id);
	}
	return found;
}

static char *find_target(const struct translation *t, const char *id)
{
	int64_t pid = options_target_pid(t->options);
	g_autofree char *link = pid ? g_strdup_printf("/proc/%" G_GINT64_FORMAT "/exe", pid) : NULL;
	g_autofree char *program = link ? g_file_read_link(link, NULL) : NULL;
	g_auto(GStrv) words = NULL;

	if (!pid && t->options->command && g_shell_parse_argv(t->options->command, NULL, &words, NULL) &&
	    strchr(words[0], '/'))
		program = g_strdup(words[0]);
	return program ? with_build_id(t, program, id) : NULL;
}

static char *find_installed(const struct translation *t, const char *id)
{
	static const char *const libraries[] = {"/lib", "/lib64", "/usr/local/lib", "/usr/libexec"};
	g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct directory_search search = {t, id, done};
	g_auto(GStrv) path = g_strsplit(t->search.sysroot.program_path ?: g_getenv("PATH") ?: "", ":", -1);
	char *found = find_by_link(t, id) ?: find_target(t, id);

	for (char **at = path; *at && !found; at++)
		found = **at == '/' ? find_in_directory(&search, *at, 0) : NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(program_directories) && !found; i++)
		found = find_in_directory(&search, program_directories[i], 0);
	for (size_t i = 0; i < G_N_ELEMENTS(libraries) && !found; i++)
		found = find_in_directory(&search, libraries[i], 1);
	return found;
}

/* ---- debuginfod -------------------------------------------------------------------------------------------------- */

/* Return where packages install the build, as the servers report it; the build-id if they do not. */
static const char *path_of_build(struct translation *t, const char *id)
{
	g_autoptr(GPtrArray) programs = g_ptr_array_new();
	bool complete;
	struct error *error = debuginfod_search(t->arena, "buildid", id, programs, &complete);

	error_free(error);
	for_each_ptr(const struct served_program *, program, programs)
		if (!strcmp(program->build_id, id) && *program->path == '/')
			return program->path;
	return id;
}

/* Note where a downloaded file is on the probed machine. */
static void note_place(struct translation *t, const char *path, const char *there)
{
	if (!g_hash_table_contains(t->search.downloaded, path))
		g_hash_table_insert(t->search.downloaded, (void *)path, (void *)there);
}

static const char *download(struct translation *t, const struct probe_component *component, const char *id)
{
	const char *path;
	struct error *error = debuginfod_program(t->arena, id, &path);

	if (error) {
		translation_report(t, &component->location, error);
		return NULL;
	}
	if (path) {
		const char *there = g_hash_table_lookup(t->search.downloaded, id);

		note_place(t, path, there ?: path_of_build(t, id));
	}
	return path;
}

static void diagnose_no_build(struct translation *t, const struct probe_component *component, const char *id)
{
	g_autofree char *debug = debuginfo_build_id_path("", id);
	g_autofree char *real = sysroot_resolve(&t->search.sysroot, debug);

	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
		 real ? _("only the debug symbols of the program with build-id %s are on this machine")
		      : _("no program or library with build-id %s found"),
		 id);
	diagnose_hint(t->diagnostics, _("install it in a directory of programs or libraries, or set DEBUGINFOD_URLS"));
}

const char *find_build(struct translation *t, const struct probe_component *component)
{
	const char *id = component->argument->text, *path = g_hash_table_lookup(t->builds, id);
	size_t mark = diagnostics_mark(t->diagnostics);
	g_autofree char *installed = NULL;

	if (path)
		return path;
	file_facts_give_up(t->search.facts);
	installed = find_installed(t, id);
	path = installed ? arena_strdup(t->arena, installed) : download(t, component, id);
	if (path)
		g_hash_table_insert(t->builds, (void *)id, (void *)path);
	else if (!diagnostics_failed_since(t->diagnostics, mark))
		diagnose_no_build(t, component, id);
	return path;
}

/* ---- debuginfod.process ------------------------------------------------------------------------------------------ */

static const struct probe_component *component_at(const struct probe_point *point, guint index)
{
	return index < point->components->len ? g_ptr_array_index(point->components, index) : NULL;
}

static bool has_text(const struct probe_component *component, const char *name)
{
	return component && !strcmp(component->name, name) && component->argument &&
	       component->argument->kind == EXPR_STRING;
}

bool is_of_debuginfod(const struct probe_point *point)
{
	const struct probe_component *first = component_at(point, 0);
	guint process = has_text(component_at(point, 1), "archive") ? 2 : 1;

	return !strcmp(first->name, "debuginfod") && !first->argument &&
	       has_text(component_at(point, process), "process") && point->components->len > process + 1;
}

/* A pattern of archives matches the whole path or the file's name. */
static bool archive_matches(const char *pattern, const char *archive)
{
	g_autofree char *base = archive ? g_path_get_basename(archive) : NULL;

	return !pattern || (archive && (!fnmatch(pattern, archive, 0) || !fnmatch(pattern, base, 0)));
}

/* Return a copy of the point that begins with process("BUILD-ID"). */
static struct probe_point *point_of_build(struct translation *t, const struct probe_point *point, guint process,
					  const char *id)
{
	struct probe_point *copy = probe_point_copy(t->arena, point);
	struct probe_component *component;

	g_ptr_array_remove_range(copy->components, 0, process);
	component = arena_new0(t->arena, struct probe_component);
	*component = *component_at(copy, 0);
	component->argument = expr_copy(t->arena, component->argument);
	component->argument->text = id;
	component->argument->text_length = strlen(id);
	copy->components->pdata[0] = component;
	return copy;
}

/* Ask for a path as it is, and for a name without a directory in any. */
static struct error *search(struct translation *t, const char *name, GPtrArray *programs, bool *complete)
{
	bool is_glob = strpbrk(name, "*?[");
	struct error *error = NULL;

	*complete = true;
	if (strchr(name, '/'))
		return debuginfod_search(t->arena, is_glob ? "glob" : "file", name, programs, complete);
	for (size_t i = 0; i < G_N_ELEMENTS(program_directories) && !error; i++) {
		const char *path = arena_printf(t->arena, "%s/%s", program_directories[i], name);
		bool found_all;

		error = debuginfod_search(t->arena, is_glob ? "glob" : "file", path, programs, &found_all);
		*complete &= found_all;
	}
	return error;
}

static void diagnose_nothing_served(struct translation *t, const struct probe_component *component, const char *archive)
{
	if (archive)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("the debuginfod servers have no program '%s' in an archive '%s'"), component->argument->text,
			 archive);
	else
		diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("the debuginfod servers have no program '%s'"), component->argument->text);
	diagnose_hint(t->diagnostics, _("ask the servers: debuginfod-find metadata glob '%s'"),
		      component->argument->text);
}

bool expand_debuginfod(struct translation *t, const struct probe_point *point, GPtrArray *ret)
{
	const char *archive = has_text(component_at(point, 1), "archive") ? point_string(point, 1) : NULL;
	guint process = archive ? 2 : 1;
	const struct probe_component *component = component_at(point, process);
	g_autoptr(GPtrArray) programs = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	bool complete;
	struct error *error = search(t, component->argument->text, programs, &complete);

	file_facts_give_up(t->search.facts);
	if (error) {
		translation_report(t, &component->location, error);
		return false;
	}
	for_each_ptr(const struct served_program *, program, programs) {
		if (!archive_matches(archive, program->archive) || !g_hash_table_add(seen, (void *)program->build_id))
			continue;
		note_place(t, program->build_id, *program->path == '/' ? program->path : program->build_id);
		g_ptr_array_add(ret, point_of_build(t, point, process, program->build_id));
	}
	if (!complete)
		diagnose(t->diagnostics, WARNING, &component->location,
			 _("the debuginfod servers did not search all of their programs"));
	if (ret->len > MOST_BUILDS) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("'%s' matches %u builds on the debuginfod servers; a point may have at most %d"),
			 component->argument->text, ret->len, MOST_BUILDS);
		diagnose_hint(t->diagnostics, _("select some with .archive: debuginfod.archive(\"GLOB\").process(…)"));
		return false;
	}
	if (!ret->len)
		diagnose_nothing_served(t, component, archive);
	return ret->len;
}
