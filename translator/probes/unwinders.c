// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find the functions by which exceptions begin and end in processes that map a program or library.
 *
 * All exceptions, in any language, pass through a few functions of the runtime libraries (libgcc_s, libunwind…). These
 * are in the object itself if it is linked statically, else in libraries that it or other objects of the process need.
 * C libraries need them too, because exceptions of their callbacks unwind their functions.
 */
#include "translator/probes/function_probes.h"
#include "translator/probes/unwinders.h"

/*
 * The interface that all compilers share (Itanium C++ ABI: Exception Handling), and gcc's additions. If an object lacks
 * the first function, its other beginning functions are only wrappers of those in another object, and are ignored.
 */
static const struct {
	const char *name;
	bool ends;
} functions[] = {
	{"_Unwind_RaiseException", false}, {"_Unwind_ForcedUnwind", false}, {"_Unwind_Resume_or_Rethrow", false},
	{"_Unwind_Resume", false},	   {"__cxa_begin_catch", true},
};

static const char *const libraries[] = {"libgcc_s.so.1", "libstdc++.so.6", "libunwind.so.1", "libc++abi.so.1", NULL};

static void add_function(GPtrArray *found, struct translation *t, struct debuginfo *debuginfo, unsigned int i)
{
	struct unwinder *unwinder = arena_new0(t->arena, struct unwinder);
	struct error *error = debuginfo_symbol_address(debuginfo, functions[i].name, &unwinder->address);
	uint64_t offset;

	if (!error && (found->len || i == 0 || functions[i].ends) &&
	    debuginfo_file_offset(debuginfo, unwinder->address.value, &offset)) {
		unwinder->debuginfo = debuginfo;
		unwinder->name = functions[i].name;
		unwinder->ends = functions[i].ends;
		g_ptr_array_add(found, unwinder);
	}
	error_free(error);
}

/* The unwinders of one object; a value of translation.unwinders_by_object. */
struct unwinders {
	GPtrArray *own; /* of struct unwinder *: those in the object */
	GPtrArray *all; /* those in processes that map it; NULL: not searched yet */
	bool are_seen; /* whether `all` sees the object's own exceptions */
};

static struct unwinders *unwinders_in(struct translation *t, const char *path)
{
	struct unwinders *unwinders = g_hash_table_lookup(t->unwinders_by_object, path);
	struct debuginfo *debuginfo;
	struct error *error;

	if (unwinders)
		return unwinders;
	unwinders = arena_new0(t->arena, struct unwinders);
	unwinders->own = arena_ptr_array(t->arena);
	g_hash_table_insert(t->unwinders_by_object, (gpointer)arena_strdup(t->arena, path), unwinders);
	error = translation_object(t, path, &debuginfo);
	for (unsigned int i = 0; !error && i < G_N_ELEMENTS(functions); i++)
		add_function(unwinders->own, t, debuginfo, i);
	error_free(error);
	return unwinders;
}

static bool begins_exceptions(const struct unwinders *unwinders)
{
	return unwinders->own->len && !((const struct unwinder *)unwinders->own->pdata[0])->ends;
}

bool is_unwinder(struct translation *t, struct debuginfo *debuginfo)
{
	return begins_exceptions(unwinders_in(t, debuginfo_user_object(debuginfo)->path));
}

static void add_missing(const GPtrArray *from, GPtrArray *to)
{
	for_each_ptr(struct unwinder *, unwinder, from) {
		if (!g_ptr_array_find(to, unwinder, NULL))
			g_ptr_array_add(to, unwinder);
	}
}

static bool is_unwinder_library(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);

	return g_strv_contains(libraries, base);
}

static void find_all(struct translation *t, struct debuginfo *debuginfo, struct unwinders *unwinders)
{
	g_autoptr(GPtrArray) needed = g_ptr_array_new(), others = g_ptr_array_new();

	unwinders->all = arena_ptr_array(t->arena);
	add_missing(unwinders->own, unwinders->all);
	unwinders->are_seen = begins_exceptions(unwinders);
	error_free(debuginfo_libraries(debuginfo, needed));
	for_each_ptr(const char *, path, needed) {
		const struct unwinders *other = is_unwinder_library(path) ? unwinders_in(t, path) : NULL;

		if (other) {
			add_missing(other->own, unwinders->all);
			unwinders->are_seen |= begins_exceptions(other);
		}
	}
	debuginfo_find_libraries(debuginfo, libraries, others);
	for_each_ptr(const char *, path, others)
		add_missing(unwinders_in(t, path)->own, unwinders->all);
}

bool find_unwinders(struct translation *t, struct debuginfo *debuginfo, GPtrArray *ret)
{
	struct unwinders *unwinders = unwinders_in(t, debuginfo_user_object(debuginfo)->path);

	if (!unwinders->all)
		find_all(t, debuginfo, unwinders);
	if (ret)
		add_missing(unwinders->all, ret);
	return unwinders->are_seen;
}
