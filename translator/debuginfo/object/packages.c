// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Packages of split DWARF: PROGRAM.dwp holds what the compiler has put into a file of its own for each unit
 * (-gsplit-dwarf), behind one another, with a table of which bytes are whose (DWARF 5, section 7.3.5, and a GNU form of
 * it before).
 *
 * libdw reads such files, and packages in newer versions than one may count on. It looks for the files beside the
 * program. So the package is unpacked into a temporary folder, with the program linked or copied there, and read at
 * once; the folder can go then, since libdw has all open.
 */
#include "translator/debuginfo/object/dwarf.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "translator/util/cleanup.h"
#include "translator/util/files.h"

#define MOST_COLUMNS 16

/* What a column of the table is of; the numbers of both forms agree. */
static const struct {
	const char *new_name, *old_name; /* in DWARF 5 and before */
} columns[] = {
	[1] = {".debug_info.dwo", ".debug_info.dwo"},
	[3] = {".debug_abbrev.dwo", ".debug_abbrev.dwo"},
	[4] = {".debug_line.dwo", ".debug_line.dwo"},
	[5] = {".debug_loclists.dwo", ".debug_loc.dwo"},
	[6] = {".debug_str_offsets.dwo", ".debug_str_offsets.dwo"},
	[8] = {".debug_rnglists.dwo", ".debug_macro.dwo"},
};

struct package {
	Elf *elf;
	uint64_t version, column_count, unit_count, slot_count;
	const uint8_t *signatures, *rows, *ids, *offsets, *sizes;
};

static uint64_t number_at(const uint8_t *bytes, uint64_t number, unsigned int size)
{
	struct reader reader = {bytes + number * size, bytes + number * size + size, false};

	return read_unsigned(&reader, size);
}

static bool read_index(struct package *package)
{
	struct span index = elf_section_span(package->elf, ".debug_cu_index");
	struct reader reader = {index.data, index.data + index.size, false};
	uint64_t table;

	package->version = read_unsigned(&reader, 4) & UINT16_MAX;
	package->column_count = read_unsigned(&reader, 4);
	package->unit_count = read_unsigned(&reader, 4);
	package->slot_count = read_unsigned(&reader, 4);
	if (reader.bad || package->column_count > MOST_COLUMNS || (package->version != 2 && package->version != 5))
		return false;
	table = package->unit_count * package->column_count * 4;
	package->signatures = reader.position;
	read_skip(&reader, package->slot_count * 8);
	package->rows = reader.position;
	read_skip(&reader, package->slot_count * 4);
	package->ids = reader.position;
	read_skip(&reader, package->column_count * 4);
	package->offsets = reader.position;
	read_skip(&reader, table);
	package->sizes = reader.position;
	read_skip(&reader, table);
	return !reader.bad;
}

/* ---- writing a unit's file ---- */

struct output {
	GByteArray *sections[MOST_COLUMNS]; /* by column's number */
	GByteArray *strings; /* .debug_str.dwo */
};

/*
 * The unit's strings alone: the package has those of all units in one section. The table of their offsets is changed to
 * that.
 */
static void take_strings(const struct package *package, struct output *output)
{
	struct span strings = elf_section_span(package->elf, ".debug_str.dwo");
	GByteArray *table = output->sections[6];
	guint start = package->version == 5 ? 8 : 0; /* behind the header of the table */

	for (guint at = start; table && at + 4 <= table->len; at += 4) {
		const char *text = span_string(strings, number_at(table->data + at, 0, 4)) ?: "";
		uint32_t offset = GUINT32_TO_LE(output->strings->len);

		memcpy(table->data + at, &offset, sizeof(offset));
		g_byte_array_append(output->strings, (const guint8 *)text, (guint)strlen(text) + 1);
	}
}

static void take_unit(const struct package *package, uint64_t row, struct output *output)
{
	for (uint64_t i = 0; i < package->column_count; i++) {
		uint64_t id = number_at(package->ids, i, 4);
		uint64_t cell = row * package->column_count + i;
		uint64_t offset = number_at(package->offsets, cell, 4), size = number_at(package->sizes, cell, 4);
		struct span section;

		if (id >= G_N_ELEMENTS(columns) || !columns[id].new_name || output->sections[id])
			continue;
		section = elf_section_span(package->elf,
					   package->version == 5 ? columns[id].new_name : columns[id].old_name);
		if (offset > section.size || size > section.size - offset)
			continue;
		output->sections[id] = g_byte_array_new();
		g_byte_array_append(output->sections[id], section.data + offset, (guint)size);
	}
	take_strings(package, output);
}

/* One more section, whose name is put behind the others. */
static void add_section(Elf *elf, GByteArray *names, const char *name, unsigned int type, const void *bytes,
			size_t size)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = elf_newdata(section);
	GElf_Shdr header;

	data->d_buf = (void *)bytes;
	data->d_size = size;
	data->d_align = 1;
	gelf_getshdr(section, &header);
	header.sh_name = names->len;
	header.sh_type = type;
	g_byte_array_append(names, (const guint8 *)name, (guint)strlen(name) + 1);
	gelf_update_shdr(section, &header);
}

static bool write_unit(const struct package *package, const struct output *output, const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_WRITE, NULL);
	g_autoptr(GByteArray) names = g_byte_array_new();
	GElf_Ehdr header;
	bool is_written;

	if (!elf || !gelf_newehdr(elf, ELFCLASS64) || !gelf_getehdr(elf, &header)) {
		elf_end(elf);
		return false;
	}
	g_byte_array_append(names, (const guint8 *)"", 1);
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
		if (output->sections[i])
			add_section(elf, names, package->version == 5 ? columns[i].new_name : columns[i].old_name,
				    SHT_PROGBITS, output->sections[i]->data, output->sections[i]->len);
	add_section(elf, names, ".debug_str.dwo", SHT_PROGBITS, output->strings->data, output->strings->len);
	/* Its own name is the last one: the section is written with all of them. */
	g_byte_array_append(names, (const guint8 *)".shstrtab", sizeof(".shstrtab"));
	Elf_Scn *last = elf_newscn(elf);
	Elf_Data *data = elf_newdata(last);
	GElf_Shdr section;

	data->d_buf = names->data;
	data->d_size = names->len;
	data->d_align = 1;
	gelf_getshdr(last, &section);
	section.sh_name = names->len - (guint)sizeof(".shstrtab");
	section.sh_type = SHT_STRTAB;
	gelf_update_shdr(last, &section);
	header.e_machine = abi_of_target()->elf_machine;
	header.e_type = ET_REL;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_version = EV_CURRENT;
	header.e_shstrndx = (uint16_t)elf_ndxscn(last);
	is_written = gelf_update_ehdr(elf, &header) && elf_update(elf, ELF_C_WRITE) >= 0;
	elf_end(elf);
	return is_written;
}

static void unpack_unit(const struct package *package, uint64_t row, const char *path)
{
	struct output output = {.strings = g_byte_array_new()};
	g_autofree char *folder = g_path_get_dirname(path);

	take_unit(package, row, &output);
	if (g_mkdir_with_parents(folder, 0700) == 0)
		write_unit(package, &output, path);
	for (guint i = 0; i < G_N_ELEMENTS(output.sections); i++)
		g_clear_pointer(&output.sections[i], g_byte_array_unref);
	g_byte_array_unref(output.strings);
}

/* ---- the program's units ---- */

static bool find_row(const struct package *package, uint64_t signature, uint64_t *row)
{
	for (uint64_t slot = 0; slot < package->slot_count; slot++) {
		uint64_t number = number_at(package->rows, slot, 4);

		if (number_at(package->signatures, slot, 8) != signature || !number || number > package->unit_count)
			continue;
		*row = number - 1;
		return true;
	}
	return false;
}

/* A name that leads out of the folder is none that a file may get. */
static bool stays_below(const char *name)
{
	return name && name[0] && name[0] != '/' && !strstr(name, "..");
}

static void unpack(Dwarf *own, const struct package *package, const char *folder)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type = 0;

	while (dwarf_get_units(own, unit, &unit, NULL, &type, &die, NULL) == 0) {
		Dwarf_Attribute attribute;
		const char *name;
		uint64_t signature, row;

		if (type != DW_UT_skeleton || dwarf_cu_info(unit, NULL, NULL, NULL, NULL, &signature, NULL, NULL) != 0)
			continue;
		name = dwarf_formstring(dwarf_attr(&die, DW_AT_dwo_name, &attribute)
						?: dwarf_attr(&die, DW_AT_GNU_dwo_name, &attribute));
		if (!stays_below(name) || !find_row(package, signature, &row))
			continue;
		g_autofree char *path = g_build_filename(folder, name, NULL);

		unpack_unit(package, row, path);
	}
}

/* The same file in the folder, so that libdw looks there. */
static int bring(const char *path, const char *folder)
{
	g_autofree char *copy = g_build_filename(folder, "program", NULL);
	_cleanup_error_ struct error *error = link(path, copy) == 0 ? NULL : file_copy(path, copy);

	return error ? -1 : open(copy, O_RDONLY | O_CLOEXEC);
}

static int open_package(const struct debuginfo *debuginfo, struct package *package)
{
	const char *const paths[] = {debuginfo->debug.path, debuginfo->object->real_path};

	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		g_autofree char *path = g_strconcat(paths[i], ".dwp", NULL);
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		package->elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
		if (package->elf && elf_kind(package->elf) == ELF_K_ELF && !elf_check_sections(package->elf) &&
		    read_index(package))
			return fd;
		g_clear_pointer(&package->elf, elf_end);
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

Dwarf *package_open(struct debuginfo *debuginfo, Dwarf *own, char **folder, int *fd)
{
	struct package package = {0};
	_cleanup_close_ int package_fd = open_package(debuginfo, &package);
	_cleanup_error_ struct error *error = package_fd < 0 ? NULL : folder_make_temporary(folder);

	*fd = -1;
	if (package_fd >= 0 && !error) {
		unpack(own, &package, *folder);
		*fd = bring(debuginfo->debug.path, *folder);
	}
	elf_end(package.elf);
	return *fd < 0 ? NULL : dwarf_begin(*fd, DWARF_C_READ);
}
