// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The objects that a point names: kernel; module("glob"); process("path or glob"), process(PID), and process, the
 * target of -c or -x. Each form of process may be followed by .library("name or glob").
 *
 * Programs are identified by their real paths on this machine; the module contains their paths on the probed machine
 * (common/sysroot.c). A name without a directory is searched in PATH, then in the current directory. A library name
 * matches the libraries that the program is linked with; other libraries must be named by path.
 */
#include "translator/probes/builds.h"
#include "translator/probes/function_probes.h"

#include <fnmatch.h>
#include <glob.h>
#include <inttypes.h>

#include "common/files.h"
#include "common/nearest.h"
#include "common/base/i18n.h"
#include "common/elf/elf.h"
#include "common/elf/program_libraries.h"

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(glob_t, globfree)

static const struct probe_component *component_at(const struct probe_point *point, guint index)
{
	return g_ptr_array_index(point->components, index);
}

bool point_is_of_programs(const struct probe_point *point)
{
	return !strcmp(component_at(point, 0)->name, "process");
}

static const struct probe_component *library_component(const struct probe_point *point)
{
	bool has_one = point->components->len > 1 && !strcmp(component_at(point, 1)->name, "library");

	return has_one ? component_at(point, 1) : NULL;
}

guint place_component(const struct probe_point *point)
{
	return library_component(point) ? 2 : 1;
}

static bool is_glob(const struct translation *t, const char *text)
{
	return strpbrk(sysroot_inside(&t->search.sysroot, text), "*?[{") != NULL;
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

/*
 * Find a program that is named without a directory: in PATH, in the loader's directories if it is a library, or in the
 * current directory, where compilers put a.out. Note the files that the result depends on.
 */
static char *find_by_name(struct translation *t, const char *name)
{
	const struct sysroot *sysroot = &t->search.sysroot;
	char *found = sysroot_find_program(sysroot, name);

	file_facts_note_program(t->search.facts, name);
	if (!found && strstr(name, ".so"))
		found = library_find(sysroot, t->kernel.abi->elf_machine, name, t->search.facts);
	if (found || (sysroot->directory && *sysroot->directory))
		return found;
	file_facts_note(t->search.facts, name);
	return g_file_test(name, G_FILE_TEST_IS_REGULAR) ? g_strdup(name) : NULL;
}

/* Return whether a component "process" names a build-id and not a file of that name. */
static bool names_build(struct translation *t, const struct probe_component *component)
{
	const struct expr *argument = component->argument;
	g_autofree char *found = NULL;

	if (!argument || argument->kind != EXPR_STRING || !is_build_id(argument->text))
		return false;
	found = find_by_name(t, argument->text);
	return !found;
}

/*
 * Find a program by its name or path. Return its real path, that of the interpreter if it is a script, or NULL. Note
 * the files that the result depends on.
 */
static const char *find_program(struct translation *t, const char *name)
{
	const struct sysroot *sysroot = &t->search.sysroot;
	bool is_path = strchr(name, '/');
	g_autofree char *found = is_path ? g_strdup(name) : find_by_name(t, name);
	g_autofree char *file = found ? sysroot_resolve(sysroot, found) : NULL;

	if (is_path)
		file_facts_note(t->search.facts, name);
	for (int i = 0; file && i < MOST_INTERPRETERS; i++) {
		g_autofree char *interpreter = file_interpreter(file);

		if (!interpreter)
			break;
		file_facts_note(t->search.facts, interpreter);
		g_free(file);
		file = sysroot_resolve(sysroot, interpreter);
	}
	return file && g_file_test(file, G_FILE_TEST_IS_REGULAR) ? arena_strdup(t->arena, file) : NULL;
}

/* Return a pattern below the sysroot. Escape the wildcard characters of the sysroot's own path. */
static char *glob_of(const struct sysroot *sysroot, const char *pattern)
{
	g_autofree char *directory = sysroot_file(sysroot, "");
	const char *inside = sysroot_inside(sysroot, pattern);
	GString *text = g_string_new(NULL);

	for (const char *at = directory; *at; at++)
		g_string_append_printf(text, "%s%c", strchr("*?[]{},~\\", *at) ? "\\" : "", *at);
	return g_string_free(g_string_append(text, inside), FALSE);
}

/* Return the real path of a program or library; NULL for other files, and for those of another architecture. */
static const char *matching_program(struct translation *t, const char *path)
{
	g_autofree char *real = sysroot_resolve(&t->search.sysroot, path);
	uint16_t machine = real ? elf_file_machine(real) : EM_NONE;
	const struct architecture *architecture = architecture_by_elf(machine);

	if (machine == EM_NONE || (architecture && architecture != t->kernel.architecture))
		return NULL;
	return arena_strdup(t->arena, real);
}

/* Append the real paths of the programs and libraries that match, each once, on this machine or below the sysroot. */
static void find_by_glob_in(struct translation *t, const struct sysroot *sysroot, const char *pattern, GPtrArray *paths)
{
	g_autofree char *here = glob_of(sysroot, pattern);
	g_auto(glob_t) found = {0};

	file_facts_note_glob(t->search.facts, here);
	if (glob(here, GLOB_BRACE, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = matching_program(t, found.gl_pathv[i]);

		if (path && !g_ptr_array_find_with_equal_func(paths, path, g_str_equal, NULL))
			g_ptr_array_add(paths, (void *)path);
	}
}

static void find_by_glob(struct translation *t, const char *pattern, GPtrArray *paths)
{
	const struct sysroot *sysroot = &t->search.sysroot;

	find_by_glob_in(t, sysroot, pattern, paths);
	if (sysroot->also_here)
		find_by_glob_in(t, &(struct sysroot){0}, pattern, paths);
}

static void add_file_names(struct translation *t, const char *directory, GPtrArray *names)
{
	g_autofree char *here = sysroot_file(&t->search.sysroot, directory);
	g_autoptr(GDir) files = g_dir_open(here, 0, NULL);
	const char *name;

	while (files && (name = g_dir_read_name(files))) {
		g_autofree char *file = g_build_filename(here, name, NULL);

		if (g_file_test(file, G_FILE_TEST_IS_REGULAR))
			g_ptr_array_add(names, g_strdup(name));
	}
}

/* Return files with names near @name in its directory, or in PATH if it has none. Return NULL if no name is near. */
static GPtrArray *near_programs(struct translation *t, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *base = g_path_get_basename(name), *directory = g_path_get_dirname(name), *prefix = NULL;
	const char *path = t->search.sysroot.program_path ?: g_getenv("PATH");
	g_auto(GStrv) directories = NULL;

	if (strchr(name, '/')) {
		add_file_names(t, sysroot_inside(&t->search.sysroot, directory), names);
		prefix = g_str_has_suffix(directory, "/") ? g_strdup(directory) : g_strconcat(directory, "/", NULL);
	} else {
		directories = g_strsplit(path ?: "", ":", -1);
		for (char **at = directories; *at; at++)
			add_file_names(t, *at, names);
	}
	return nearest_matches(t->arena, base, names, prefix, 5);
}

/* Diagnose a script whose interpreter does not exist; return whether it is one. */
static bool diagnose_no_interpreter(struct translation *t, const struct probe_component *component, const char *name)
{
	const struct sysroot *sysroot = &t->search.sysroot;
	g_autofree char *found = strchr(name, '/') ? g_strdup(name) : find_by_name(t, name);
	g_autofree char *file = found ? sysroot_resolve(sysroot, found) : NULL;
	g_autofree char *interpreter = file ? file_interpreter(file) : NULL;

	if (!interpreter)
		return false;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
		 _("%s is a script whose interpreter %s does not exist"), name, interpreter);
	diagnose_hint(t->diagnostics, _("install the interpreter, or name the program itself"));
	return true;
}

static void diagnose_no_program(struct translation *t, const struct probe_component *component, const char *name)
{
	const GPtrArray *near = NULL;

	if (diagnose_no_interpreter(t, component, name))
		return;
	near = near_programs(t, name);
	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
		 strchr(name, '/') ? _("program %s not found")
				   : _("program %s not found in PATH or the current directory"),
		 name);
	if (near)
		diagnose_near(t->diagnostics, near);
	else
		diagnose_hint(t->diagnostics,
			      _("install the program on this machine: its file is read when the script is translated, "
				"even if the script runs elsewhere"));
}

/*
 * Return whether a process id is in the kernel's range, or diagnose. The runtime reads 0 as any process and would
 * truncate a large number to another process's id.
 */
static bool names_process(struct translation *t, const struct probe_component *component)
{
	enum { LARGEST = 1 << 22 }; /* PID_MAX_LIMIT */
	const struct expr *argument = component->argument;

	if (!argument || argument->kind != EXPR_NUMBER || (argument->number >= 1 && argument->number <= LARGEST))
		return true;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
		 _("a process id must be from 1 to %d, not %" PRId64), LARGEST, argument->number);
	return false;
}

static const char *program_of_process(struct translation *t, const struct probe_component *component, int64_t pid)
{
	g_autofree char *link = g_strdup_printf("/proc/%" PRId64 "/exe", pid), *path = NULL;
	g_autoptr(GError) failure = NULL;

	file_facts_give_up(t->search.facts);
	path = g_file_read_link(link, &failure);
	if (path)
		return arena_strdup(t->arena, path);
	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
		 _("cannot find the program of process %" PRId64 ": %s"), pid, failure->message);
	/* D has no form with a path. */
	if (!t->options->dtrace)
		diagnose_hint(t->diagnostics, _("name the program by its path, process(\"/…\"), and use -x %" PRId64),
			      pid);
	return NULL;
}

/* Parse a line of /proc/PID/maps: "start-end permissions offset device inode path". Does it contain the address? */
static bool is_mapped_by(const char *line, uint64_t address, uint64_t *offset, const char **path)
{
	uint64_t start, end, from;
	int name = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end, &from, &name) < 3 ||
	    address < start || address >= end)
		return false;
	*offset = address - start + from;
	*path = name && line[name] == '/' ? line + name : NULL;
	return true;
}

bool find_mapped_file(struct translation *t, const struct probe_component *component, uint64_t address,
		      struct mapped_place *ret)
{
	int64_t pid = component->argument->number;
	g_autofree char *name = g_strdup_printf("/proc/%" PRId64 "/maps", pid), *text = NULL;
	g_autoptr(GError) failure = NULL;
	g_auto(GStrv) lines = NULL;
	const char *path = NULL;

	file_facts_give_up(t->search.facts);
	if (!g_file_get_contents(name, &text, NULL, &failure)) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("cannot read the memory map of process %" PRId64 ": %s"), pid, failure->message);
		return false;
	}
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line && !is_mapped_by(*line, address, &ret->offset, &path); line++)
		;
	ret->path = path ? arena_strdup(t->arena, path) : NULL;
	if (!path)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("process %" PRId64 " maps no file at address 0x%" PRIx64), pid, address);
	return path;
}

static const char *target_program(struct translation *t, const struct probe_component *component)
{
	g_auto(GStrv) words = NULL;
	const char *program;

	if (options_target_pid(t->options))
		return program_of_process(t, component, options_target_pid(t->options));
	if (!t->options->command || !g_shell_parse_argv(t->options->command, NULL, &words, NULL)) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("'process' without a program needs a target process"));
		diagnose_hint(t->diagnostics, _("name the program: process(\"/usr/bin/…\"); or start one with -c, or "
						"select one with -x"));
		return NULL;
	}
	program = find_program(t, words[0]);
	if (!program)
		diagnose_no_program(t, component, words[0]);
	return program;
}

bool find_programs(struct translation *t, const struct probe_component *component, GPtrArray *paths)
{
	const struct expr *argument = component->argument;
	const char *path;

	if (!names_process(t, component))
		return false;
	if (argument && argument->kind == EXPR_STRING && is_glob(t, argument->text)) {
		find_by_glob(t, argument->text, paths);
		if (!paths->len)
			diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location, _("no program matches '%s'"),
				 argument->text);
		return paths->len;
	}
	if (!argument)
		path = target_program(t, component);
	else if (argument->kind == EXPR_NUMBER)
		path = program_of_process(t, component, argument->number);
	else if (names_build(t, component))
		path = find_build(t, component);
	else if (!(path = find_program(t, argument->text)))
		diagnose_no_program(t, component, argument->text);
	if (path)
		g_ptr_array_add(paths, (void *)path);
	return path;
}

const char *absent_program(struct translation *t, const struct probe_component *component)
{
	const struct sysroot *sysroot = &t->search.sysroot;
	const struct expr *argument = component->argument;
	g_autofree char *file = NULL, *path = NULL;

	if (!argument || argument->kind != EXPR_STRING || !strchr(argument->text, '/') || is_glob(t, argument->text))
		return NULL;
	file_facts_note(t->search.facts, argument->text);
	file = sysroot_resolve(sysroot, argument->text);
	path = g_canonicalize_filename(sysroot_inside(sysroot, argument->text), NULL);
	return file ? NULL : arena_strdup(t->arena, path);
}

/* ---- libraries --------------------------------------------------------------------------------------------------- */

static void diagnose_no_library(struct translation *t, const struct probe_component *component, const char *program,
				const GPtrArray *libraries)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	const GPtrArray *near;

	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location, _("%s is not linked with a library '%s'"),
		 program, component->argument->text);
	for_each_ptr(const char *, library, libraries)
		g_ptr_array_add(names, g_path_get_basename(library));
	near = nearest_matches(t->arena, component->argument->text, names, "", 5);
	if (near)
		diagnose_near(t->diagnostics, near);
	else
		diagnose_hint(t->diagnostics, _("name a library that the program loads at run time by its path"));
}

static bool library_matches(const char *pattern, const char *library)
{
	g_autofree char *base = g_path_get_basename(library);

	return !fnmatch(pattern, base, 0) || !fnmatch(pattern, library, 0);
}

/* Append the paths of the libraries that a component "library" names. Return false after a diagnostic. */
static bool find_libraries(struct translation *t, const struct probe_component *component, const char *program,
			   GPtrArray *paths)
{
	g_autoptr(GPtrArray) libraries = g_ptr_array_new();
	const char *pattern = component->argument->text;
	struct debuginfo *debuginfo;
	struct error *error;
	guint before = paths->len;
	const char *path;

	if (strchr(pattern, '/')) {
		find_by_glob(t, pattern, paths);
		if (paths->len > before)
			return true;
	}
	error = translation_object(t, program, &debuginfo);
	error = error ?: debuginfo_libraries(debuginfo, libraries);
	if (error) {
		translation_report(t, &component->location, error);
		return false;
	}
	for_each_ptr(const char *, library, libraries) {
		path = library_matches(pattern, library) ? find_program(t, library) : NULL;
		if (path && !g_ptr_array_find_with_equal_func(paths, path, g_str_equal, NULL))
			g_ptr_array_add(paths, (void *)path);
	}
	if (paths->len == before)
		diagnose_no_library(t, component, program, libraries);
	return paths->len > before;
}

/* ---- the whole point --------------------------------------------------------------------------------------------- */

/* The objects of a point, by the names that open them. */
struct object_list {
	GPtrArray *names; /* const char * */
	const char *pattern; /* the wildcard that they match, or NULL */
	const struct probe_component *component; /* the component that names them */
};

/* After the error for the first of several objects: report that the others that match have no place, either. */
static void diagnose_others(struct translation *t, const struct probe_component *component, guint others)
{
	bool is_module = !strcmp(component->name, "module");

	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
		 is_module ? ngettext("nor is it found in %u other module that matches '%s'",
				      "nor is it found in the other %u modules that match '%s'", others)
			   : ngettext("nor is it found in %u other file that matches '%s'",
				      "nor is it found in the other %u files that match '%s'", others),
		 others, component->argument->text);
}

static bool list_modules(struct translation *t, const struct probe_point *point, struct object_list *list)
{
	const struct probe_component *first = component_at(point, 0);
	const char *name = first->argument ? first->argument->text : "kernel";
	struct error *error;

	list->component = first;
	if (!first->argument || !strpbrk(name, "*?[")) {
		list->names = arena_ptr_array(t->arena);
		g_ptr_array_add(list->names, (void *)name);
		return true;
	}
	list->pattern = name;
	error = debuginfo_module_names(&t->kernel, t->arena, name, &list->names);
	if (error)
		translation_report(t, &point->location, error);
	return !error;
}

/* Append the libraries of several programs. One program that has a match is enough. */
static bool find_libraries_of(struct translation *t, const struct probe_component *named,
			      const struct probe_component *library, const GPtrArray *programs, GPtrArray *paths)
{
	size_t mark = diagnostics_mark(t->diagnostics), first_mark = mark;
	bool found = false;

	for_each_ptr(const char *, program, programs) {
		found |= find_libraries(t, library, program, paths);
		if (program == programs->pdata[0])
			first_mark = diagnostics_mark(t->diagnostics);
	}
	diagnostics_rewind(t->diagnostics, found ? mark : first_mark);
	if (!found && programs->len > 1)
		diagnose_others(t, named, programs->len - 1);
	return found;
}

static bool list_programs(struct translation *t, const struct probe_point *point, struct object_list *list)
{
	const struct probe_component *first = component_at(point, 0), *library = library_component(point);
	GPtrArray *programs = arena_ptr_array(t->arena);

	if (!find_programs(t, first, programs))
		return false;
	list->component = library ?: first;
	list->pattern = list->component->argument && list->component->argument->kind == EXPR_STRING
				? list->component->argument->text
				: NULL;
	if (list->pattern && !is_glob(t, list->pattern))
		list->pattern = NULL;
	list->names = library ? arena_ptr_array(t->arena) : programs;
	return !library || find_libraries_of(t, first, library, programs, list->names);
}

static void find_in_object(struct translation *t, const struct probe_point *point, const char *name, find_places *find,
			   void *query, GPtrArray *ret)
{
	struct debuginfo *debuginfo;
	struct error *error = point_is_of_programs(point) ? translation_object(t, name, &debuginfo)
							  : translation_debuginfo(t, name, &debuginfo);

	if (error)
		translation_report(t, &point->location, error);
	else
		find(t, point, debuginfo, query, ret);
}

void find_in_objects(struct translation *t, const struct probe_point *point, find_places *find, void *query,
		     GPtrArray *ret)
{
	struct object_list list = {0};
	size_t mark, first_mark;
	guint before = ret->len;
	bool listed = point_is_of_programs(point) ? list_programs(t, point, &list) : list_modules(t, point, &list);

	if (!listed)
		return;
	first_mark = mark = diagnostics_mark(t->diagnostics);
	for_each_ptr(const char *, name, list.names) {
		find_in_object(t, point, name, find, query, ret);
		if (name == list.names->pdata[0])
			first_mark = diagnostics_mark(t->diagnostics);
	}
	if (!list.pattern)
		return;
	/* With a wildcard, one match in any object is enough. */
	if (ret->len > before) {
		diagnostics_rewind(t->diagnostics, mark);
	} else if (list.names->len > 1 && diagnostics_failed_since(t->diagnostics, mark)) {
		diagnostics_rewind(t->diagnostics, first_mark);
		diagnose_others(t, list.component, list.names->len - 1);
	}
}

/* Return the program of a point with .library, or NULL if the point has no .library or may name several programs. */
static const char *program_of_library(struct translation *t, const struct probe_point *point)
{
	const struct probe_component *first = component_at(point, 0);
	const struct expr *argument = first->argument;

	if (!library_component(point) || !argument || argument->kind != EXPR_STRING || is_glob(t, argument->text))
		return NULL;
	return names_build(t, first) ? find_build(t, first) : find_program(t, argument->text);
}

const struct stp_details *choose_processes(struct translation *t, const struct probe_point *point)
{
	const struct probe_component *first = component_at(point, 0);
	bool is_one = first->argument && first->argument->kind == EXPR_NUMBER;
	const char *program = program_of_library(t, point);
	struct stp_details *details;

	if (!is_one && !options_have_target(t->options) && !program)
		return NULL;
	if (is_one && !names_process(t, first))
		return NULL;
	details = arena_new0(t->arena, struct stp_details);
	details->process = is_one ? (int)first->argument->number : 0;
	details->of_target = options_have_target(t->options) && !is_one;
	details->program = program ? debuginfo_path_there(&t->search, program) : NULL;
	return details;
}

void set_place_text(struct translation *t, struct derived_probe *derived, const char *text)
{
	const char *program = options_listing(t->options) ? program_of_library(t, derived->point) : NULL;

	derived->point_text = text;
	if (program)
		derived->listed_text =
			arena_printf(t->arena, "process(\"%s\").library%s", debuginfo_path_there(&t->search, program),
				     derived->point_text + strlen("process"));
}

const char *program_point_text(struct arena *arena, const char *program, const struct probe_point *point)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(text, "process(\"%s\")", program);
	append_components(text, point, 1);
	return arena_strdup(arena, text->str);
}
