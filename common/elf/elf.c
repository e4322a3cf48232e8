// SPDX-License-Identifier: GPL-2.0-or-later
/* Queries to a single ELF file. The callers know to which object it belongs. */
#include "common/elf/elf.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/elf/compressed.h"

Elf_Scn *elf_section_by_name(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t strings;

	if (!elf || elf_getshdrstrndx(elf, &strings) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *found;

		if (!gelf_getshdr(section, header))
			continue;
		found = elf_strptr(elf, strings, header->sh_name);
		if (found && strcmp(found, name) == 0)
			return section;
	}
	return NULL;
}

/*
 * Find and uncompress ".zdebug_info" for ".debug_info", the form of compression before SHF_COMPRESSED. libdw may have
 * uncompressed it already.
 */
static Elf_Scn *old_compressed_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section;
	Elf_Data *data;

	if (!g_str_has_prefix(name, ".debug_"))
		return NULL;
	g_autofree char *old = g_strconcat(".z", name + 1, NULL);
	section = elf_section_by_name(elf, old, header);
	data = section ? elf_getdata(section, NULL) : NULL;
	if (data && data->d_buf && data->d_size > 12 && !memcmp(data->d_buf, "ZLIB", 4))
		elf_compress_gnu(section, 0, 0);
	return section;
}

struct span elf_section_span(Elf *elf, const char *name)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_section_by_name(elf, name, &header) ?: old_compressed_section(elf, name, &header);
	Elf_Data *data = section && header.sh_type != SHT_NOBITS ? elf_getdata(section, NULL) : NULL;

	if (!data || !data->d_buf)
		return (struct span){NULL, 0};
	return (struct span){data->d_buf, data->d_size};
}

bool elf_has_contents(Elf *elf, const char *name)
{
	GElf_Shdr header;

	return elf_section_by_name(elf, name, &header) && header.sh_type != SHT_NOBITS;
}

uint64_t elf_section_end(Elf *elf, uint64_t address)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_ALLOC && address >= header.sh_addr &&
		    address - header.sh_addr < header.sh_size)
			return header.sh_addr + header.sh_size;
	return address;
}

bool elf_search_symbols(Elf *elf, bool (*take)(const char *name, const struct elf_symbol *symbol, void *data),
			void *data)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while (elf && (section = elf_nextscn(elf, section))) {
		Elf_Data *table =
			gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
				? elf_getdata(section, NULL)
				: NULL;

		for (int i = 0; table && gelf_getsym(table, i, &symbol); i++) {
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
			const struct elf_symbol found = {symbol.st_value, symbol.st_size, GELF_ST_TYPE(symbol.st_info),
							 symbol.st_shndx};

			if (name && symbol.st_shndx != SHN_UNDEF && take(name, &found, data))
				return true;
		}
	}
	return false;
}

/* A symbol that is searched by its name. */
struct wanted_symbol {
	const char *name;
	struct elf_symbol *symbol;
};

static bool take_wanted(const char *name, const struct elf_symbol *symbol, void *data)
{
	const struct wanted_symbol *wanted = data;

	if (strcmp(name, wanted->name) != 0)
		return false;
	*wanted->symbol = *symbol;
	return true;
}

bool elf_find_symbol(Elf *elf, const char *name, struct elf_symbol *ret)
{
	return elf_search_symbols(elf, take_wanted, &(struct wanted_symbol){name, ret});
}

char *elf_build_id(Elf *elf)
{
	const void *bytes;
	ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
	GString *text;

	if (size <= 0)
		return NULL;
	text = g_string_new(NULL);
	for (ssize_t i = 0; i < size; i++)
		g_string_append_printf(text, "%02x", ((const uint8_t *)bytes)[i]);
	return g_string_free(text, FALSE);
}

char *notes_build_id(const void *notes, size_t size)
{
	struct reader reader = {notes, (const uint8_t *)notes + size, false};

	while (reader.end - reader.position >= 12) {
		uint64_t name = read_unsigned(&reader, 4), length = read_unsigned(&reader, 4);
		uint64_t type = read_unsigned(&reader, 4);
		const uint8_t *owner = reader.position;
		GString *text;

		read_skip(&reader, (name + 3) / 4 * 4);
		if (reader.bad || length > (uint64_t)(reader.end - reader.position))
			return NULL;
		if (type != NT_GNU_BUILD_ID || name != 4 || memcmp(owner, "GNU", 4) != 0) {
			read_skip(&reader, (length + 3) / 4 * 4);
			continue;
		}
		text = g_string_new(NULL);
		for (uint64_t i = 0; i < length; i++)
			g_string_append_printf(text, "%02x", reader.position[i]);
		return g_string_free(text, FALSE);
	}
	return NULL;
}

uint16_t elf_file_machine(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf32_Ehdr header; /* has its first members in common with that of 64-bit files */

	if (fd < 0 || read(fd, &header, sizeof(header)) != sizeof(header) || memcmp(header.e_ident, ELFMAG, SELFMAG))
		return EM_NONE;
	return GUINT16_FROM_LE(header.e_machine);
}

char *elf_file_build_id(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *build_id;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd < 0 ? NULL : elf_begin_compressed(&fd);
	build_id = elf && elf_kind(elf) == ELF_K_ELF ? elf_build_id(elf) : NULL;
	elf_end(elf);
	return build_id;
}

static bool is_function(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

static void see_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, function_visitor *see, void *data)
{
	Elf_Data *symbols = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 1; symbols && gelf_getsym(symbols, i, &symbol); i++) {
		const char *name = is_function(&symbol) ? elf_strptr(elf, header->sh_link, symbol.st_name) : NULL;

		if (name)
			see(name, strcspn(name, "."), data);
	}
}

void elf_file_functions(const char *path, function_visitor *see, void *data)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && elf_kind(elf) == ELF_K_ELF && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			see_table(elf, section, &header, see, data);
	elf_end(elf);
}

struct name_search {
	const char *name;
	bool found;
};

static void compare_name(const char *name, size_t length, void *data)
{
	struct name_search *search = data;

	search->found |= !strncmp(search->name, name, length) && (!search->name[length] || !strcmp(search->name, name));
}

bool elf_file_has_function(const char *path, const char *name)
{
	struct name_search search = {name, false};

	elf_file_functions(path, compare_name, &search);
	return search.found;
}

const char *elf_check_sections(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t strings, size = 0;
	GElf_Ehdr file;

	/* If the section headers lie beyond the end of the file, libelf reports no sections instead of an error. */
	if (!elf_rawfile(elf, &size) || !gelf_getehdr(elf, &file) || file.e_shoff > size ||
	    (uint64_t)file.e_shnum * file.e_shentsize > size - file.e_shoff || elf_getshdrstrndx(elf, &strings) != 0)
		return _("the file is truncated (its section headers are missing)");
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			return _("the file is truncated (a section header is missing)");
		if (header.sh_type != SHT_NOBITS &&
		    (header.sh_offset > size || header.sh_size > size - header.sh_offset))
			return _("the file is truncated (a section lies beyond its end)");
	}
	return NULL;
}

struct span elf_bytes_at(Elf *elf, uint64_t start, uint64_t end)
{
	Elf_Scn *section = NULL;

	while (elf && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) || header.sh_type == SHT_NOBITS ||
		    start < header.sh_addr || start - header.sh_addr >= header.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf || end - header.sh_addr > data->d_size)
			break;
		return (struct span){(const uint8_t *)data->d_buf + (start - header.sh_addr), end - start};
	}
	return (struct span){NULL, 0};
}
