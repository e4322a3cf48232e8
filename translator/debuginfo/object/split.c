// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converting split DWARF that libdw cannot read. There are two cases: packages (packages.c), and files of the compiler
 * in which each type unit (-fdebug-types-section) has its own section, all with the same name.
 *
 * libdw searches for the files of units beside the program. So the converted files and a link to (or copy of) the
 * program are put into a temporary directory and opened at once. Afterwards the directory can be removed.
 */
#include "translator/debuginfo/object/split.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/files.h"
#include "common/base/cleanup.h"
#include "translator/debuginfo/object/packages.h"
#include "translator/debuginfo/object/unit_files.h"

/* Reject file names that lead out of the temporary directory. */
static bool stays_below(const char *name)
{
	return name && name[0] && name[0] != '/' && !strstr(name, "..");
}

/* ---- files written by the compiler ---- */

/* Return the next DWARF section after @p section, or the first if it is NULL. */
static Elf_Scn *next_section(Elf *elf, Elf_Scn *section, const char **name)
{
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		*name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		if (*name && g_str_has_prefix(*name, ".debug_") && header.sh_type == SHT_PROGBITS &&
		    !(header.sh_flags & SHF_COMPRESSED))
			break;
	}
	return section;
}

/* Does a section name occur twice? libdw reads all other files without conversion. */
static bool repeats_names(Elf *elf)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	Elf_Scn *section = NULL;
	const char *name;

	while ((section = next_section(elf, section, &name)))
		if (!g_hash_table_add(seen, (gpointer)name))
			return true;
	return false;
}

/* Copy all DWARF sections, concatenating those with the same name. Return false if they exceed the file's size. */
static bool join_sections(Elf *elf, struct unit_file *file)
{
	Elf_Scn *section = NULL;
	const char *name;
	size_t left;

	if (!elf_rawfile(elf, &left) || left > G_MAXUINT)
		return false;
	while ((section = next_section(elf, section, &name))) {
		Elf_Data *data = elf_rawdata(section, NULL);

		if (!data || data->d_size > left)
			return false;
		left -= data->d_size;
		g_byte_array_append(unit_file_section(file, name), data->d_buf, (guint)data->d_size);
	}
	return true;
}

/* Convert a file with repeated sections. Return true if @p target was written. */
static bool join_file(const char *path, const char *target)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	_cleanup_unit_file_ struct unit_file *file = unit_file_new(elf);
	bool is_joined = elf && elf_kind(elf) == ELF_K_ELF && !elf_check_sections(elf) && repeats_names(elf) &&
			 join_sections(elf, file) && unit_file_write(file, target);

	elf_end(elf);
	return is_joined;
}

/* Convert the file of a unit. Search where libdw does: beside the program and in the directory of the compilation. */
static bool join_unit(const struct debuginfo *debuginfo, Dwarf_Die *skeleton, const char *name, const char *target)
{
	g_autofree char *beside = g_path_get_dirname(debuginfo->debug.path);
	Dwarf_Attribute attribute;
	const char *compiled = dwarf_formstring(dwarf_attr(skeleton, DW_AT_comp_dir, &attribute));
	const char *const directories[] = {beside, compiled};

	for (size_t i = 0; i < G_N_ELEMENTS(directories); i++) {
		g_autofree char *path = directories[i] ? g_build_filename(directories[i], name, NULL) : NULL;

		if (path && access(path, R_OK) == 0)
			return join_file(path, target);
	}
	return false;
}

/* ---- the program's units ---- */

/* Write the converted files of all units into the directory; return their number. */
static unsigned int fill(const struct debuginfo *debuginfo, Dwarf *own, struct package *package, const char *directory)
{
	unsigned int files = 0;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type = 0;

	while (dwarf_get_units(own, unit, &unit, NULL, &type, &die, NULL) == 0) {
		Dwarf_Attribute attribute;
		const char *name;
		uint64_t number;

		if (type != DW_UT_skeleton || dwarf_cu_info(unit, NULL, NULL, NULL, NULL, &number, NULL, NULL) != 0)
			continue;
		name = dwarf_formstring(dwarf_attr(&die, DW_AT_dwo_name, &attribute)
						?: dwarf_attr(&die, DW_AT_GNU_dwo_name, &attribute));
		if (!stays_below(name))
			continue;
		g_autofree char *path = g_build_filename(directory, "units", name, NULL);

		if ((package && package_unpack_unit(package, number, path)) || join_unit(debuginfo, &die, name, path))
			files++;
	}
	return files;
}

/* Link or copy the program into the directory, so that libdw searches there. Return an open file, or -1. */
static int bring(const char *path, const char *directory)
{
	g_autofree char *copy = g_build_filename(directory, "units", "program", NULL);
	_cleanup_error_ struct error *error = link(path, copy) == 0 ? NULL : file_copy(path, copy);

	return error ? -1 : open(copy, O_RDONLY | O_CLOEXEC);
}

bool dwarf_is_split(Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	uint8_t type = 0;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, &type, NULL, NULL) == 0)
		if (type == DW_UT_skeleton)
			return true;
	return false;
}

Dwarf *split_open(struct debuginfo *debuginfo, Dwarf *own, char **directory, int *fd)
{
	bool is_split = dwarf_is_split(own);
	struct package *package = is_split ? package_open(debuginfo) : NULL;
	_cleanup_error_ struct error *error = is_split ? directory_make_temporary(directory) : NULL;

	*fd = -1;
	if (*directory && !error && fill(debuginfo, own, package, *directory))
		*fd = bring(debuginfo->debug.path, *directory);
	if (*fd >= 0 && package) {
		g_autofree char *types = g_build_filename(*directory, SPLIT_TYPES, NULL);

		package_unpack_types(package, types);
	}
	package_close(package);
	return *fd < 0 ? NULL : dwarf_begin(*fd, DWARF_C_READ);
}
