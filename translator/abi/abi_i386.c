// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * i386: the System V ABI of 32-bit programs on an x86-64 kernel. Their registers are the low halves of the 64-bit ones.
 *
 * Arguments are on the stack. Results are in eax, and wider ones also in edx. Structures are returned in memory of the
 * caller, whose address is in eax. Floating-point results are in x87 registers.
 */
#include "translator/abi/abi.h"

#include <elf.h>
#include <string.h>

enum { WORD = 4, WORDS = 2 };
enum { EAX = 0, ECX = 1, EDX = 2, ESP = 4, EIP = 8, REGISTERS = 9 };

/* System V ABI, Intel386 supplement, table 2.14. */
static const char *const names[REGISTERS] = {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "eip"};

/* The corresponding DWARF numbers of x86-64: psABI, figure 3.36. */
static const uint8_t numbers[REGISTERS] = {0, 2, 1, 3, 7, 6, 4, 5, 16};

/* Registers of arguments with regparm and fastcall. The plain convention has none. */
static const uint8_t argument_registers[] = {EAX, ECX, EDX};

static void place_argument(struct abi_arguments *used, const struct abi_value *value, struct abi_place *ret)
{
	/* The return address precedes the arguments. */
	*ret = (struct abi_place){.where = ABI_MEMORY, .stack_offset = WORD + used->stack};
	used->stack += (value->size + WORD - 1) / WORD * WORD;
}

static void place_result(const struct abi_value *value, struct abi_place *ret)
{
	bool is_float = value->field_count == 1 && value->fields[0].scalar != ABI_INTEGER;

	if (value->is_aggregate || value->size > WORDS * WORD)
		*ret = (struct abi_place){ABI_MEMORY, 1, {EAX}};
	else if (is_float)
		*ret = (struct abi_place){ABI_FLOAT_REGISTERS};
	else if (!value->size)
		*ret = (struct abi_place){ABI_NOWHERE};
	else
		*ret = (struct abi_place){ABI_REGISTERS, value->size > WORD ? 2 : 1, {EAX, EDX}};
}

const struct abi abi_i386 = {
	.name = "i386",
	.elf_machine = EM_386,
	.word = WORD,
	.return_address_size = WORD,
	.register_count = REGISTERS,
	.first_vector = REGISTERS,
	.stack_pointer = ESP,
	.program_counter = EIP,
	.return_column = EIP,
	.register_names = names,
	.kernel_numbers = numbers,
	.argument_registers = argument_registers,
	.argument_register_count = sizeof(argument_registers),
	.most_register_bytes = WORDS * WORD,
	.place_argument = place_argument,
	.place_result = place_result,
	.linking = &i386_linking,
};
