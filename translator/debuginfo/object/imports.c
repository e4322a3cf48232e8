// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A checksum of everything that modpost (scripts/mod/modpost.c) reads from a module's object file to write the source
 * of its last part: the symbols and .modinfo. Modules with the same checksum get the same source.
 */
#include <fcntl.h>
#include <gelf.h>
#include <glib.h>
#include <libelf.h>
#include <string.h>

#include "common/arena.h"
#include "common/base/cleanup.h"
#include "translator/debuginfo/debuginfo.h"

/* Prefixes of .modinfo lines that modpost ignores. */
static const char *const own_lines[] = {"spile_", "parm", "description="};

static bool is_own(const char *line)
{
	for (size_t i = 0; i < G_N_ELEMENTS(own_lines); i++)
		if (g_str_has_prefix(line, own_lines[i]))
			return true;
	return false;
}

static void add_module_lines(Elf_Scn *section, GPtrArray *lines)
{
	Elf_Data *data = elf_getdata(section, NULL);
	const char *at = data ? data->d_buf : NULL, *end = at ? at + data->d_size : NULL, *next;

	for (; at < end && (next = memchr(at, 0, end - at)); at = next + 1)
		if (*at && !is_own(at))
			g_ptr_array_add(lines, g_strdup(at));
}

static void add_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, GPtrArray *lines)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

		if (name && *name && GELF_ST_BIND(symbol.st_info) != STB_LOCAL)
			g_ptr_array_add(lines, g_strdup_printf("%s %d %s", name, GELF_ST_BIND(symbol.st_info),
							       symbol.st_shndx == SHN_UNDEF ? "?" : ""));
	}
}

static char *sum_of_lines(GPtrArray *lines)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	g_ptr_array_sort(lines, compare_strings);
	for_each_ptr(const char *, line, lines)
		g_checksum_update(sum, (const guchar *)line, strlen(line) + 1);
	return g_strdup(g_checksum_get_string(sum));
}

char *imports_sum(const char *path)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd >= 0 && elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names = 0;

	if (!elf)
		return NULL;
	elf_getshdrstrndx(elf, &names);
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		if (header.sh_type == SHT_SYMTAB)
			add_symbols(elf, section, &header, lines);
		else if (!g_strcmp0(elf_strptr(elf, names, header.sh_name), ".modinfo"))
			add_module_lines(section, lines);
	}
	elf_end(elf);
	return lines->len ? sum_of_lines(lines) : NULL;
}
