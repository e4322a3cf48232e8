// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an unknown function may be. Some functions of the kernel are known under other names: system calls by the names
 * that they had before 4.17, functions that the kernel has renamed (translator/renames/). Others are in modules or in a
 * program's libraries, or have a similar name.
 */
#include "translator/probes/suggest_functions.h"

#include "common/base/i18n.h"
#include "common/elf/elf.h"
#include "common/nearest.h"
#include "translator/lowering/lowering.h"
#include "translator/probes/syscall_rows.h"
#include "translator/renames/renames.h"

static const char *const syscall_prefixes[] = {"sys_",	    "SyS_",	  "SYSC_",	 "__se_sys_",
					       "__do_sys_", "__x64_sys_", "__arm64_sys_"};

/* Where a system call may be implemented; %s is its name. */
static const char *const implementations[] = {"__x64_sys_%s", "__arm64_sys_%s", "do_sys_%sat2", "ksys_%s",
					      "do_sys_%s",    "do_%s",		"vfs_%s"};

static bool has_function(struct debuginfo *debuginfo, const char *name)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct function_query query = {.name = name};

	error_free(debuginfo_functions(debuginfo, &query, found));
	return found->len > 0;
}

static void add_name(struct translation *t, struct debuginfo *debuginfo, const char *name, GPtrArray *names)
{
	if (has_function(debuginfo, name))
		g_ptr_array_add(names, arena_strdup(t->arena, name));
}

static bool is_syscall_name(const char *name)
{
	for (int i = 0; i < syscall_row_count; i++)
		if (!strcmp(syscall_rows[i].alias, name))
			return true;
	return false;
}

/* Return the name of the system call that a function implemented, or NULL. */
static const char *call_of(const char *function)
{
	for (size_t i = 0; i < G_N_ELEMENTS(syscall_prefixes); i++) {
		const char *call = function + strlen(syscall_prefixes[i]);

		if (g_str_has_prefix(function, syscall_prefixes[i]) && is_syscall_name(call))
			return call;
	}
	return NULL;
}

static bool suggest_syscall(struct translation *t, struct debuginfo *debuginfo, const char *function)
{
	const char *call = call_of(function);
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	if (!call)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(implementations); i++) {
		g_autoptr(GString) name = g_string_new(implementations[i]);

		g_string_replace(name, "%s", call, 1);
		if (strcmp(name->str, function))
			add_name(t, debuginfo, name->str, names);
	}
	if (names->len)
		diagnose_hint(t->diagnostics, _("probe the system call: syscall.%s; or a function: %s"), call,
			      diagnose_names(t->diagnostics, names));
	else
		diagnose_hint(t->diagnostics, _("probe the system call: syscall.%s"), call);
	return true;
}

static bool suggest_successor(struct translation *t, struct debuginfo *debuginfo, const char *function)
{
	const struct function_rename *row = function_rename(function);
	g_auto(GStrv) successors = g_strsplit(row ? row->successors : "", " ", -1);
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (char **name = successors; *name; name++)
		add_name(t, debuginfo, *name, names);
	if (names->len)
		diagnose_hint(t->diagnostics, _("this kernel has instead: %s"), diagnose_names(t->diagnostics, names));
	return names->len > 0;
}

/*
 * The function of a system call, by architecture; %s is its name. Only the first has the call's parameters, and it does
 * not exist everywhere for calls that have none. The others have the registers.
 */
static const char *const entries[] = {"__do_sys_%s", "__x64_sys_%s", "__arm64_sys_%s"};
enum { FIRST_WITH_REGISTERS = 1 };

/* Find the first of the functions that the query's form allows. */
static struct error *find_first(struct debuginfo *debuginfo, const struct function_query *query, char *const *names,
				GPtrArray *found)
{
	struct error *error = NULL;

	for (char *const *name = names; *name && !error && !found->len; name++) {
		struct function_query renamed = *query;

		renamed.name = *name;
		error = debuginfo_functions(debuginfo, &renamed, found);
	}
	return error;
}

static struct error *find_entry(struct debuginfo *debuginfo, const struct function_query *query, const char *call,
				GPtrArray *found)
{
	const bool has_registers = g_str_has_prefix(query->name, "__x64_") || g_str_has_prefix(query->name, "__arm64_");
	const size_t first = has_registers ? FIRST_WITH_REGISTERS : 0;
	g_auto(GStrv) names = g_new0(char *, G_N_ELEMENTS(entries) + 1);

	for (size_t i = first; i < G_N_ELEMENTS(entries); i++) {
		g_autoptr(GString) name = g_string_new(entries[i]);

		g_string_replace(name, "%s", call, 1);
		names[i - first] = g_strdup(name->str);
	}
	return find_first(debuginfo, query, names, found);
}

static void warn_renamed(struct translation *t, const struct probe_point *point, const char *old, const char *release,
			 const struct function *function)
{
	if (release)
		diagnose(t->diagnostics, WARNING, &point->location,
			 _("kernel %s has no function '%s' since Linux %s: this probes '%s'"), t->kernel.release, old,
			 release, function->name);
	else
		diagnose(t->diagnostics, WARNING, &point->location,
			 _("kernel %s has no function '%s': this probes '%s'"), t->kernel.release, old, function->name);
}

struct error *find_renamed_functions(struct translation *t, const struct probe_point *point,
				     struct debuginfo *debuginfo, const struct function_query *query, GPtrArray *found)
{
	const struct function_rename *row = function_rename(query->name);
	bool is_old = g_str_has_prefix(query->name, "sys_") || g_str_has_prefix(query->name, "SyS_");
	/* Names of functions that are on some architectures only. */
	bool is_elsewhere = g_str_has_prefix(query->name, "__x64_sys_") ||
			    g_str_has_prefix(query->name, "__arm64_sys_") || g_str_has_prefix(query->name, "__do_sys_");
	const char *call = is_old || is_elsewhere ? call_of(query->name) : NULL;
	g_auto(GStrv) successors = NULL;
	struct error *error;

	if (point->optional || point->sufficient || !renames_apply(t) || debuginfo_memory(debuginfo) != MEMORY_KERNEL ||
	    !(call || (row && row->is_same)))
		return NULL;
	successors = g_strsplit(row ? row->successors : "", " ", -1);
	error = call ? find_entry(debuginfo, query, call, found) : find_first(debuginfo, query, successors, found);
	if (error || !found->len)
		return error;
	warn_renamed(t, point, query->name,
		     is_old	    ? "4.17"
		     : is_elsewhere ? NULL
				    : row->release,
		     g_ptr_array_index(found, 0));
	if (call)
		suggest_syscall(t, debuginfo, query->name);
	return NULL;
}

/* Return the length of the common beginning of a function's and a module's name, if it ends with a word of either. */
static size_t common_beginning(const char *function, const char *module)
{
	size_t length = 0;

	while (function[length] && function[length] == module[length])
		length++;
	return length >= 3 && (!module[length] || module[length] == '_' || !g_ascii_isalpha(function[length])) ? length
													       : 0;
}

struct likely_module {
	const char *name;
	size_t fit;
};

static gint compare_fit(gconstpointer a, gconstpointer b)
{
	const struct likely_module *x = a, *y = b;

	return x->fit != y->fit ? (x->fit < y->fit) - (x->fit > y->fit) : strcmp(x->name, y->name);
}

static bool module_has_function(struct translation *t, const char *module, const char *function)
{
	struct debuginfo *debuginfo;
	struct error *error = translation_debuginfo(t, module, &debuginfo);
	bool has_one = !error && has_function(debuginfo, function);

	error_free(error);
	return has_one;
}

/* Opening a module takes milliseconds. */
enum { MOST_MODULES = 6 };

/* Return the module of a function, of the few whose names are similar. Functions that are only inlined count, too. */
static const char *likely_module(struct translation *t, const char *function)
{
	g_autoptr(GArray) likely = g_array_new(FALSE, FALSE, sizeof(struct likely_module));
	const char *plain = function + strspn(function, "_");
	GPtrArray *names = NULL;

	error_free(debuginfo_module_names(&t->kernel, t->arena, "*", &names));
	for_each_ptr(const char *, name, names) {
		struct likely_module module = {name, common_beginning(plain, name)};

		if (module.fit)
			g_array_append_val(likely, module);
	}
	g_array_sort(likely, compare_fit);
	for (guint i = 0; i < likely->len && i < MOST_MODULES; i++) {
		const char *name = g_array_index(likely, struct likely_module, i).name;

		if (module_has_function(t, name, function))
			return name;
	}
	return NULL;
}

/* Return the module that has such a symbol. */
static const char *module_with_symbol(struct translation *t, const char *function)
{
	const char *module = debuginfo_module_with_function(&t->kernel, function);

	return module && module_has_function(t, module, function) ? module : NULL;
}

const char *module_with_function(struct translation *t, const char *function)
{
	return likely_module(t, function) ?: module_with_symbol(t, function);
}

/* Hint at the kernel, for a function that was searched in a module. */
static bool suggest_kernel(struct translation *t, const struct debuginfo *module, const char *function)
{
	struct debuginfo *kernel;
	struct error *error;

	if (debuginfo_kind(module) != OBJECT_MODULE)
		return false;
	error = translation_debuginfo(t, "kernel", &kernel);
	if (error || !has_function(kernel, function)) {
		error_free(error);
		return false;
	}
	diagnose_hint(t->diagnostics, _("it is in the kernel: kernel.function(\"%s\")"), function);
	return true;
}

/*
 * Hint at the library of a program that has the function. The dynamic loader has its own copies, such as malloc. Only
 * symbol tables are read, because the debug information of all libraries of a program may take seconds to index.
 */
static bool suggest_library(struct translation *t, struct debuginfo *program, const char *function)
{
	g_autoptr(GPtrArray) libraries = g_ptr_array_new();

	error_free(debuginfo_libraries(program, libraries));
	for_each_ptr(const char *, path, libraries) {
		g_autofree char *name = g_path_get_basename(path);

		if (g_str_has_prefix(name, "ld-") || !elf_file_has_function(path, function))
			continue;
		diagnose_hint(t->diagnostics, _("it is in a library: process(\"%s\").library(\"%s\").function(\"%s\")"),
			      debuginfo_module_name(program), name, function);
		return true;
	}
	return false;
}

/*
 * Hint at a function that the kernel has under another name or in a module, or that a library of the program has.
 * Return false if none is known.
 */
static bool suggest_known_function(struct translation *t, struct debuginfo *debuginfo, const char *function)
{
	const char *module;

	if (strpbrk(function, "*?[."))
		return false;
	if (debuginfo_memory(debuginfo) == MEMORY_USER)
		return suggest_library(t, debuginfo, function);
	if (suggest_syscall(t, debuginfo, function) || suggest_successor(t, debuginfo, function) ||
	    suggest_kernel(t, debuginfo, function))
		return true;
	module = module_with_function(t, function);
	if (!module || !strcmp(module, debuginfo_module_name(debuginfo)))
		return false;
	diagnose_hint(t->diagnostics, _("it is in a module: module(\"%s\").function(\"%s\")"), module, function);
	return true;
}

/* ---- files and names that are near ------------------------------------------------------------------------------- */

/* Return the end of a path that has as many components as @like. */
static const char *path_end(const char *path, const char *like)
{
	const char *end = path + strlen(path);
	int slashes = 0;

	for (const char *c = like; *c; c++)
		slashes += *c == '/';
	while (end > path && (end[-1] != '/' || slashes-- > 0))
		end--;
	return end;
}

static size_t common_length(const char *a, const char *b)
{
	size_t length = 0;

	while (a[length] && a[length] == b[length])
		length++;
	return length;
}

static gint compare_beginnings(gconstpointer a, gconstpointer b, gpointer file)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t x_length = common_length(x, file), y_length = common_length(y, file);

	return x_length != y_length ? (x_length < y_length) - (x_length > y_length) : strcmp(x, y);
}

// If a file was split into a directory ("kernel/sched.c" into "kernel/sched/core.c" and others), return "DIRECTORY/*".
static const char *split_file(struct arena *arena, const GPtrArray *names, const char *file)
{
	const char *suffix = g_str_has_suffix(file, ".c") ? file + strlen(file) - 2 : NULL;
	const char *directory = suffix ? arena_printf(arena, "%.*s/", (int)(suffix - file), file) : NULL;

	for_each_ptr(const char *, name, names)
		if (directory && name && g_str_has_prefix(name, directory))
			return arena_printf(arena, "%s*", directory);
	return NULL;
}

/* Hint at files of the same name in other directories, nearest first, and at the parts of a file that was split. */
static bool suggest_moved_file(struct translation *t, const GPtrArray *names, const char *file)
{
	enum { MOST_FILES = 5 };
	g_autofree char *base = g_path_get_basename(file);
	g_autoptr(GPtrArray) moved = g_ptr_array_new();
	const char *split = split_file(t->arena, names, file);

	for_each_ptr(const char *, name, names) {
		const char *slash = name ? strrchr(name, '/') : NULL;

		if (slash && !strcmp(slash + 1, base) &&
		    !g_ptr_array_find_with_equal_func(moved, name, g_str_equal, NULL))
			g_ptr_array_add(moved, (void *)name);
	}
	g_ptr_array_sort_with_data(moved, compare_beginnings, (gpointer)file);
	if (split)
		g_ptr_array_insert(moved, 0, (gpointer)split);
	if (!moved->len)
		return false;
	g_ptr_array_set_size(moved, (gint)MIN(moved->len, MOST_FILES));
	diagnose_hint(t->diagnostics, _("no file '%s' has functions; did you mean: %s"), file,
		      diagnose_names(t->diagnostics, moved));
	return true;
}

/* Hint at files with names near @file. Return false if the file exists. */
static bool suggest_files(struct translation *t, struct debuginfo *debuginfo, const char *file)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new(), ends = g_ptr_array_new(), found = g_ptr_array_new();
	struct function_query all = {.name = "*", .file = file};
	const GPtrArray *near;

	error_free(debuginfo_functions(debuginfo, &all, found));
	if (found->len)
		return false;
	error_free(debuginfo_file_names(debuginfo, names));
	if (suggest_moved_file(t, names, file))
		return true;
	for_each_ptr(const char *, name, names)
		if (name)
			g_ptr_array_add(ends, (void *)path_end(name, file));
	near = nearest_matches(t->arena, file, ends, "", 5);
	if (near)
		diagnose_hint(t->diagnostics, _("no file '%s' has functions; did you mean: %s"), file,
			      diagnose_names(t->diagnostics, near));
	else
		diagnose_hint(t->diagnostics, _("no file '%s' has functions"), file);
	return true;
}

static void suggest_near_names(struct translation *t, struct debuginfo *debuginfo, const char *function)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *near;

	error_free(debuginfo_function_names(debuginfo, names));
	near = nearest_matches(t->arena, function, names, "", 5);
	if (near)
		diagnose_near(t->diagnostics, near);
}

/* Data of a late hint about an unknown function. */
struct absent_function {
	struct translation *t;
	struct debuginfo *debuginfo;
	const char *name, *file;
};

static void suggest_now(void *data)
{
	const struct absent_function *absent = data;

	if (!suggest_known_function(absent->t, absent->debuginfo, absent->name) &&
	    !(absent->file && suggest_files(absent->t, absent->debuginfo, absent->file)))
		suggest_near_names(absent->t, absent->debuginfo, absent->name);
}

void suggest_functions(struct translation *t, struct debuginfo *debuginfo, const char *name, const char *file)
{
	struct absent_function *absent = arena_new0(t->arena, struct absent_function);

	*absent = (struct absent_function){t, debuginfo, arena_strdup(t->arena, name),
					   file ? arena_strdup(t->arena, file) : NULL};
	diagnose_hint_late(t->diagnostics, suggest_now, absent);
}
