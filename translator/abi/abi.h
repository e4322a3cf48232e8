/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the translator knows of a processor architecture: its registers and its calling convention. One file for each
 * architecture (abi_x86_64.c) fills a struct abi; nothing else in the translator names a register.
 *
 * Registers go by their DWARF numbers. A kernel may run programs of another architecture (i386 on x86-64), which have
 * numbers of their own.
 */
#ifndef SPILE_TRANSLATOR_ABI_H
#define SPILE_TRANSLATOR_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the calling convention wants to know of a scalar inside of a value. */
enum abi_scalar { ABI_INTEGER, ABI_FLOAT, ABI_LONG_DOUBLE };

struct abi_field {
	uint64_t offset, size; /* bytes */
	enum abi_scalar scalar; /* pointers and enums are integers */
};

/* An argument or result, taken apart. */
struct abi_value {
	const struct abi_field *fields; /* of values of up to `most_register_bytes`; none of larger ones */
	size_t field_count;
	uint64_t size;
	bool is_aggregate;
};

enum abi_where {
	ABI_NOWHERE, /* it has no bytes */
	ABI_REGISTERS,
	ABI_MEMORY, /* an argument: on the stack; a result: where the first of the registers points to */
	ABI_FLOAT_REGISTERS, /* in registers of x87, which probes do not have */
};

enum { ABI_PLACE_REGISTERS = 2, ABI_MOST_REGISTERS = 33 };

struct abi_place {
	enum abi_where where;
	unsigned int register_count;
	unsigned int registers[ABI_PLACE_REGISTERS]; /* a word of the value each, the lowest first */
	uint64_t stack_offset; /* of an argument in memory: from the stack pointer at the function's entry */
};

/* How much of what carries arguments is used by those before. */
struct abi_arguments {
	unsigned int registers, vectors;
	uint64_t stack; /* bytes */
};

/* A register, or a part of one, as assemblers call it. */
struct abi_register_part {
	unsigned int number;
	unsigned int size, shift; /* bytes, and how many bits above the lowest */
};

/* Where an instruction leads. */
enum abi_flow {
	ABI_FLOW_ON, /* to the next one, or nobody knows where: an indirect jump */
	ABI_FLOW_CALL, /* to another function, and back to the next one */
	ABI_FLOW_JUMP, /* `distance` bytes on from its end */
	ABI_FLOW_BRANCH, /* the same, or to the next one */
	ABI_FLOW_INDIRECT, /* where a register or memory says */
	ABI_FLOW_RETURN, /* to the caller */
};

/* Why there can be no uprobe at an instruction: the kernel refuses it, or executes it otherwise than the processor. */
enum abi_refusal {
	ABI_PROBEABLE,
	ABI_REFUSED_PREFIX, /* a lock or segment override, of which the kernel is not sure */
	ABI_REFUSED_BRANCH, /* with an operand size of 16 bits: processors differ in what it does */
	ABI_REFUSED_MASKING, /* the single step after it would be lost */
	ABI_REFUSED_BREAKPOINT, /* one that stands there already */
	ABI_REFUSED_OPCODE, /* programs cannot execute it, or it is none that the kernel knows */
	ABI_REFUSED_CALL, /* of the system: a child, or who comes back from a signal's handler, would run astray */
	ABI_REFUSED_FLAGS, /* the program would get to see, and later set, the flag of single-stepping */
	ABI_REFUSED_EXCHANGE, /* taken for a nop */
	ABI_REFUSAL_COUNT_
};

/* What matters of an instruction to those who put breakpoints on it. */
struct abi_instruction {
	unsigned int size; /* bytes */
	enum abi_flow flow;
	int64_t distance;
	enum abi_refusal refusal;
};

/* What an instruction does to the stack pointer, beside what a call and a return do. */
enum abi_stack_kind {
	ABI_STACK_KEPT,
	ABI_STACK_MOVED, /* by the distance */
	ABI_STACK_FRAME_SET, /* the frame pointer is a copy of it now */
	ABI_STACK_FRAME_USED, /* it is that far from the frame pointer now */
	ABI_STACK_LOST, /* anywhere */
};

struct abi_stack_effect {
	enum abi_stack_kind kind;
	int32_t distance;
	int pushed, popped; /* DWARF number of the register; -1: none */
};

struct abi {
	const char *name; /* as kernels call it: "x86_64" */
	uint16_t elf_machine; /* EM_… */
	unsigned int word; /* bytes of a register, of an address, and of a return address on the stack */
	/*
	 * Those that all probes have: numbers below this. Of those behind, all below ABI_MOST_REGISTERS, probes in
	 * programs have the low word of vectors, from `first_vector` on.
	 */
	unsigned int register_count;
	unsigned int first_vector, vector_count;
	unsigned int stack_pointer, program_counter;
	const char *const *register_names;
	const uint8_t *register_words; /* where in the kernel's struct pt_regs, in words */
	const uint8_t *kernel_numbers; /* of an architecture of programs alone: the registers of the kernel's own */
	const uint8_t *argument_registers;
	unsigned int argument_register_count;
	unsigned int prologue_size; /* bytes of code in which a parameter may still be where it came */
	uint64_t most_register_bytes; /* larger values are in memory */
	/** Does the kernel save it at each function entry that is traced, at no further cost? */
	bool (*is_saved_at_entry)(unsigned int number);
	void (*place_argument)(struct abi_arguments *used, const struct abi_value *value, struct abi_place *ret);
	void (*place_result)(const struct abi_value *value, struct abi_place *ret);
	/** By a name without '%'. False: it is none that probes have. */
	bool (*find_register)(const char *name, struct abi_register_part *ret);
	/** Read the instruction at @p bytes. False: it is none, or goes on behind @p size. */
	bool (*read_instruction)(const uint8_t *bytes, size_t size, bool is_32_bit, struct abi_instruction *ret);
	const struct abi *for_32_bit; /* programs that it runs beside its own; of these, only what is about values */
	/** Of a whole instruction of 64-bit code. */
	struct abi_stack_effect (*stack_effect)(const uint8_t *bytes, size_t size);
};

/** The architecture of the kernels that are probed, and of all but a few programs. */
const struct abi *abi_of_target(void);

/* abi_i386.c */
extern const struct abi abi_i386;

/* instructions_x86_64.c */
bool x86_64_read_instruction(const uint8_t *bytes, size_t size, bool is_32_bit, struct abi_instruction *ret);

/* stack_x86_64.c */
struct abi_stack_effect x86_64_stack_effect(const uint8_t *bytes, size_t size);

/** Does register @p number carry an argument of an integer kind at a function's entry? */
bool abi_is_argument_register(const struct abi *abi, unsigned int number);

#endif
