// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening and closing the debuginfo of the kernel, of a module, or of a file with types.
 *
 * What is opened is checked to be a whole x86-64 ELF file of the right kind and its build-id is read: a few milliseconds.
 * All else is read when first asked for.
 */
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/object/dwarf.h"
#include "translator/debuginfo/object/executable.h"
#include "translator/debuginfo/sources/sources.h"

#include <string.h>

#include "translator/util/i18n.h"

/* A module that was named by the path of its file: one that no package brought. */
static struct error *find_named_file(struct debuginfo *debuginfo, const char *path)
{
	debuginfo->named_file = arena_strdup(debuginfo->arena, path);
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	return error_new(ERROR_LOOKUP, _("there is no module file %s"), path);
}

static struct debuginfo *debuginfo_new(const struct target_kernel *kernel, const char *module, const char *cache_folder)
{
	struct arena *arena = arena_new();
	struct debuginfo *debuginfo = arena_new0(arena, struct debuginfo);

	debuginfo->arena = arena;
	debuginfo->kernel = *kernel;
	debuginfo->fd = -1;
	debuginfo->cache_folder = cache_folder ? arena_strdup(arena, cache_folder) : NULL;
	debuginfo->sections = g_array_new(FALSE, FALSE, sizeof(struct section));
	debuginfo->types = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->members = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->enumerators = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->passings = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->passing_units = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->module = debuginfo_module_spelling(arena, module);
	debuginfo->is_kernel = strcmp(module, "kernel") == 0;
	return debuginfo;
}

struct error *debuginfo_open(const struct target_kernel *kernel, const char *module, const char *cache_folder,
			     struct debuginfo **ret)
{
	struct debuginfo *debuginfo = debuginfo_new(kernel, module ? module : "kernel", cache_folder);
	struct error *error = NULL;

	*ret = NULL;
	if (module && strchr(module, '/'))
		error = find_named_file(debuginfo, module);
	error = error ?: source_open(debuginfo);
	if (error) {
		debuginfo_close(debuginfo);
		return error;
	}
	*ret = debuginfo;
	return NULL;
}

struct error *debuginfo_open_btf(struct debuginfo *debuginfo, bool *found)
{
	struct debuginfo *other = debuginfo_new(&debuginfo->kernel, debuginfo->module, debuginfo->cache_folder);
	struct error *error = source_open_btf(other, found);

	if (error || !*found)
		debuginfo_close(other);
	else
		debuginfo->by_btf = other;
	return error;
}

struct error *debuginfo_open_types(const struct target_kernel *kernel, const char *path, const char *name, bool is_user,
				   const char *cache_folder, struct debuginfo **ret)
{
	struct debuginfo *debuginfo = debuginfo_new(kernel, path, cache_folder);
	struct error *error;

	*ret = NULL;
	debuginfo->is_types = true;
	debuginfo->module = arena_strdup(debuginfo->arena, name);
	debuginfo->is_user = is_user;
	debuginfo->named_file = debuginfo->path = arena_strdup(debuginfo->arena, path);
	error = source_open_types(debuginfo);
	if (error) {
		debuginfo_close(debuginfo);
		return error;
	}
	debuginfo->dwarf_sample = index_dwarf_sample(debuginfo->elf);
	if (is_user && !debuginfo_is_relocatable(debuginfo))
		debuginfo->program = program_read(debuginfo);
	*ret = debuginfo;
	return NULL;
}

void debuginfo_close(struct debuginfo *debuginfo)
{
	if (!debuginfo)
		return;
	debuginfo_close(debuginfo->by_btf);
	index_free(debuginfo->index);
	g_free(debuginfo->functions);
	g_hash_table_unref(debuginfo->types);
	g_hash_table_unref(debuginfo->members);
	g_hash_table_unref(debuginfo->enumerators);
	g_hash_table_unref(debuginfo->passings);
	g_hash_table_unref(debuginfo->passing_units);
	g_array_unref(debuginfo->sections);
	dwarf_close(debuginfo);
	close_file(debuginfo);
	arena_free(debuginfo->arena);
}
