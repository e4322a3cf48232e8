// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arm64: the Procedure Call Standard for the Arm 64-bit Architecture ("AAPCS64"), which the kernel and all programs of
 * Linux use, and the DWARF numbers of "DWARF for the Arm 64-bit Architecture".
 *
 * Integers and aggregates of up to 16 bytes are passed in the integer registers x0 to x7, floating-point numbers and
 * short vectors in v0 to v7. An aggregate of up to four floating-point numbers (or vectors) of one type is passed in
 * one vector register for each (HFA, section 5.9.5.1). A larger aggregate is copied to memory, and its address passed.
 * Results are returned like a first argument, but a result in memory is where the caller has pointed x8 to, which the
 * function need not keep (section 6.9). A call puts the return address into x30.
 */
#include "translator/abi/abi.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 8, WORDS = 2 };
enum { X0 = 0, X8 = 8, X29 = 29, X30 = 30, SP = 31, PC = 32, REGISTERS = 33 };
enum { INSTRUCTION = 4 };
enum { V0 = 64, VECTORS = 32 };
enum { ARGUMENT_REGISTERS = 8, MOST_HFA = 4 };

static const char *const names[V0 + VECTORS] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",	 "x7",	      "x8",  "x9",  "x10", "x11", "x12",
	"x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20",	      "x21", "x22", "x23", "x24", "x25",
	"x26", "x27", "x28", "x29", "x30", "sp",  "pc",	 [V0] = "v0", "v1",  "v2",  "v3",  "v4",  "v5",
	"v6",  "v7",  "v8",  "v9",  "v10", "v11", "v12", "v13",	      "v14", "v15", "v16", "v17", "v18",
	"v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",	      "v27", "v28", "v29", "v30", "v31",
};

/* The order in struct user_pt_regs of arch/arm64/include/uapi/asm/ptrace.h, with which struct pt_regs begins. */
static const uint8_t words[REGISTERS] = {0,  1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12, 13, 14, 15, 16,
					 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, SP, PC};

static const uint8_t argument_registers[ARGUMENT_REGISTERS] = {0, 1, 2, 3, 4, 5, 6, 7};
static const uint8_t result_registers[] = {0, 1};

/*
 * Does ftrace save the register? Since 6.4, struct ftrace_regs has only the registers of arguments, the frame and the
 * return address (arch/arm64/include/asm/ftrace.h).
 */
static bool is_saved_at_entry(unsigned int number)
{
	return number <= X8 || number == X29 || number == X30 || number == SP || number == PC;
}

static bool is_float(const struct abi_field *field)
{
	return field->scalar != ABI_INTEGER;
}

/* Return the number of elements if all of the value are floating-point numbers of one type, or vectors of one size. */
static unsigned int count_hfa(const struct abi_value *value)
{
	const struct abi_field *first = value->fields;

	if (!value->field_count || !is_float(first) || !first->size || value->size % first->size ||
	    value->size / first->size > MOST_HFA)
		return 0;
	for (size_t i = 1; i < value->field_count; i++)
		if (value->fields[i].size != first->size || value->fields[i].offset % first->size ||
		    (value->fields[i].scalar == ABI_VECTOR) != (first->scalar == ABI_VECTOR) ||
		    !is_float(&value->fields[i]))
			return 0;
	return (unsigned int)(value->size / first->size);
}

/* Is the value aligned to 16 bytes? Attributes that align it are not known. */
static bool is_aligned(const struct abi_value *value)
{
	for (size_t i = 0; i < value->field_count; i++)
		if (value->fields[i].size > WORD)
			return true;
	return false;
}

static void use_registers(struct abi_place *ret, unsigned int first, unsigned int count, unsigned int part_size)
{
	*ret = (struct abi_place){.where = count ? ABI_REGISTERS : ABI_NOWHERE, .register_count = count};
	ret->part_size = part_size;
	for (unsigned int i = 0; i < count; i++)
		ret->registers[i] = first + i;
}

/* Place an argument on the stack (rules C.12 to C.17). */
static void use_stack(struct abi_arguments *used, const struct abi_value *value, struct abi_place *ret)
{
	if (is_aligned(value))
		used->stack = (used->stack + 2 * WORD - 1) / (2 * WORD) * (2 * WORD);
	*ret = (struct abi_place){.where = ABI_MEMORY, .stack_offset = used->stack};
	used->stack += (value->size + WORD - 1) / WORD * WORD;
}

/* Place floating-point numbers (rules C.1 to C.6). */
static void place_floats(struct abi_arguments *used, const struct abi_value *value, unsigned int count,
			 struct abi_place *ret)
{
	if (used->vectors + count <= ARGUMENT_REGISTERS) {
		use_registers(ret, V0 + used->vectors, count, (unsigned int)value->fields[0].size);
		used->vectors += count;
		return;
	}
	used->vectors = ARGUMENT_REGISTERS;
	use_stack(used, value, ret);
}

/* Place integers and aggregates of them (rules C.9 to C.13). */
static void place_words(struct abi_arguments *used, const struct abi_value *value, struct abi_place *ret)
{
	unsigned int count = (unsigned int)((value->size + WORD - 1) / WORD);

	if (is_aligned(value))
		used->registers += used->registers % 2;
	if (used->registers + count <= ARGUMENT_REGISTERS) {
		use_registers(ret, X0 + used->registers, count, 0);
		used->registers += count;
		return;
	}
	used->registers = ARGUMENT_REGISTERS;
	use_stack(used, value, ret);
}

static void place_argument(struct abi_arguments *used, const struct abi_value *value, struct abi_place *ret)
{
	static const struct abi_value address = {.size = WORD};
	unsigned int count = count_hfa(value);

	if (count) {
		place_floats(used, value, count, ret);
	} else if (value->size <= WORDS * WORD) {
		place_words(used, value, ret);
	} else {
		/* Rule B.4: by reference. If the address is on the stack, probes refuse to read the value. */
		place_words(used, &address, ret);
		if (ret->where == ABI_REGISTERS)
			ret->where = ABI_REFERENCE;
		else
			*ret = (struct abi_place){.where = ABI_FLOAT_REGISTERS};
	}
}

static void place_result(const struct abi_value *value, struct abi_place *ret)
{
	struct abi_arguments none = {0};

	if (value->size <= WORDS * WORD || count_hfa(value))
		place_argument(&none, value, ret);
	else
		*ret = (struct abi_place){ABI_MEMORY, 1, {X8}, .is_at_entry = true};
}

/* Find "x0" or its lower half "w0", "sp", or a part of a vector register: "v0", "q0", "d0", "s0", "h0", "b0". */
static bool find_register(const char *name, struct abi_register_part *ret)
{
	static const struct {
		char letter;
		unsigned int first, count, size;
	} forms[] = {{'x', X0, 31, 8},	    {'w', X0, 31, 4},	   {'v', V0, VECTORS, 8}, {'q', V0, VECTORS, 8},
		     {'d', V0, VECTORS, 8}, {'s', V0, VECTORS, 4}, {'h', V0, VECTORS, 2}, {'b', V0, VECTORS, 1}};
	char *end;
	unsigned long number;

	if (!strcmp(name, "sp") || !strcmp(name, "wsp")) {
		*ret = (struct abi_register_part){SP, name[0] == 'w' ? 4 : WORD, 0};
		return true;
	}
	number = name[0] && name[1] ? strtoul(name + 1, &end, 10) : 0;
	if (!name[0] || name[1] < '0' || name[1] > '9' || *end)
		return false;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (forms[i].letter != name[0] || number >= forms[i].count)
			continue;
		*ret = (struct abi_register_part){forms[i].first + (unsigned int)number, forms[i].size, 0};
		return true;
	}
	return false;
}

/*
 * The compiler leaves two no-ops in each function, after the landing pad. ftrace knows the second one, into which it
 * patches its call. With CALL_OPS, the list has the address of two more before the entry instead
 * (arch/arm64/kernel/ftrace.c, ftrace_call_adjust()).
 */
static int call_site(int listed, const uint8_t *code, size_t size)
{
	static const uint8_t bti[] = {0x5f, 0x24, 0x03, 0xd5}; /* bti c */

	if (listed >= 0)
		return listed + 4;
	return size >= sizeof(bti) && !memcmp(code, bti, sizeof(bti)) ? 8 : 4;
}

static uint64_t static_branch_size(const uint8_t *code, size_t size)
{
	return 4;
}

/* arch/arm64/kernel/probes/kprobes.c, arch_populate_kprobe_blacklist() */
static const char *const text_ranges[][2] = {
	{"__irqentry_text_start", "__irqentry_text_end"},
	{"__idmap_text_start", "__idmap_text_end"},
	{"__hyp_text_start", "__hyp_text_end"},
	{"__hyp_idmap_text_start", "__hyp_idmap_text_end"},
	{NULL, NULL},
};

static const struct abi_kernel kernel = {
	.call_site_section = "__patchable_function_entries",
	.first_listed = -8,
	.last_listed = 4,
	.call_site = call_site,
	.bug = {0x00, 0x00, 0x21, 0xd4}, /* brk #0x800 */
	.bug_size = 4,
	.static_branch_size = static_branch_size,
	.exclusive_size = 128, /* MAX_ATOMIC_CONTEXT_SIZE, arch/arm64/kernel/probes/decode-insn.c */
	.refuses_fixups = true,
	.text_ranges = text_ranges,
	.lowest_text = 0xffff800000000000, /* with the smallest address space of kernels, 48 bits */
};

static bool ends_with_call(const uint8_t *end)
{
	struct abi_instruction instruction;

	return arm64_read_instruction(end - INSTRUCTION, INSTRUCTION, false, &instruction) &&
	       instruction.flow == ABI_FLOW_CALL;
}

const struct abi abi_arm64 = {
	.name = "arm64",
	.elf_machine = EM_AARCH64,
	.word = WORD,
	.register_count = REGISTERS,
	.first_vector = V0,
	.vector_count = VECTORS,
	.entry_registers = 34,
	.stack_pointer = SP,
	.program_counter = PC,
	.return_column = X30,
	.call_register = X29,
	.register_names = names,
	.thread_pointer_name = "tpidr_el0",
	.percpu_name = "tpidr_el1",
	.register_words = words,
	.argument_registers = argument_registers,
	.argument_register_count = sizeof(argument_registers),
	.result_address = X8,
	.result_registers = result_registers,
	.prologue_size = 32,
	.most_register_bytes = MOST_HFA * WORDS * WORD,
	.is_saved_at_entry = is_saved_at_entry,
	.place_argument = place_argument,
	.place_result = place_result,
	.find_register = find_register,
	.read_instruction = arm64_read_instruction,
	.trace_begin = arm64_trace_begin,
	.trace_instruction = arm64_trace_instruction,
	.longest_call = INSTRUCTION,
	.ends_with_call = ends_with_call,
	.kernel = &kernel,
	.linking = &arm64_linking,
	.has_bracket_operands = true,
};
