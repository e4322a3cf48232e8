// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Split DWARF in forms that libdw does not read: in a package (packages.c), and files of the compiler in which each
 * type with a unit of its own (-fdebug-types-section) is in a section of its own, all of one name.
 *
 * libdw looks for the files of units beside the program. So they are brought into a temporary folder in the form that
 * it reads, with the program linked or copied there, and opened at once; the folder can go then.
 */
#include "translator/debuginfo/object/split.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "translator/debuginfo/object/packages.h"
#include "translator/debuginfo/object/unit_files.h"
#include "translator/util/cleanup.h"
#include "translator/util/files.h"

/* A name that leads out of the folder is none that a file may get. */
static bool stays_below(const char *name)
{
	return name && name[0] && name[0] != '/' && !strstr(name, "..");
}

/* ---- a file of the compiler's ---- */

/* The next section of DWARF behind @p section, or the first. */
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

/* Most files have one section of each name, and are read by libdw as they are. */
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

/* The contents of all sections of DWARF, those of one name behind one another. False: they are more than the file. */
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

/* True if there was something to join, and the file in the folder is written. */
static bool join_file(const char *path, const char *target)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_unit_file_ struct unit_file *file = unit_file_new();
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool is_joined = elf && elf_kind(elf) == ELF_K_ELF && !elf_check_sections(elf) && repeats_names(elf) &&
			 join_sections(elf, file) && unit_file_write(file, target);

	elf_end(elf);
	return is_joined;
}

/* Where libdw looks for the file of a unit: beside the program, and where it was compiled. */
static bool join_unit(const struct debuginfo *debuginfo, Dwarf_Die *skeleton, const char *name, const char *target)
{
	g_autofree char *beside = g_path_get_dirname(debuginfo->debug.path);
	Dwarf_Attribute attribute;
	const char *compiled = dwarf_formstring(dwarf_attr(skeleton, DW_AT_comp_dir, &attribute));
	const char *const folders[] = {beside, compiled};

	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *path = folders[i] ? g_build_filename(folders[i], name, NULL) : NULL;

		if (path && access(path, R_OK) == 0)
			return join_file(path, target);
	}
	return false;
}

/* ---- the program's units ---- */

/* Gives how many files the folder has got. */
static unsigned int fill(const struct debuginfo *debuginfo, Dwarf *own, struct package *package, const char *folder)
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
		g_autofree char *path = g_build_filename(folder, "units", name, NULL);

		if ((package && package_unpack_unit(package, number, path)) || join_unit(debuginfo, &die, name, path))
			files++;
	}
	return files;
}

/* The same file in the folder, so that libdw looks there. */
static int bring(const char *path, const char *folder)
{
	g_autofree char *copy = g_build_filename(folder, "units", "program", NULL);
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

Dwarf *split_open(struct debuginfo *debuginfo, Dwarf *own, char **folder, int *fd)
{
	bool is_split = dwarf_is_split(own);
	struct package *package = is_split ? package_open(debuginfo) : NULL;
	_cleanup_error_ struct error *error = is_split ? folder_make_temporary(folder) : NULL;

	*fd = -1;
	if (*folder && !error && fill(debuginfo, own, package, *folder))
		*fd = bring(debuginfo->debug.path, *folder);
	if (*fd >= 0 && package) {
		g_autofree char *types = g_build_filename(*folder, SPLIT_TYPES, NULL);

		package_unpack_types(package, types);
	}
	package_close(package);
	return *fd < 0 ? NULL : dwarf_begin(*fd, DWARF_C_READ);
}
