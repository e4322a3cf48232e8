// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where exceptions begin and end in processes that have a program or library: the functions of the runtime libraries of
 * C++ and its like by which all of them go, whatever the language. They are in the object itself if it is linked
 * statically; else in libraries that it needs, or that another one of the process does. A library in C is no
 * reason to look at none: its functions are left by exceptions of what they call back.
 */
#include "translator/probes/places.h"

/*
 * By the interface that all compilers share (Itanium C++ ABI: Exception Handling), with what gcc adds to it. Where the
 * first one is not, as in a C library, others of its kind lead to it.
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

/* What is known of an object, by its path. */
struct unwinders {
	GPtrArray *own; /* of struct unwinder *: those in it */
	GPtrArray *all; /* of processes that have it; NULL: not asked for yet */
	bool are_seen; /* its own exceptions, by these */
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
