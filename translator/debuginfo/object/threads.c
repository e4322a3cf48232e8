// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding the thread-local variables of a library.
 *
 * The dynamic linker places them in each process, and the library's code reads their place from the global offset
 * table, by the relocations of "ELF Handling For Thread-Local Storage" (Drepper, section 4). A slot holds either the
 * distance of one such variable from the thread pointer, or the library's number, which is an index into the thread's
 * vector of blocks. One slot of a library suffices for all its variables. A library without such slots uses TLS
 * descriptors, which only the dynamic linker's functions can interpret.
 */
#include "translator/debuginfo/object/user_object.h"

/* Compute the symbol's offset in the block. Return false if it belongs to another library. */
static bool symbol_offset(Elf *elf, const GElf_Shdr *header, const GElf_Rela *relocation, uint64_t *offset)
{
	Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
	Elf_Data *data = symbols ? elf_getdata(symbols, NULL) : NULL;
	GElf_Sym symbol;

	*offset = (uint64_t)relocation->r_addend;
	if (!GELF_R_SYM(relocation->r_info))
		return true;
	if (!data || !gelf_getsym(data, (int)GELF_R_SYM(relocation->r_info), &symbol) || symbol.st_shndx == SHN_UNDEF)
		return false;
	*offset += symbol.st_value;
	return true;
}

static bool read_slot(const struct abi_linking *linking, Elf *elf, const GElf_Shdr *header, const GElf_Rela *relocation,
		      struct thread_slot *ret)
{
	unsigned int type = (unsigned int)GELF_R_TYPE(relocation->r_info);

	if (type != linking->thread_distance_slot && type != linking->thread_library_slot)
		return false;
	ret->has_distance = type == linking->thread_distance_slot;
	ret->address = relocation->r_offset;
	return symbol_offset(elf, header, relocation, &ret->offset);
}

static bool search_relocations(const struct abi_linking *linking, Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			       struct thread_slot *ret)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Rela relocation;

	for (int i = 0; data && gelf_getrela(data, i, &relocation); i++)
		if (read_slot(linking, elf, header, &relocation, ret))
			return true;
	return false;
}

bool user_object_thread_slot(struct debuginfo *debuginfo, struct thread_slot *ret)
{
	Elf *elf = debuginfo_code(debuginfo);
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (!elf || debuginfo->object->is_32_bit)
		return false;
	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && header.sh_flags & SHF_ALLOC &&
		    search_relocations(debuginfo_abi(debuginfo)->linking, elf, section, &header, ret))
			return true;
	}
	return false;
}

bool user_object_thread_offset(struct debuginfo *debuginfo, uint64_t number, uint64_t *ret)
{
	Elf *elf = debuginfo_code(debuginfo) ?: debuginfo->debug.elf;
	GElf_Phdr segment;
	size_t count;

	if (!elf || elf_getphdrnum(elf, &count) != 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_TLS)
			continue;
		*ret = number < segment.p_memsz ? number : number - segment.p_vaddr;
		return *ret < segment.p_memsz;
	}
	return false;
}
