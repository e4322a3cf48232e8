// SPDX-License-Identifier: GPL-2.0-or-later
/* The libraries of a program with open debuginfo. */
#include "common/elf/program_libraries.h"
#include "translator/debuginfo/object/object.h"

static struct library_search search_for(const struct debuginfo *debuginfo)
{
	return (struct library_search){
		.arena = debuginfo->arena,
		.sysroot = &debuginfo->search.sysroot,
		.facts = debuginfo->search.facts,
	};
}

static void add_paths(const GPtrArray *found, GPtrArray *ret)
{
	for_each_ptr(const struct library *, library, found)
		g_ptr_array_add(ret, (gpointer)library->path);
}

struct error *debuginfo_libraries(struct debuginfo *debuginfo, GPtrArray *ret)
{
	const struct library_search search = search_for(debuginfo);
	g_autoptr(GPtrArray) found = g_ptr_array_new(), paths = g_ptr_array_new();

	program_libraries(&search, debuginfo_code(debuginfo), debuginfo->object->real_path, found);
	add_paths(found, paths);
	g_ptr_array_sort(paths, compare_strings);
	g_ptr_array_extend(ret, paths, NULL, NULL);
	return NULL;
}

void debuginfo_find_libraries(struct debuginfo *debuginfo, const char *const *names, GPtrArray *ret)
{
	const struct library_search search = search_for(debuginfo);
	g_autoptr(GPtrArray) found = g_ptr_array_new();

	program_find_libraries(&search, debuginfo_code(debuginfo), debuginfo->object->real_path, names, found);
	add_paths(found, ret);
}
