// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing split DWARF in the form that libdw reads: an ELF file with one section of each name. packages.c and split.c
 * use it.
 */
#include "translator/debuginfo/object/unit_files.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

struct section {
	const char *name;
	GByteArray *bytes;
};

struct unit_file {
	GArray *sections; /* struct section */
	GElf_Half machine;
};

struct unit_file *unit_file_new(Elf *like)
{
	struct unit_file *file = g_new0(struct unit_file, 1);
	GElf_Ehdr header;

	file->machine = gelf_getehdr(like, &header) ? header.e_machine : EM_NONE;

	file->sections = g_array_new(FALSE, FALSE, sizeof(struct section));
	return file;
}

void unit_file_free(struct unit_file *file)
{
	if (!file)
		return;
	for (guint i = 0; i < file->sections->len; i++)
		g_byte_array_unref(g_array_index(file->sections, struct section, i).bytes);
	g_array_unref(file->sections);
	g_free(file);
}

static GByteArray *find_section(const struct unit_file *file, const char *name)
{
	for (guint i = 0; i < file->sections->len; i++) {
		const struct section *section = &g_array_index(file->sections, struct section, i);

		if (!strcmp(section->name, name))
			return section->bytes;
	}
	return NULL;
}

bool unit_file_has(const struct unit_file *file, const char *name)
{
	return find_section(file, name) != NULL;
}

GByteArray *unit_file_section(struct unit_file *file, const char *name)
{
	struct section section = {name, find_section(file, name)};

	if (!section.bytes) {
		section.bytes = g_byte_array_new();
		g_array_append_val(file->sections, section);
	}
	return section.bytes;
}

/* Add a section and append its name to @p names. */
static Elf_Scn *add_section(Elf *elf, GByteArray *names, const char *name, unsigned int type, const GByteArray *bytes)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = elf_newdata(section);
	GElf_Shdr header;

	gelf_getshdr(section, &header);
	header.sh_name = names->len;
	header.sh_type = type;
	gelf_update_shdr(section, &header);
	g_byte_array_append(names, (const guint8 *)name, (guint)strlen(name) + 1);
	/* Set the data after appending the name: .shstrtab, added last, also contains its own name. */
	data->d_buf = bytes->data;
	data->d_size = bytes->len;
	data->d_align = 1;
	return section;
}

static bool write_elf(const struct unit_file *file, Elf *elf)
{
	g_autoptr(GByteArray) names = g_byte_array_new();
	GElf_Ehdr header;
	Elf_Scn *last;

	if (!gelf_newehdr(elf, ELFCLASS64) || !gelf_getehdr(elf, &header))
		return false;
	g_byte_array_append(names, (const guint8 *)"", 1);
	for (guint i = 0; i < file->sections->len; i++) {
		const struct section *section = &g_array_index(file->sections, struct section, i);

		add_section(elf, names, section->name, SHT_PROGBITS, section->bytes);
	}
	last = add_section(elf, names, ".shstrtab", SHT_STRTAB, names);
	header.e_machine = file->machine;
	header.e_type = ET_REL;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_version = EV_CURRENT;
	header.e_shstrndx = (uint16_t)elf_ndxscn(last);
	return gelf_update_ehdr(elf, &header) && elf_update(elf, ELF_C_WRITE) >= 0;
}

bool unit_file_write(const struct unit_file *file, const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);
	_cleanup_close_ int fd = g_mkdir_with_parents(directory, 0700) < 0
					 ? -1
					 : open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_WRITE, NULL);
	bool is_written = elf && write_elf(file, elf);

	elf_end(elf);
	return is_written;
}
