// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening and closing the debuginfo of the kernel, of a module, of a program or library, or of a file with types.
 *
 * Opening only checks that the file is a complete x86-64 ELF file of the right kind and reads its build-id, which takes
 * a few milliseconds. Everything else is read on first use.
 */
#include "translator/debuginfo/dwarf/dwarf.h"
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/object/dwarf.h"
#include "translator/debuginfo/object/user_object.h"
#include "translator/debuginfo/sources/sources.h"

#include <string.h>

#include "common/base/i18n.h"

/* Set the file of a module that the user named by path, because no package installed it. */
static struct error *find_named_file(struct debuginfo *debuginfo, const char *path)
{
	debuginfo->named_file = arena_strdup(debuginfo->arena, path);
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	return error_new(ERROR_LOOKUP, _("module file %s does not exist"), path);
}

static struct debuginfo *debuginfo_new(const struct target_kernel *kernel, const struct debuginfo_search *search,
				       enum object_kind kind, const char *name)
{
	struct arena *arena = arena_new();
	struct debuginfo *debuginfo = arena_new0(arena, struct debuginfo);

	debuginfo->arena = arena;
	debuginfo->kernel = *kernel;
	/* Programs may be opened without a kernel. */
	if (!kernel->abi)
		kernel_set_architecture(&debuginfo->kernel, architecture_of_host());
	debuginfo->search = *search;
	debuginfo->search.cache_directory =
		search->cache_directory ? arena_strdup(arena, search->cache_directory) : NULL;
	debuginfo->kind = kind;
	debuginfo->memory = MEMORY_KERNEL;
	debuginfo->name = arena_strdup(arena, name);
	debuginfo->debug.fd = debuginfo->code.fd = -1;
	debuginfo->sections = g_array_new(FALSE, FALSE, sizeof(struct section));
	debuginfo->types = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->members = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->enumerators = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->call_arguments = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->passing_units = g_hash_table_new(g_direct_hash, g_direct_equal);
	return debuginfo;
}

struct error *debuginfo_open(const struct target_kernel *kernel, const struct debuginfo_search *search,
			     const char *module, struct debuginfo **ret)
{
	bool is_kernel = !module || strcmp(module, "kernel") == 0;
	struct debuginfo *debuginfo =
		debuginfo_new(kernel, search, is_kernel ? OBJECT_KERNEL : OBJECT_MODULE, is_kernel ? "kernel" : module);
	struct error *error = NULL;

	*ret = NULL;
	debuginfo->name = debuginfo_module_spelling(debuginfo->arena, debuginfo->name);
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
	struct debuginfo *other =
		debuginfo_new(&debuginfo->kernel, &debuginfo->search, debuginfo->kind, debuginfo->name);
	struct error *error = source_open_btf(other, found);

	if (error || !*found)
		debuginfo_close(other);
	else
		debuginfo->by_btf = other;
	return error;
}

static struct error *open_object(struct debuginfo *debuginfo, bool must_have_dwarf)
{
	struct error *error = source_open_object(debuginfo, must_have_dwarf);

	if (error)
		return error;
	if (debuginfo->memory == MEMORY_USER)
		debuginfo->kind = user_object_kind(debuginfo);
	if (debuginfo->kind != OBJECT_TYPES)
		debuginfo->object = user_object_read(debuginfo);
	if (!debuginfo->source->reader->is_dwarf)
		return NULL;
	return dwarf_check_shared(debuginfo);
}

struct error *debuginfo_open_types(const struct target_kernel *kernel, const struct debuginfo_search *search,
				   const char *path, const char *name, enum memory_space memory, struct debuginfo **ret)
{
	struct debuginfo *debuginfo = debuginfo_new(kernel, search, OBJECT_TYPES, name);
	struct error *error;

	debuginfo->memory = memory;
	debuginfo->named_file = arena_strdup(debuginfo->arena, path);
	error = open_object(debuginfo, true);
	*ret = error ? NULL : debuginfo;
	if (error)
		debuginfo_close(debuginfo);
	return error;
}

const char *debuginfo_path_there(const struct debuginfo_search *search, const char *path)
{
	const char *there = search->downloaded ? g_hash_table_lookup(search->downloaded, path) : NULL;

	return there ?: sysroot_inside(&search->sysroot, path);
}

struct error *debuginfo_open_object(const struct target_kernel *kernel, const struct debuginfo_search *search,
				    const char *path, struct debuginfo **ret)
{
	struct debuginfo *debuginfo = debuginfo_new(kernel, search, OBJECT_TYPES, debuginfo_path_there(search, path));
	struct error *error;

	debuginfo->memory = MEMORY_USER;
	debuginfo->named_file = arena_strdup(debuginfo->arena, path);
	error = open_object(debuginfo, false);
	if (!error && user_object_has_debug_symbols_alone(debuginfo))
		error = error_with_hint(error_new(ERROR_DEBUGINFO, _("%s has debug symbols only; no process maps it"),
						  path),
					_("name the program or library that they belong to"));
	if (!error && debuginfo->kind == OBJECT_TYPES)
		error = error_with_hint(error_new(ERROR_DEBUGINFO, _("%s is an object file; no process maps it"), path),
					_("name the program or library that it is linked into"));
	*ret = error ? NULL : debuginfo;
	if (error)
		debuginfo_close(debuginfo);
	return error;
}

struct error *debuginfo_open_build_id(const struct target_kernel *kernel, const struct debuginfo_search *search,
				      const char *build_id, struct debuginfo **ret)
{
	struct debuginfo *debuginfo = debuginfo_new(kernel, search, OBJECT_LIBRARY, build_id);
	struct error *error;

	debuginfo->memory = MEMORY_USER;
	debuginfo->build_id = debuginfo->name;
	error = source_open_build_id(debuginfo);
	if (!error) {
		debuginfo->object = user_object_read(debuginfo);
		error = dwarf_check_shared(debuginfo);
	}
	*ret = error ? NULL : debuginfo;
	if (error)
		debuginfo_close(debuginfo);
	return error;
}

void debuginfo_close(struct debuginfo *debuginfo)
{
	if (!debuginfo)
		return;
	debuginfo_close(debuginfo->by_btf);
	index_free(debuginfo->index);
	g_free(debuginfo->functions);
	g_clear_pointer(&debuginfo->by_address, g_array_unref);
	g_clear_pointer(&debuginfo->start_pointers, g_hash_table_unref);
	g_hash_table_unref(debuginfo->types);
	g_hash_table_unref(debuginfo->members);
	g_hash_table_unref(debuginfo->enumerators);
	g_hash_table_unref(debuginfo->call_arguments);
	g_hash_table_unref(debuginfo->passing_units);
	g_array_unref(debuginfo->sections);
	g_clear_pointer(&debuginfo->segments, g_array_unref);
	g_clear_pointer(&debuginfo->restartable, g_array_unref);
	g_clear_pointer(&debuginfo->thread_symbols, g_hash_table_unref);
	code_map_free(debuginfo->code_map);
	dwarf_close(debuginfo);
	close_file(debuginfo);
	arena_free(debuginfo->arena);
}
