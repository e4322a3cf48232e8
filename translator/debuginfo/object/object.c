// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts about an opened object: its names, its kind, and the errors for what its source does not know. */
#include "translator/debuginfo/object/dwarf.h"

#include <fcntl.h>
#include <string.h>

#include "common/release.h"
#include "common/base/i18n.h"
#include "common/elf/compressed.h"
#include "common/elf/elf.h"

struct error *debuginfo_malformed(const struct debuginfo *debuginfo, const char *detail)
{
	struct error *error =
		error_new(ERROR_DEBUGINFO, _("cannot use the debuginfo in %s: %s"), debuginfo->debug.path, detail);

	if (!object_is_kernels(debuginfo->kind))
		return error_with_hint(
			error, _("name a complete program, library or object file for the kernel's architecture"));
	if (debuginfo->kernel.is_self_built)
		return error_with_hint(error, _("rebuild the kernel in %s"), debuginfo->kernel.build_directory);
	if (!release_may_be_fetched(debuginfo->kernel.release))
		return error_with_hint(error, _("reinstall the debug information of kernel %s"),
				       debuginfo->kernel.release);
	if (debuginfo->kind == OBJECT_KERNEL)
		return error_with_hint(error, _("reinstall package linux-image-%s-dbg, or run: stap-vm fetch %s"),
				       debuginfo->kernel.release, debuginfo->kernel.release);
	return error_with_hint(error,
			       _("reinstall the file's package (linux-image-%s-dbg for modules of the kernel package)"),
			       debuginfo->kernel.release);
}

struct span image_bytes(const struct debuginfo *debuginfo, uint64_t start, uint64_t end)
{
	return elf_bytes_at(debuginfo->debug.elf, start, end);
}

/*
 * Return the pointers that the kernel itself stores at its start: address -> pointer. The contents of a vmlinux that is
 * linked as a shared object lack them; its relocations without a symbol have them.
 */
static GHashTable *read_start_pointers(Elf *elf)
{
	GHashTable *pointers = g_hash_table_new(g_direct_hash, g_direct_equal);
	GElf_Shdr header;
	Elf_Scn *section = elf_section_by_name(elf, ".rela.dyn", &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Rela relocation;

	for (int i = 0; data && gelf_getrela(data, i, &relocation); i++)
		if (!GELF_R_SYM(relocation.r_info))
			g_hash_table_insert(pointers, GSIZE_TO_POINTER(relocation.r_offset),
					    GSIZE_TO_POINTER((uint64_t)relocation.r_addend));
	return pointers;
}

uint64_t image_pointer(struct debuginfo *debuginfo, uint64_t address)
{
	struct span bytes = image_bytes(debuginfo, address, address + sizeof(uint64_t));
	uint64_t pointer = 0;

	if (bytes.size)
		memcpy(&pointer, bytes.data, sizeof(pointer));
	if (!bytes.size || pointer)
		return pointer;
	if (!debuginfo->start_pointers)
		debuginfo->start_pointers = read_start_pointers(debuginfo->debug.elf);
	return GPOINTER_TO_SIZE(g_hash_table_lookup(debuginfo->start_pointers, GSIZE_TO_POINTER(address)));
}

void debuginfo_provide(struct debuginfo *debuginfo, const char *section)
{
	if (debuginfo->source->provide)
		debuginfo->source->provide(debuginfo, section);
}

/* ---- names ---- */

const char *debuginfo_module_spelling(struct arena *arena, const char *module)
{
	g_autofree char *name = g_path_get_basename(module);

	if (strchr(module, '/'))
		name[strcspn(name, ".")] = '\0';
	return g_strdelimit(arena_strdup(arena, name), "-", '_');
}

const char *debuginfo_module_name(const struct debuginfo *debuginfo)
{
	return debuginfo->name;
}

const char *debuginfo_module_file(const struct debuginfo *debuginfo)
{
	return debuginfo->named_file;
}

const char *debuginfo_place_name(const struct debuginfo *debuginfo)
{
	return debuginfo->named_file && object_is_kernels(debuginfo->kind) ? debuginfo->named_file : debuginfo->name;
}

const char *debuginfo_build_id(const struct debuginfo *debuginfo)
{
	return debuginfo->build_id;
}

const char *debuginfo_path(const struct debuginfo *debuginfo)
{
	return debuginfo->debug.path;
}

const char *debuginfo_source(const struct debuginfo *debuginfo)
{
	return _(debuginfo->source->title);
}

const struct user_object *debuginfo_user_object(const struct debuginfo *debuginfo)
{
	return debuginfo->object;
}

/* ---- kind ---- */

enum object_kind debuginfo_kind(const struct debuginfo *debuginfo)
{
	return debuginfo->kind;
}

bool object_is_kernels(enum object_kind kind)
{
	return kind == OBJECT_KERNEL || kind == OBJECT_MODULE;
}

enum address_model object_address_model(enum object_kind kind)
{
	static const enum address_model models[OBJECT_KIND_COUNT_] = {
		[OBJECT_KERNEL] = ADDRESS_ABSOLUTE,   [OBJECT_MODULE] = ADDRESS_IN_SECTION,
		[OBJECT_EXECUTABLE] = ADDRESS_BIASED, [OBJECT_LIBRARY] = ADDRESS_BIASED,
		[OBJECT_TYPES] = ADDRESS_IN_SECTION,
	};

	return models[kind];
}

bool debuginfo_has_sections(const struct debuginfo *debuginfo)
{
	return object_address_model(debuginfo->kind) == ADDRESS_IN_SECTION;
}

enum memory_space debuginfo_memory(const struct debuginfo *debuginfo)
{
	return debuginfo->memory;
}

enum memory_space type_memory(const struct type *type)
{
	return type->debuginfo ? type->debuginfo->memory : MEMORY_KERNEL;
}

Elf *debuginfo_code(struct debuginfo *debuginfo)
{
	struct object_file *code = &debuginfo->code;

	if (code->elf || !code->path)
		return code->elf;
	if (debuginfo->debug.elf && strcmp(code->path, debuginfo->debug.path) == 0)
		return debuginfo->debug.elf;
	elf_version(EV_CURRENT);
	if (code->fd < 0)
		code->fd = open(code->path, O_RDONLY | O_CLOEXEC);
	code->elf = code->fd < 0 ? NULL : elf_begin_compressed(&code->fd);
	if (code->elf && elf_kind(code->elf) != ELF_K_ELF)
		g_clear_pointer(&code->elf, elf_end);
	return code->elf;
}

/* ---- what a source does not know ---- */

const struct abi *debuginfo_abi(const struct debuginfo *debuginfo)
{
	const struct abi *abi = debuginfo->kernel.abi;

	return debuginfo->object && debuginfo->object->is_32_bit ? abi->for_32_bit : abi;
}

char *debuginfo_symbols_advice(const struct target_kernel *kernel)
{
	g_autofree char *rpm = release_rpm(kernel->release, "");

	if (kernel->is_self_built)
		return g_strdup_printf(_("build the kernel with debug information: "
					 "CONFIG_DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT=y (or CONFIG_DEBUG_INFO=y before "
					 "5.18), in %s"),
				       kernel->build_directory);
	if (rpm)
		return g_strdup_printf(_("run: dnf debuginfo-install %s"), rpm);
	if (release_is_ubuntu(kernel->release))
		return g_strdup_printf(_("install linux-image-%s-dbgsym from http://ddebs.ubuntu.com"),
				       kernel->release);
	if (!release_may_be_fetched(kernel->release))
		return g_strdup_printf(
			_("install the debug information of kernel %s, or name another kernel: -r RELEASE"),
			kernel->release);
	return g_strdup_printf(_("install linux-image-%s-dbg, or run: stap-vm fetch %s"), kernel->release,
			       kernel->release);
}

struct error *debuginfo_symbols_hint(struct error *error, const struct target_kernel *kernel)
{
	g_autofree char *advice = debuginfo_symbols_advice(kernel);

	return error_with_hint(error, "%s", advice);
}

static const struct {
	unsigned int knowledge;
	const char *message; /* arguments: the source, the kernel or module */
} refusals[] = {
	{KNOWS_TYPES, N_("types, and so variables, are not known: there is only debuginfo of the kind '%s' of %s")},
	{KNOWS_LINES, N_("source files and lines are not known: there is only debuginfo of the kind '%s' of %s")},
	{KNOWS_INLINES, N_("inlined functions are not known: there is only debuginfo of the kind '%s' of %s")},
	{KNOWS_CALLS, N_("the calls of functions are not known: there is only debuginfo of the kind '%s' of %s")},
	{KNOWS_LOCALS, N_("local variables are not known: there is only debuginfo of the kind '%s' of %s")},
};

struct error *debuginfo_require(const struct debuginfo *debuginfo, unsigned int wanted)
{
	unsigned int missing = wanted & ~debuginfo->source->reader->knows;

	for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++) {
		struct error *error;

		if (!(missing & refusals[i].knowledge))
			continue;
		error = error_new(ERROR_DEBUGINFO, _(refusals[i].message), debuginfo_source(debuginfo),
				  debuginfo->name);
		if (debuginfo->object)
			return error_with_hint(error, _("install its debug symbols (PACKAGE-dbgsym), set "
							"DEBUGINFOD_URLS, or build it with -g"));
		if (debuginfo->named_file)
			return error_with_hint(error, _("build it with DWARF (CONFIG_DEBUG_INFO, not stripped)"));
		return debuginfo_symbols_hint(error, &debuginfo->kernel);
	}
	return NULL;
}

struct error *function_require(const struct function *function, unsigned int wanted)
{
	const struct debuginfo *debuginfo = function->debuginfo;
	struct error *error = debuginfo_require(debuginfo, wanted);
	bool is_split;
	Dwarf *dwarf;

	if (error || function->die || !debuginfo->source->reader->is_dwarf)
		return error;
	error = debuginfo_dwarf(function->debuginfo, &dwarf);
	if (error)
		return error;
	is_split = dwarf_missing_parts(function->debuginfo);
	return error_with_hint(error_new(ERROR_DEBUGINFO, _("%s has no debuginfo of function '%s', only its symbol"),
					 debuginfo->name, function->name),
			       is_split ? _("restore the .dwo files to where they were built, or add a .dwp package")
					: _("compile its source file with -g"));
}
