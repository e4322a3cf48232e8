// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding the thread-local variables of a library.
 *
 * The dynamic linker places them in each process, and the library's code reads their place from the global offset
 * table, by the relocations of "ELF Handling For Thread-Local Storage" (Drepper, section 4). A slot holds either the
 * distance of one such variable from the thread pointer, or the library's number, which is an index into the thread's
 * vector of blocks. One slot of a library suffices for all its variables. Otherwise, the library uses TLS descriptors,
 * as code for arm64 does by default: a function of the dynamic linker, and its argument. In glibc since 2.34 and in
 * musl, that is the distance, or the address of a structure that begins with the library's number. (Older versions of
 * glibc write it when the variable is first used.)
 *
 * gcc for arm64 writes no location of thread-local variables into DWARF. The symbol tables have their offsets.
 */
#include <string.h>

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
		      enum thread_slot_kind kind, struct thread_slot *ret)
{
	const unsigned int types[THREAD_SLOT_COUNT_] = {
		[THREAD_SLOT_DISTANCE] = linking->thread_distance_slot,
		[THREAD_SLOT_LIBRARY] = linking->thread_library_slot,
		[THREAD_SLOT_DESCRIPTOR] = linking->thread_descriptor_slot,
	};

	if (GELF_R_TYPE(relocation->r_info) != types[kind])
		return false;
	ret->kind = kind;
	ret->address = relocation->r_offset + (kind == THREAD_SLOT_DESCRIPTOR ? sizeof(uint64_t) : 0);
	return symbol_offset(elf, header, relocation, &ret->offset);
}

static bool search_relocations(const struct abi_linking *linking, Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			       enum thread_slot_kind kind, struct thread_slot *ret)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Rela relocation;

	for (int i = 0; data && gelf_getrela(data, i, &relocation); i++)
		if (read_slot(linking, elf, header, &relocation, kind, ret))
			return true;
	return false;
}

static bool find_slot(const struct abi_linking *linking, Elf *elf, enum thread_slot_kind kind, struct thread_slot *ret)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && header.sh_flags & SHF_ALLOC &&
		    search_relocations(linking, elf, section, &header, kind, ret))
			return true;
	}
	return false;
}

bool user_object_thread_slot(struct debuginfo *debuginfo, struct thread_slot *ret)
{
	const struct abi_linking *linking = debuginfo_abi(debuginfo)->linking;
	Elf *elf = debuginfo_code(debuginfo);

	if (!elf || debuginfo->object->is_32_bit)
		return false;
	for (enum thread_slot_kind kind = 0; kind < THREAD_SLOT_COUNT_; kind++)
		if (find_slot(linking, elf, kind, ret))
			return true;
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

/* A symbol of a thread-local variable. The debug symbols and the code may both have it. */
struct thread_symbol {
	uint64_t offset;
	bool is_ambiguous; /* symbols with other offsets have the same name */
};

static bool note_thread_symbol(const char *name, const struct elf_symbol *symbol, void *symbols)
{
	struct thread_symbol *known;
	char *plain;

	if (symbol->type != STT_TLS)
		return false;
	/* "errno@@GLIBC_PRIVATE" */
	plain = g_strndup(name, strcspn(name, "@"));
	known = g_hash_table_lookup(symbols, plain);
	if (known) {
		known->is_ambiguous |= known->offset != symbol->value;
		g_free(plain);
		return false;
	}
	known = g_new0(struct thread_symbol, 1);
	known->offset = symbol->value;
	g_hash_table_insert(symbols, plain, known);
	return false;
}

bool user_object_thread_symbol(struct debuginfo *debuginfo, const char *name, uint64_t *offset)
{
	const struct thread_symbol *symbol;

	if (!debuginfo->object || !debuginfo->object->has_threads)
		return false;
	if (!debuginfo->thread_symbols) {
		debuginfo->thread_symbols = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
		elf_search_symbols(debuginfo->debug.elf, note_thread_symbol, debuginfo->thread_symbols);
		elf_search_symbols(debuginfo_code(debuginfo), note_thread_symbol, debuginfo->thread_symbols);
	}
	symbol = g_hash_table_lookup(debuginfo->thread_symbols, name);
	if (!symbol || symbol->is_ambiguous)
		return false;
	*offset = symbol->offset;
	return true;
}
