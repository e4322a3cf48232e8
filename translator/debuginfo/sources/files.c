// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sources that are files: DWARF in vmlinux or a module's files; without DWARF, BTF or symbols in the same files or
 * in the boot image.
 *
 * A file is checked to be a complete ELF file for the kernel's machine and of the right kind before anything is read
 * from it.
 */
#include "translator/debuginfo/btf/btf.h"
#include "translator/debuginfo/kernel/kernel.h"
#include "translator/debuginfo/object/mini.h"
#include "translator/debuginfo/object/object.h"
#include "translator/debuginfo/sources/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/elf/compressed.h"
#include "common/nearest.h"

bool has_dwarf(Elf *elf)
{
	return elf_has_contents(elf, ".debug_info") || elf_has_contents(elf, ".zdebug_info");
}

/*
 * Has dwz moved DWARF to a file that cannot be read? For programs and libraries, the other file of dwz -m is read as
 * well (object/parts.c). For dwz -5 (.debug_sup) it is not, because libdw resolves a reference to that file in this
 * one.
 */
static bool lacks_parts(const struct debuginfo *debuginfo)
{
	GElf_Shdr header;

	return elf_section_by_name(debuginfo->debug.elf, ".debug_sup", &header) ||
	       (object_is_kernels(debuginfo->kind) &&
		elf_section_by_name(debuginfo->debug.elf, ".gnu_debugaltlink", &header));
}

struct error *check_dwarf(const struct debuginfo *debuginfo)
{
	struct error *error;

	if (!lacks_parts(debuginfo))
		return NULL;
	error = error_new(ERROR_DEBUGINFO,
			  _("cannot use the debuginfo in %s: dwz has moved parts of it to another file"),
			  debuginfo->debug.path);
	return error_with_hint(error, _("install debug symbols that were not processed by dwz"));
}

static const char *expected(struct debuginfo *debuginfo, const char *format)
{
	return arena_printf(debuginfo->arena, format, debuginfo->kernel.architecture->machine);
}

static const char *check_header(struct debuginfo *debuginfo)
{
	const struct architecture *architecture = debuginfo->kernel.architecture;
	GElf_Ehdr header;

	if (elf_kind(debuginfo->debug.elf) != ELF_K_ELF || !gelf_getehdr(debuginfo->debug.elf, &header))
		return _("it is not an ELF file");
	if (header.e_ident[EI_CLASS] == ELFCLASS32 && header.e_machine == architecture->elf_machine_32 &&
	    header.e_machine != EM_NONE && debuginfo->memory == MEMORY_USER)
		return NULL;
	if (header.e_ident[EI_CLASS] != ELFCLASS64)
		return expected(debuginfo, _("it is for a 32-bit machine, expected %s"));
	if (header.e_ident[EI_DATA] != ELFDATA2LSB)
		return expected(debuginfo, _("it is for a big-endian machine, expected %s"));
	if (header.e_machine != architecture->elf_machine)
		return expected(debuginfo, _("it is for another machine, expected %s"));
	if (debuginfo->kind == OBJECT_KERNEL && header.e_type == ET_REL)
		return _("it is an object file, not a linked kernel");
	if (!object_is_kernels(debuginfo->kind))
		return header.e_type == ET_CORE ? _("it is a core dump") : NULL;
	if (debuginfo->kind != OBJECT_KERNEL && header.e_type != ET_REL)
		return _("it is not a kernel module (not a relocatable file)");
	return NULL;
}

static struct error *check_file(struct debuginfo *debuginfo)
{
	const char *detail = check_header(debuginfo);

	if (!detail)
		detail = elf_check_sections(debuginfo->debug.elf);
	return detail ? debuginfo_malformed(debuginfo, detail) : NULL;
}

static struct error *module_mismatch(const struct debuginfo *debuginfo, const char *build_id)
{
	return error_new(ERROR_DEBUGINFO,
			 _("the debuginfo %s (build-id %s) does not belong to the module %s (build-id %s)"),
			 debuginfo->debug.path, debuginfo->build_id, debuginfo->code.path, build_id);
}

/* Check that the .ko and its debug file come from the same build. libdwelf reads compressed modules. */
static struct error *check_module_match(const struct debuginfo *debuginfo)
{
	g_autofree char *build_id = NULL;

	if (!debuginfo->code.path || strcmp(debuginfo->code.path, debuginfo->debug.path) == 0)
		return NULL;
	/* If the .ko is unreadable, or its compression unknown to elfutils, trust the debug file. */
	build_id = elf_file_build_id(debuginfo->code.path);
	if (!build_id || strcmp(build_id, debuginfo->build_id) == 0)
		return NULL;
	if (debuginfo->kernel.is_self_built)
		return error_with_hint(module_mismatch(debuginfo, build_id), _("rebuild the module in %s"),
				       debuginfo->kernel.build_directory);
	return error_with_hint(module_mismatch(debuginfo, build_id),
			       _("install the debug symbols of exactly this build: package linux-image-%s-dbg"),
			       debuginfo->kernel.release);
}

static struct error *read_build_id(struct debuginfo *debuginfo)
{
	g_autofree char *build_id = elf_build_id(debuginfo->debug.elf);

	if (!build_id && object_is_kernels(debuginfo->kind))
		return debuginfo_malformed(debuginfo, _("it has no build-id"));
	debuginfo->build_id = arena_strdup(debuginfo->arena, build_id ?: "");
	return NULL;
}

struct error *open_elf(struct debuginfo *debuginfo)
{
	debuginfo->debug.fd = open(debuginfo->debug.path, O_RDONLY | O_CLOEXEC);
	if (debuginfo->debug.fd < 0) {
		int why = errno;

		return debuginfo_malformed(debuginfo, g_strerror(why));
	}
	elf_version(EV_CURRENT);
	/* A vmlinux is never compressed. */
	debuginfo->debug.elf = debuginfo->kind == OBJECT_KERNEL ? elf_begin(debuginfo->debug.fd, ELF_C_READ_MMAP, NULL)
								: elf_begin_compressed(&debuginfo->debug.fd);
	if (!debuginfo->debug.elf)
		return debuginfo_malformed(debuginfo, _("it is not an ELF file"));
	return check_file(debuginfo);
}

static struct error *open_file(struct debuginfo *debuginfo)
{
	struct error *error = open_elf(debuginfo);

	if (error)
		return error;
	debuginfo_read_sections(debuginfo, debuginfo->debug.elf);
	error = read_build_id(debuginfo);
	return error ?: check_module_match(debuginfo);
}

void object_file_close(struct object_file *file)
{
	elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	file->elf = NULL;
	file->fd = -1;
}

void close_file(struct debuginfo *debuginfo)
{
	if (debuginfo->source && debuginfo->source->close)
		debuginfo->source->close(debuginfo);
	object_file_close(&debuginfo->debug);
	object_file_close(&debuginfo->code);
	mini_close(debuginfo);
	image_free(debuginfo->image);
	debuginfo->image = NULL;
	debuginfo->symbol_file = NULL;
}

/* ---- opening ---- */

static struct error *no_module_error(const struct debuginfo *debuginfo)
{
	const char *release = debuginfo->kernel.release;
	const GPtrArray *near = NULL;
	struct error *error;
	GPtrArray *names;

	if (kernel_has_built_in(&debuginfo->kernel, debuginfo->name))
		return error_with_hint(error_new(ERROR_LOOKUP, _("'%s' is not a module of kernel %s, but built in"),
						 debuginfo->name, release),
				       _("probe its functions as kernel.function(\"...\")"));
	error = debuginfo_module_names(&debuginfo->kernel, debuginfo->arena, "*", &names);
	if (!error)
		near = nearest_matches(debuginfo->arena, debuginfo->name, names, "", 5);
	error_free(error);
	error = error_new(ERROR_LOOKUP, _("kernel %s has no module '%s'"), release, debuginfo->name);
	if (near)
		return error_with_names(error, debuginfo->arena, near);
	return error_with_hint(error, _("list the modules with: stap -l 'module(\"*\").function(\"*init*\")'"));
}

/* Set the paths of the files to open. They stay NULL for a kernel without vmlinux. */
static struct error *find_file(struct debuginfo *debuginfo)
{
	const char *debug;

	if (debuginfo->named_file) {
		debuginfo->debug.path = debuginfo->code.path = debuginfo->named_file;
		return NULL;
	}
	if (debuginfo->kind == OBJECT_KERNEL) {
		debuginfo->debug.path = debuginfo->code.path = debuginfo->kernel.vmlinux;
		return NULL;
	}
	kernel_module_files(&debuginfo->kernel, debuginfo->arena, debuginfo->name, &debuginfo->code.path, &debug);
	debuginfo->debug.path = debug ?: debuginfo->code.path;
	if (debuginfo->debug.path)
		return NULL;
	return no_module_error(debuginfo);
}

struct error *open_dwarf_file(struct debuginfo *debuginfo, const char *path)
{
	struct error *error = find_file(debuginfo);

	debuginfo->debug.path = arena_strdup(debuginfo->arena, path);
	if (debuginfo->kind == OBJECT_KERNEL)
		debuginfo->code.path = debuginfo->debug.path;
	error = error ?: open_file(debuginfo);
	if (!error && !has_dwarf(debuginfo->debug.elf))
		error = debuginfo_malformed(debuginfo, _("it has no DWARF"));
	return error ?: check_dwarf(debuginfo);
}

struct error *open_dwarf(struct debuginfo *debuginfo, bool *found)
{
	struct error *error = find_file(debuginfo);

	if (!error && !debuginfo->debug.path)
		return NULL;
	error = error ?: open_file(debuginfo);
	/* An unusable file is an error, because another source might not know what the user relies on. */
	*found = error || has_dwarf(debuginfo->debug.elf);
	return *found && !error ? check_dwarf(debuginfo) : error;
}

/* Use the symbols of the running kernel, whose boot image cannot be read. */
static struct error *open_running(struct debuginfo *debuginfo, bool *found)
{
	if (!debuginfo->kernel.build_id || !kernel_is_running(&debuginfo->kernel, debuginfo->search.root))
		return NULL;
	debuginfo->build_id = debuginfo->kernel.build_id;
	debuginfo->debug.path = arena_printf(debuginfo->arena, "%s/proc/kallsyms", debuginfo->search.root);
	debuginfo->symbol_file = debuginfo->debug.path;
	*found = true;
	return NULL;
}

/* Open the boot image. One that cannot be unpacked is skipped, because the user did not name it as debuginfo. */
static struct error *open_image(struct debuginfo *debuginfo, bool *found)
{
	struct error *error;

	debuginfo->debug.path = debuginfo->kernel.image;
	debuginfo->debug.elf = debuginfo->debug.path ? image_open(debuginfo->debug.path, &debuginfo->image) : NULL;
	if (!debuginfo->debug.elf)
		return open_running(debuginfo, found);
	error = check_file(debuginfo);
	if (!error)
		debuginfo_read_sections(debuginfo, debuginfo->debug.elf);
	error = error ?: read_build_id(debuginfo);
	debuginfo->code.path = debuginfo->debug.path;
	debuginfo->symbol_file = debuginfo->kernel.system_map;
	*found = true;
	return error;
}

struct error *open_object_file(struct debuginfo *debuginfo, bool *found)
{
	debuginfo->debug.path = debuginfo->code.path = debuginfo->named_file;
	*found = true;
	return open_file(debuginfo);
}

struct error *open_symbols(struct debuginfo *debuginfo, bool *found)
{
	struct error *error = find_file(debuginfo);

	if (!error && !debuginfo->debug.path)
		return open_image(debuginfo, found);
	error = error ?: open_file(debuginfo);
	*found = true;
	return error;
}

struct error *open_btf(struct debuginfo *debuginfo, bool *found)
{
	struct error *error = open_symbols(debuginfo, found);

	if (!error && *found)
		*found = btf_load(debuginfo);
	return error;
}
