// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions of the kernel that are known under other names: system calls by the names that they had before 4.17,
 * functions that the kernel has renamed, and functions of modules. Only called for the hint of an error.
 */
#include "translator/probes/suggest_functions.h"

#include "common/base/i18n.h"
#include "translator/probes/syscall_rows.h"

/* Renamed or replaced, with the successors; those that the kernel has are suggested. */
static const struct {
	const char *old, *successors;
} renamed[] = {
	{"_do_fork", "kernel_clone"},
	{"__do_page_fault", "handle_mm_fault exc_page_fault"},
	{"add_to_page_cache_lru", "filemap_add_folio __filemap_add_folio"},
	{"account_page_dirtied", "folio_account_dirtied"},
	{"blk_account_io_completion", "blk_account_io_done"},
	{"do_execve", "do_execveat_common bprm_execve"},
	{"do_fork", "kernel_clone"},
	{"do_page_fault", "handle_mm_fault exc_page_fault"},
	{"do_sync_read", "new_sync_read"},
	{"do_sync_write", "new_sync_write"},
	{"do_sys_open", "do_sys_openat2"},
	{"generic_make_request", "submit_bio_noacct"},
	{"mark_page_accessed", "folio_mark_accessed"},
	{"signal_wake_up", "signal_wake_up_state"},
	{"vfs_fstat", "vfs_fstatat vfs_statx"},
	{"vfs_stat", "vfs_statx"},
};

static const char *const syscall_prefixes[] = {"sys_", "SyS_", "SYSC_", "__se_sys_", "__do_sys_", "__x64_sys_"};

/* Where a system call may be implemented; %s is its name. */
static const char *const implementations[] = {"__x64_sys_%s", "do_sys_%sat2", "ksys_%s",
					      "do_sys_%s",    "do_%s",	      "vfs_%s"};

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
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(renamed); i++) {
		g_auto(GStrv) successors = g_strsplit(renamed[i].successors, " ", -1);

		for (char **name = successors; *name && !strcmp(renamed[i].old, function); name++)
			add_name(t, debuginfo, *name, names);
	}
	if (names->len)
		diagnose_hint(t->diagnostics, _("this kernel has instead: %s"), diagnose_names(t->diagnostics, names));
	return names->len > 0;
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

const char *module_with_function(struct translation *t, const char *function)
{
	enum { MOST_MODULES = 6 };
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
		struct debuginfo *debuginfo;
		struct error *error = translation_debuginfo(t, name, &debuginfo);

		if (!error && has_function(debuginfo, function))
			return name;
		error_free(error);
	}
	return NULL;
}

bool suggest_known_function(struct translation *t, struct debuginfo *debuginfo, const char *function)
{
	const char *module;

	if (debuginfo_memory(debuginfo) != MEMORY_KERNEL || strpbrk(function, "*?[."))
		return false;
	if (suggest_syscall(t, debuginfo, function) || suggest_successor(t, debuginfo, function))
		return true;
	module = module_with_function(t, function);
	if (!module || !strcmp(module, debuginfo_module_name(debuginfo)))
		return false;
	diagnose_hint(t->diagnostics, _("it is in a module: module(\"%s\").function(\"%s\")"), module, function);
	return true;
}
