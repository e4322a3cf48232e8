// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86-64: the System V ABI ("psABI"), which the kernel and all programs of Linux use.
 *
 * A value of up to 16 bytes is classified by its words ("eightbytes", section 3.2.3). A word that contains an integer
 * is passed in an integer register, a word with only floating-point numbers in an SSE register. Larger values, and
 * those with unaligned fields, are in memory.
 */
#include "translator/abi/abi.h"

#include <elf.h>
#include <string.h>

enum { WORD = 8, WORDS = 2 };
enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, R10, R11, R12, R13, R14, R15, RIP, REGISTERS };
enum { LONGEST_CALL = 7 }; /* opcode, ModRM, SIB and a displacement of four bytes */
enum { XMM0 = 17, VECTORS = 16, ARGUMENT_VECTORS = 8 };

/* Section 3.6.2, figure 3.36. */
static const char *const names[XMM0 + VECTORS] = {
	[RAX] = "rax", [RDX] = "rdx", [RCX] = "rcx", [RBX] = "rbx",   [RSI] = "rsi", [RDI] = "rdi", [RBP] = "rbp",
	[RSP] = "rsp", [R8] = "r8",   [R9] = "r9",   [R10] = "r10",   [R11] = "r11", [R12] = "r12", [R13] = "r13",
	[R14] = "r14", [R15] = "r15", [RIP] = "rip", [XMM0] = "xmm0", "xmm1",	     "xmm2",	    "xmm3",
	"xmm4",	       "xmm5",	      "xmm6",	     "xmm7",	      "xmm8",	     "xmm9",	    "xmm10",
	"xmm11",       "xmm12",	      "xmm13",	     "xmm14",	      "xmm15"};

/* The order in struct pt_regs of arch/x86/include/asm/ptrace.h, which is part of the kernel's interface. */
static const uint8_t words[REGISTERS] = {
	[R15] = 0, [R14] = 1,  [R13] = 2,  [R12] = 3,  [RBP] = 4,  [RBX] = 5,  [R11] = 6,  [R10] = 7, [R9] = 8,
	[R8] = 9,  [RAX] = 10, [RCX] = 11, [RDX] = 12, [RSI] = 13, [RDI] = 14, [RIP] = 16, [RSP] = 19};

static const uint8_t argument_registers[] = {RDI, RSI, RDX, RCX, R8, R9};
static const uint8_t result_registers[] = {RAX, RDX};

/* Does save_mcount_regs of arch/x86/kernel/ftrace_64.S save the register? */
static bool is_saved_at_entry(unsigned int number)
{
	return number == RAX || number == RBP || number == RSP || number == RIP ||
	       memchr(argument_registers, (int)number, sizeof(argument_registers));
}

enum word_class { CLASS_NONE, CLASS_INTEGER, CLASS_SSE, CLASS_SSEUP, CLASS_X87, CLASS_X87UP };

static enum word_class class_of(const struct abi_field *field, uint64_t word)
{
	bool is_first = word == field->offset / WORD;

	switch (field->scalar) {
	case ABI_INTEGER:
		return CLASS_INTEGER;
	case ABI_FLOAT:
		return CLASS_SSE;
	case ABI_VECTOR:
		return is_first ? CLASS_SSE : CLASS_SSEUP;
	case ABI_LONG_DOUBLE:
		return is_first ? CLASS_X87 : CLASS_X87UP;
	}
	return CLASS_NONE;
}

/* Add the class of another field to that of a word. Return false if the value is in memory. */
static bool merge_class(enum word_class *class, enum word_class other)
{
	bool is_sse = (*class == CLASS_SSE || *class == CLASS_SSEUP) && (other == CLASS_SSE || other == CLASS_SSEUP);

	if (*class == CLASS_NONE || other == CLASS_INTEGER)
		*class = other;
	else if (is_sse && *class != other)
		*class = CLASS_SSE;
	return *class == other || *class == CLASS_INTEGER || is_sse;
}

/* Classify a value (section 3.2.3, "Classification"). Return false if it is in memory. */
static bool classify(const struct abi_value *value, enum word_class classes[WORDS])
{
	if (value->size > WORDS * WORD)
		return false;
	for (size_t i = 0; i < value->field_count; i++) {
		const struct abi_field *field = &value->fields[i];

		/* An aggregate with an unaligned field is in memory. */
		if (!field->size || field->offset >= WORDS * WORD || field->size > WORDS * WORD - field->offset ||
		    (field->size <= WORD && field->offset % field->size))
			return false;
		for (uint64_t word = field->offset / WORD; word * WORD < field->offset + field->size; word++)
			if (!merge_class(&classes[word], class_of(field, word)))
				return false;
	}
	/* Both halves of a vector are in one register; the upper one alone is not a vector. */
	if (classes[1] == CLASS_SSEUP && classes[0] != CLASS_SSE)
		classes[1] = CLASS_SSE;
	return classes[1] != CLASS_X87UP || classes[0] == CLASS_X87;
}

static bool is_x87(const enum word_class classes[WORDS])
{
	return classes[0] >= CLASS_X87 || classes[1] >= CLASS_X87;
}

static unsigned int count_words(const enum word_class classes[WORDS], enum word_class class)
{
	unsigned int count = 0;

	for (int i = 0; i < WORDS; i++)
		count += classes[i] == class;
	return count;
}

/* Assign the next register of the right kind to each word of the value. */
static void place_in_registers(const enum word_class classes[WORDS], const uint8_t *registers, unsigned int vector,
			       struct abi_place *ret)
{
	ret->where = ABI_NOWHERE;
	for (int i = 0; i < WORDS; i++) {
		if (classes[i] == CLASS_NONE || classes[i] == CLASS_SSEUP)
			continue;
		ret->where = ABI_REGISTERS;
		ret->registers[ret->register_count++] = classes[i] == CLASS_SSE ? vector++ : *registers++;
	}
}

static void place_argument(struct abi_arguments *used, const struct abi_value *value, struct abi_place *ret)
{
	enum word_class classes[WORDS] = {CLASS_NONE, CLASS_NONE};
	bool in_registers = classify(value, classes) && !is_x87(classes);
	unsigned int wanted = count_words(classes, CLASS_INTEGER), vectors = count_words(classes, CLASS_SSE);

	*ret = (struct abi_place){ABI_MEMORY};
	if (in_registers && used->registers + wanted <= sizeof(argument_registers) &&
	    used->vectors + vectors <= ARGUMENT_VECTORS) {
		place_in_registers(classes, argument_registers + used->registers, XMM0 + used->vectors, ret);
		used->registers += wanted;
		used->vectors += vectors;
		return;
	}
	/* The return address precedes the arguments. */
	ret->stack_offset = WORD + used->stack;
	used->stack += (value->size + WORD - 1) / WORD * WORD;
}

static void place_result(const struct abi_value *value, struct abi_place *ret)
{
	enum word_class classes[WORDS] = {CLASS_NONE, CLASS_NONE};

	*ret = (struct abi_place){ABI_MEMORY, 1, {RAX}};
	if (!classify(value, classes))
		return;
	*ret = (struct abi_place){is_x87(classes) ? ABI_FLOAT_REGISTERS : ABI_NOWHERE};
	if (!is_x87(classes))
		place_in_registers(classes, result_registers, XMM0, ret);
}

/* By register number, the names of the parts of the old registers: 4, 2 and 1 bytes, and the second byte. */
static const char *const part_names[R8][4] = {
	[RAX] = {"eax", "ax", "al", "ah"}, [RDX] = {"edx", "dx", "dl", "dh"}, [RCX] = {"ecx", "cx", "cl", "ch"},
	[RBX] = {"ebx", "bx", "bl", "bh"}, [RSI] = {"esi", "si", "sil", ""},  [RDI] = {"edi", "di", "dil", ""},
	[RBP] = {"ebp", "bp", "bpl", ""},  [RSP] = {"esp", "sp", "spl", ""}};

/* Find "r8" to "r15", or a part with the suffix "d", "w" or "b". */
static bool find_new_register(const char *name, struct abi_register_part *ret)
{
	static const char suffixes[] = "dwb";

	for (unsigned int number = R8; number < RIP; number++) {
		size_t length = strlen(names[number]);
		const char *suffix;

		if (strncmp(name, names[number], length) != 0 || (name[length] && name[length + 1]))
			continue;
		suffix = name[length] ? strchr(suffixes, name[length]) : NULL;
		if (name[length] && !suffix)
			continue;
		*ret = (struct abi_register_part){number, suffix ? 4u >> (suffix - suffixes) : WORD, 0};
		return true;
	}
	return false;
}

/* Find a vector register: its low word. */
static bool find_vector(const char *name, struct abi_register_part *ret)
{
	for (unsigned int number = XMM0; number < XMM0 + VECTORS; number++) {
		*ret = (struct abi_register_part){number, WORD, 0};
		if (strcmp(name, names[number]) == 0)
			return true;
	}
	return false;
}

static bool find_register(const char *name, struct abi_register_part *ret)
{
	static const struct abi_register_part parts[] = {{0, 4, 0}, {0, 2, 0}, {0, 1, 0}, {0, 1, 8}};

	for (unsigned int number = 0; number < R8; number++) {
		*ret = (struct abi_register_part){number, WORD, 0};
		if (strcmp(name, names[number]) == 0)
			return true;
		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
			*ret = parts[i];
			ret->number = number;
			if (strcmp(name, part_names[number][i]) == 0 && name[0])
				return true;
		}
	}
	return find_new_register(name, ret) || find_vector(name, ret);
}

/* An endbr64 may precede the call to __fentry__ (CONFIG_X86_KERNEL_IBT). */
static int call_site(int listed, const uint8_t *code, size_t size)
{
	return listed;
}

/* Return the size of a static branch, a jump or a no-op of two or five bytes. */
static uint64_t static_branch_size(const uint8_t *code, size_t size)
{
	return size >= 2 && (code[0] == 0xeb || (code[0] == 0x66 && code[1] == 0x90)) ? 2 : 5;
}

static const struct abi_kernel kernel = {
	.call_site_section = "__mcount_loc",
	.last_listed = 4,
	.call_site = call_site,
	.landing_pad = {0xf3, 0x0f, 0x1e, 0xfa}, /* endbr64 (arch_adjust_kprobe_addr()) */
	.landing_pad_size = 4,
	.bug = {0x0f, 0x0b}, /* ud2 */
	.bug_size = 2,
	/*
	 * Seen on Debian's 7.2.13 and 7.3.4, which also move the stack pointer below the red zone before the call. In
	 * place of a no-op of five bytes, the call alone would overwrite the red zone with its return address.
	 */
	.call_nop = {0x66, 0x2e, 0x0f, 0x1f, 0x84},
	.call_nop_size = 10,
	.call_nop_since = "7.2",
	.static_branch_size = static_branch_size,
	.patches_calls = true,
	.alternatives_move = true,
	.lowest_text = 0xffffffff81000000, /* arch/x86/include/asm/page_types.h */
};

/* Instructions cannot be decoded backward, so bytes may look like a call by accident. */
static bool ends_with_call(const uint8_t *end)
{
	enum { NEAR_CALL = 0xe8, NEAR_LENGTH = 5, INDIRECT_CALL = 0xff, SHORTEST_INDIRECT = 2, IN_MODRM = 2 };

	if (end[-NEAR_LENGTH] == NEAR_CALL)
		return true;
	for (int length = SHORTEST_INDIRECT; length <= LONGEST_CALL; length++)
		if (end[-length] == INDIRECT_CALL && (end[1 - length] >> 3 & 7) == IN_MODRM)
			return true;
	return false;
}

const struct abi abi_x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
	.word = WORD,
	.return_address_size = WORD,
	.register_count = REGISTERS,
	.first_vector = XMM0,
	.vector_count = VECTORS,
	.entry_registers = 21,
	.stack_pointer = RSP,
	.program_counter = RIP,
	.return_column = RIP,
	.register_names = names,
	.thread_pointer_name = "%fs",
	.percpu_name = "%gs",
	.register_words = words,
	.argument_registers = argument_registers,
	.argument_register_count = sizeof(argument_registers),
	.result_address = RDI,
	.result_registers = result_registers,
	.prologue_size = 32,
	.most_register_bytes = WORDS * WORD,
	.is_saved_at_entry = is_saved_at_entry,
	.place_argument = place_argument,
	.place_result = place_result,
	.find_register = find_register,
	.read_instruction = x86_64_read_instruction,
	.kernel = &kernel,
	.linking = &x86_64_linking,
	.longest_call = LONGEST_CALL,
	.ends_with_call = ends_with_call,
	.for_32_bit = &abi_i386,
	.stack_effect = x86_64_stack_effect,
	.trace_begin = x86_64_trace_begin,
	.trace_instruction = x86_64_trace_instruction,
};
