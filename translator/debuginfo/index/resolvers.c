// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Implementations of indirect functions (STT_GNU_IFUNC).
 *
 * The symbol of such a function, as memcpy in libc, names a resolver, which the dynamic linker calls once to choose
 * among implementations. Users who probe memcpy mean these. A resolver returns an address that it computes in its own
 * code, so its instructions that load an address of code give all candidates. Compilers write
 *
 *     lea implementation(%rip), %rax        mov implementation@GOTPCREL(%rip), %rax        mov $implementation, %eax
 *
 * A resolver may also leave the choice to another function. That is followed if the resolver itself has no candidates.
 */
#include "translator/debuginfo/index/resolvers.h"

#include <string.h>

#include "translator/debuginfo/object/user_object.h"

#define MOST_DEPTH 2
#define MOST_SIZE 4096 /* bytes of a resolver */
#define UNKNOWN_SIZE 256

struct search {
	struct debuginfo *debuginfo;
	const GArray *symbols; /* struct code_symbol */
	GArray *ret; /* uint64_t */
};

static void add_target(struct search *search, uint64_t start, uint64_t end, uint64_t target)
{
	if ((target >= start && target < end) || !user_object_has_code(search->debuginfo, target))
		return;
	for (guint i = 0; i < search->ret->len; i++)
		if (g_array_index(search->ret, uint64_t, i) == target)
			return;
	g_array_append_val(search->ret, target);
}

/* Return what the dynamic linker writes to a slot of the global offset table: an address in this object, or 0. */
static uint64_t slot_content(const struct search *search, uint64_t slot)
{
	Elf *elf = debuginfo_code(search->debuginfo);
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf && (section = elf_nextscn(elf, section))) {
		Elf_Data *data = gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && header.sh_entsize
					 ? elf_getdata(section, NULL)
					 : NULL;
		Elf_Scn *symbols = header.sh_link ? elf_getscn(elf, header.sh_link) : NULL;
		GElf_Rela relocation;
		GElf_Sym symbol;

		for (int i = 0; data && gelf_getrela(data, i, &relocation); i++) {
			if (relocation.r_offset != slot)
				continue;
			if (GELF_R_TYPE(relocation.r_info) == R_X86_64_RELATIVE)
				return (uint64_t)relocation.r_addend;
			if (GELF_R_TYPE(relocation.r_info) == R_X86_64_GLOB_DAT && symbols &&
			    gelf_getsym(elf_getdata(symbols, NULL), (int)GELF_R_SYM(relocation.r_info), &symbol))
				return symbol.st_value;
		}
	}
	return 0;
}

/* Return the address of code that an instruction loads, or 0. */
static uint64_t loaded_address(const struct search *search, const uint8_t *bytes, unsigned int size, uint64_t next)
{
	enum { LEA = 0x8d, LOAD = 0x8b, NEXT_MASK = 0xc7, NEXT = 0x05 };
	unsigned int prefix = size > 1 && (bytes[0] & 0xf0) == 0x40 ? 1 : 0;
	const uint8_t *opcode = bytes + prefix;
	int32_t number;

	if (size < prefix + 5)
		return 0;
	memcpy(&number, bytes + size - sizeof(number), sizeof(number));
	if (size == prefix + 6 && opcode[0] == LEA && (opcode[1] & NEXT_MASK) == NEXT)
		return next + (uint64_t)number;
	if (size == prefix + 6 && opcode[0] == LOAD && (opcode[1] & NEXT_MASK) == NEXT)
		return slot_content(search, next + (uint64_t)number);
	if ((size == prefix + 5 && opcode[0] >= 0xb8 && opcode[0] <= 0xbf) || (size == prefix + 6 && opcode[0] == 0xc7))
		return (uint64_t)number;
	return 0;
}

static uint64_t size_at(const struct search *search, uint64_t address)
{
	for (guint i = 0; i < search->symbols->len; i++) {
		const struct code_symbol *symbol = &g_array_index(search->symbols, struct code_symbol, i);

		if (symbol->value == address && symbol->size)
			return MIN(symbol->size, MOST_SIZE);
	}
	return UNKNOWN_SIZE;
}

static void search_code(struct search *search, uint64_t start, uint64_t size, int depth)
{
	g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	uint64_t end = start + size;

	for (uint64_t address = start, next; address < end; address = next) {
		struct span bytes = user_object_bytes(search->debuginfo, address);
		struct abi_instruction instruction;
		uint64_t target;

		if (!user_object_read_instruction(search->debuginfo, address, &instruction))
			break;
		next = address + instruction.size;
		target = next + (uint64_t)instruction.distance;
		if (instruction.flow == ABI_FLOW_ON)
			add_target(search, start, end, loaded_address(search, bytes.data, instruction.size, next));
		else if ((instruction.flow == ABI_FLOW_JUMP || instruction.flow == ABI_FLOW_CALL) &&
			 instruction.distance && (target < start || target >= end))
			g_array_append_val(others, target);
	}
	for (guint i = 0; i < others->len && !search->ret->len && depth < MOST_DEPTH; i++) {
		uint64_t other = g_array_index(others, uint64_t, i);

		if (user_object_has_code(search->debuginfo, other))
			search_code(search, other, size_at(search, other), depth + 1);
	}
}

void resolver_targets(struct debuginfo *debuginfo, const struct code *code, const struct code_symbol *resolver,
		      GArray *ret)
{
	struct search search = {debuginfo, code_symbols(code), ret};

	debuginfo_code(debuginfo);
	if (!debuginfo->object->is_32_bit)
		search_code(&search, resolver->value, resolver->size ? MIN(resolver->size, MOST_SIZE) : UNKNOWN_SIZE,
			    0);
}
