// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses of an opened object.
 *
 * A module is a relocatable file, so addresses in its DWARF mean nothing before relocation. libdwfl lays the sections
 * out in one imaginary address space and applies the relocations. The resulting "dwarf addresses" are translated to
 * section + offset here, and back.
 */
#include "translator/debuginfo/object/object.h"

#include <string.h>

/* Number 0 is reserved for "no section", as in vmlinux. */
void debuginfo_read_sections(struct debuginfo *debuginfo, Elf *elf)
{
	struct section none = {NULL, 0, 0};
	Elf_Scn *scn = NULL;
	size_t strings;

	g_array_set_size(debuginfo->sections, 0);
	g_array_append_val(debuginfo->sections, none);
	if (elf_getshdrstrndx(elf, &strings) != 0)
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		struct section section;
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_ALLOC))
			continue;
		name = elf_strptr(elf, strings, header.sh_name);
		section = (struct section){arena_strdup(debuginfo->arena, name ? name : ""), header.sh_addr,
					   header.sh_size};
		g_array_append_val(debuginfo->sections, section);
	}
}

static const struct section *section_at(const struct debuginfo *debuginfo, unsigned int number)
{
	return number < debuginfo->sections->len ? &g_array_index(debuginfo->sections, struct section, number) : NULL;
}

const char *debuginfo_section_name(const struct debuginfo *debuginfo, unsigned int number)
{
	const struct section *section = debuginfo_has_sections(debuginfo) ? section_at(debuginfo, number) : NULL;

	return section ? section->name : NULL;
}

int debuginfo_section_number(const struct debuginfo *debuginfo, const char *name)
{
	for (guint i = 1; i < debuginfo->sections->len; i++)
		if (strcmp(section_at(debuginfo, i)->name, name) == 0)
			return (int)i;
	return -1;
}

/*
 * Find the section that covers an address. The end of a section, where a range may end, counts as inside unless another
 * section begins there.
 */
static const struct section *section_around(const struct debuginfo *debuginfo, uint64_t address, int *number)
{
	const struct section *ends_here = NULL;

	for (guint i = 1; i < debuginfo->sections->len; i++) {
		const struct section *section = section_at(debuginfo, i);

		if (address < section->base || address - section->base > section->size || !section->size)
			continue;
		*number = (int)i;
		if (address - section->base < section->size)
			return section;
		ends_here = section;
	}
	return ends_here;
}

int debuginfo_section_of(const struct debuginfo *debuginfo, uint64_t dwarf_address)
{
	int number;

	if (!debuginfo_has_sections(debuginfo))
		return 0;
	return section_around(debuginfo, dwarf_address, &number) ? number : -1;
}

uint64_t debuginfo_dwarf_address(const struct debuginfo *debuginfo, struct address address)
{
	int number = debuginfo_has_sections(debuginfo) && address.section
			     ? debuginfo_section_number(debuginfo, address.section)
			     : -1;

	return number < 0 ? address.value : section_at(debuginfo, (unsigned int)number)->base + address.value;
}

struct address debuginfo_public_address(const struct debuginfo *debuginfo, uint64_t dwarf_address)
{
	const struct section *section;
	int number;

	if (!debuginfo_has_sections(debuginfo))
		return (struct address){dwarf_address, NULL};
	section = section_around(debuginfo, dwarf_address, &number);
	if (!section)
		return (struct address){dwarf_address, NULL};
	return (struct address){dwarf_address - section->base, section->name};
}

bool debuginfo_is_percpu(const struct debuginfo *debuginfo, uint64_t dwarf_address)
{
	int number = debuginfo_section_number(debuginfo, ".data..percpu");
	const struct section *section = number < 0 ? NULL : section_at(debuginfo, (unsigned int)number);

	return section && dwarf_address >= section->base && dwarf_address - section->base < section->size;
}
