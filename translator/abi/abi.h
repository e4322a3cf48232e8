/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The description of a processor architecture: its registers, calling convention and instructions. Each architecture
 * has a file (abi_x86_64.c) with a struct abi; no other part of the translator names a register. The architecture is a
 * property of the probed kernel (struct target_kernel).
 *
 * Registers are identified by their DWARF numbers. A kernel may run programs of another architecture (i386 on x86-64),
 * which has different numbers.
 */
#ifndef SPILE_TRANSLATOR_ABI_H
#define SPILE_TRANSLATOR_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The class of a scalar inside a value, for the calling convention. */
enum abi_scalar { ABI_INTEGER, ABI_FLOAT, ABI_LONG_DOUBLE, ABI_VECTOR };

struct abi_field {
	uint64_t offset, size; /* bytes */
	enum abi_scalar scalar; /* pointers and enums are integers */
};

/* An argument or result, split into its scalars. */
struct abi_value {
	const struct abi_field *fields; /* only if `size` is at most `most_register_bytes` */
	size_t field_count;
	uint64_t size;
	bool is_aggregate;
};

enum abi_where {
	ABI_NOWHERE, /* a value of size 0 */
	ABI_REGISTERS,
	ABI_MEMORY, /* an argument: on the stack; a result: in memory that the first register points to */
	ABI_REFERENCE, /* an argument in memory that the first register points to */
	ABI_FLOAT_REGISTERS, /* in x87 registers, which probes cannot read */
};

enum { ABI_PLACE_REGISTERS = 4, ABI_MOST_REGISTERS = 96 };

struct abi_place {
	enum abi_where where;
	unsigned int register_count;
	unsigned int registers[ABI_PLACE_REGISTERS]; /* each has a part of the value, the lowest first */
	unsigned int part_size; /* bytes of the value in each register; 0: a word */
	bool is_at_entry; /* a result's address is in the register at the function's entry only */
	uint64_t stack_offset; /* of an argument in memory, from the stack pointer at the function's entry */
};

/* The registers and stack space that the preceding arguments use. */
struct abi_arguments {
	unsigned int registers, vectors;
	uint64_t stack; /* bytes */
	bool is_unknown; /* how many bytes of the stack they use */
};

/* A register, or a part of one that has its own assembler name. */
struct abi_register_part {
	unsigned int number;
	unsigned int size, shift; /* bytes; bits above the lowest */
};

/* The next instruction after an instruction. */
enum abi_flow {
	ABI_FLOW_ON, /* the one that follows in memory */
	ABI_FLOW_CALL, /* another function, which returns to the one that follows */
	ABI_FLOW_JUMP, /* `distance` bytes after its end */
	ABI_FLOW_BRANCH, /* `distance` bytes after its end, or the one that follows */
	ABI_FLOW_INDIRECT, /* at an address in a register or in memory */
	ABI_FLOW_RETURN, /* in the caller */
};

/*
 * Why an instruction cannot have a uprobe: the kernel refuses it, or would execute it differently. On arm64 the same
 * holds for kprobes.
 */
enum abi_refusal {
	ABI_PROBEABLE,
	ABI_REFUSED_PREFIX, /* a lock prefix or segment override, which the kernel refuses */
	ABI_REFUSED_BRANCH, /* with an operand size of 16 bits, which processors execute differently */
	ABI_REFUSED_MASKING, /* it suppresses the single-step trap after it */
	ABI_REFUSED_BREAKPOINT, /* a breakpoint instruction */
	ABI_REFUSED_OPCODE, /* privileged, or unknown to the kernel */
	ABI_REFUSED_CALL, /* a system call: a child process or a sigreturn would continue at a wrong address */
	ABI_REFUSED_FLAGS, /* it would store the single-step flag where the program can read and restore it */
	ABI_REFUSED_EXCHANGE, /* an exchange that the kernel takes for a nop */
	ABI_REFUSED_EXCLUSIVE, /* it begins or ends an exclusive access, which a breakpoint would break off */
	ABI_REFUSAL_COUNT_
};

/* The properties of an instruction that matter for a breakpoint on it. */
struct abi_instruction {
	unsigned int size; /* bytes */
	enum abi_flow flow;
	int64_t distance;
	enum abi_refusal refusal;
	/* Does the kernel take it for the first or last one of an exclusive access (struct abi_kernel)? */
	bool begins_exclusive, ends_exclusive;
};

/* The effect of an instruction on the stack pointer, except for call and return. */
enum abi_stack_kind {
	ABI_STACK_KEPT,
	ABI_STACK_MOVED, /* `distance` is added */
	ABI_STACK_FRAME_SET, /* it is copied to the frame pointer */
	ABI_STACK_FRAME_USED, /* it is set to the frame pointer + `distance` */
	ABI_STACK_LOST, /* it is set to an unknown value */
};

struct abi_stack_effect {
	enum abi_stack_kind kind;
	int32_t distance;
	int pushed, popped; /* DWARF number of the register; -1: none */
};

/* Where a byte was when its function was entered. */
enum abi_origin {
	ABI_ORIGIN_UNKNOWN, /* computed, or loaded from other memory */
	ABI_ORIGIN_ZERO, /* the code cleared it, mostly to put parts together */
	ABI_ORIGIN_REGISTER, /* byte `index` of register `number` (DWARF) */
	ABI_ORIGIN_STACK, /* `index` bytes above the stack pointer, in an argument that the caller stored */
};

struct abi_byte {
	enum abi_origin origin;
	unsigned int number;
	int64_t index;
};

enum { ABI_REGISTER_BYTES = 16, ABI_MOST_STORED = 1024 };

/* A byte of the stack that the code has stored. */
struct abi_stored {
	int64_t place; /* distance from the stack pointer at the entry */
	struct abi_byte first, last; /* its contents after the first and the latest store */
	uint64_t when; /* distance of the first store's instruction from the entry */
	bool is_pushed; /* the first store was a push, which may only make space */
};

/*
 * The effects of a function's first instructions: for registers and stack, where their bytes were at the entry. Memory
 * is followed only where the code addresses it relative to the stack pointer at the entry.
 */
struct abi_trace {
	bool is_32_bit;
	int64_t first_argument; /* place of the first argument on the stack */
	uint64_t at; /* distance of the next instruction from the entry */
	struct abi_byte registers[ABI_MOST_REGISTERS][ABI_REGISTER_BYTES];
	bool is_stack_address[ABI_MOST_REGISTERS];
	/* x86: a register was read as it was at the entry; not only pushed, which may just make space. */
	bool is_read[ABI_MOST_REGISTERS];
	int64_t places[ABI_MOST_REGISTERS]; /* of those: distance from the stack pointer at the entry */
	/* The number that was loaded onto the floating-point stack last; size 0: not known. */
	struct abi_byte loaded[ABI_REGISTER_BYTES];
	unsigned int loaded_size;
	struct abi_stored stored[ABI_MOST_STORED];
	size_t stored_count;
};

/* How kernels of the architecture handle their own code; for debuginfo/kernel. */
struct abi_kernel {
	/*
	 * ftrace: the section of a module that lists call sites, and the range of distances from a function's entry at
	 * which its call site may be listed.
	 */
	const char *call_site_section;
	int first_listed, last_listed;
	/**
	 * Return the distance from a function's entry of the address by which ftrace knows its call site, if it is
	 * listed at distance @p listed. @p code: the first bytes of the function; may be empty.
	 */
	int (*call_site)(int listed, const uint8_t *code, size_t size);
	/*
	 * A landing pad; its size is 0 if the architecture has none. To the kernel, a probe of the landing pad and one
	 * of the next instruction are the same.
	 */
	uint8_t landing_pad[4];
	size_t landing_pad_size;
	/* The instruction of BUG() and WARN(). */
	uint8_t bug[4];
	size_t bug_size;
	/** Return the size of the branch or no-op of a static key. */
	uint64_t (*static_branch_size)(const uint8_t *code, size_t size);
	/*
	 * A no-op that kernels since `call_nop_since` replace by a call if a uprobe is on it, which costs less than a
	 * breakpoint; its size is 0 if the architecture has none.
	 */
	uint8_t call_nop[10];
	size_t call_nop_size;
	const char *call_nop_since;
	bool patches_calls; /* there are static calls */
	bool alternatives_move; /* patching may put instructions at other places than before */
	/*
	 * Kprobes are refused on the same instructions as uprobes, and this many bytes after the beginning of an
	 * exclusive access, up to its end or that of the function; 0: on neither.
	 */
	unsigned int exclusive_size;
	bool refuses_fixups; /* kprobes are refused where a fault is handled (the exception table) */
	/* Names of symbols around further code that refuses kprobes, up to a NULL. */
	const char *const (*text_ranges)[2];
	uint64_t lowest_text; /* link-time addresses of kernels are not lower */
};

/* How programs of the architecture are linked. */
struct abi_linking {
	/* Relocations of slots of the global offset table: functions, addresses, indirect functions (0: none). */
	unsigned int function_slot, address_slot, indirect_slot;
	/*
	 * Relocations of slots with the distance of a thread-local variable from the thread pointer, its library, or a
	 * descriptor: two words, the second of which is the argument of the function in the first.
	 */
	unsigned int thread_distance_slot, thread_library_slot, thread_descriptor_slot;
	/* Thread-local variables of a program begin this many bytes after the thread pointer; 0: they end there. */
	unsigned int thread_block;
	/* Offset from the thread pointer of the pointer to the vector of the libraries' blocks. */
	unsigned int thread_vector;
	unsigned int stub_step; /* stubs in linkage tables whose size is unknown begin at multiples of this */
	/**
	 * Return the slot through which the stub at @p address jumps; 0 if it is not a stub. @p table: the base of slot
	 * offsets in position-independent 32-bit code.
	 */
	uint64_t (*stub_slot)(uint64_t address, const uint8_t *bytes, size_t size, uint64_t table);
};

struct abi {
	const char *name; /* as in scripts: "x86_64" */
	uint16_t elf_machine; /* EM_… */
	unsigned int word; /* bytes of a register and of an address */
	unsigned int return_address_size; /* bytes that a call pushes; 0: the return address is in a register */
	/*
	 * All probes can read the registers with numbers below register_count. Probes in programs can also read the low
	 * word of the vector registers from `first_vector` on. All numbers are below ABI_MOST_REGISTERS.
	 */
	unsigned int register_count;
	unsigned int first_vector, vector_count;
	unsigned int entry_registers; /* words of struct pt_regs with the registers of programs */
	unsigned int stack_pointer, program_counter;
	unsigned int return_column; /* number of the return address in call frame information */
	/*
	 * The register whose value at a function's entry identifies the call in the kernel, if the return address has
	 * no place on the stack there (return_address_size 0).
	 */
	unsigned int call_register;
	const char *const *register_names;
	const char *thread_pointer_name, *percpu_name; /* of the thread pointer and of the per-CPU offset, for lists */
	const uint8_t *register_words; /* offsets in the kernel's struct pt_regs, in words */
	const uint8_t *kernel_numbers; /* architectures without a kernel: the kernel's numbers of the registers */
	const uint8_t *argument_registers;
	unsigned int argument_register_count;
	unsigned int result_address; /* the register in which the caller passes the address of a result in memory */
	const uint8_t *result_registers; /* two; NULL if results of up to two words are not all in registers */
	unsigned int prologue_size; /* bytes of code in which a parameter may still be in its argument register */
	uint64_t most_register_bytes; /* larger values are in memory */
	/** Does ftrace save the register at a function's entry, so that reading it costs nothing? */
	bool (*is_saved_at_entry)(unsigned int number);
	void (*place_argument)(struct abi_arguments *used, const struct abi_value *value, struct abi_place *ret);
	void (*place_result)(const struct abi_value *value, struct abi_place *ret);
	/** Find a register by its name without '%'. Return false if probes cannot read it. */
	bool (*find_register)(const char *name, struct abi_register_part *ret);
	/** Decode the instruction at @p bytes. Return false if it is invalid, or longer than @p size. */
	bool (*read_instruction)(const uint8_t *bytes, size_t size, bool is_32_bit, struct abi_instruction *ret);
	const struct abi_kernel *kernel;
	const struct abi_linking *linking;
	bool has_bracket_operands; /* of assembler: "[x0, 8]" is memory, and registers have no '%' before them */
	unsigned int longest_call; /* bytes */
	/** May the instruction that ends at @p end be a call? The `longest_call` bytes before it are readable. */
	bool (*ends_with_call)(const uint8_t *end);
	const struct abi *for_32_bit; /* the architecture of 32-bit programs; has only the members about values */
	/** Return the effect on the stack of a complete instruction of 64-bit code. */
	struct abi_stack_effect (*stack_effect)(const uint8_t *bytes, size_t size);
	/** Begin a trace at a function's entry. */
	void (*trace_begin)(struct abi_trace *trace, bool is_32_bit);
	/**
	 * Apply the complete instruction at @p bytes, and set `at` to the instruction that runs next; at a conditional
	 * branch, the one that follows in memory. Return false if its effects are not known, as those of a call.
	 */
	bool (*trace_instruction)(struct abi_trace *trace, const uint8_t *bytes, size_t size);
};

/** Return the ABI of the kernels of an ELF machine (EM_...); NULL if it is not supported. */
const struct abi *abi_by_machine(uint16_t elf_machine);

/* Each in the file of its name. */
extern const struct abi abi_x86_64, abi_i386, abi_arm64;

/* linking_x86_64.c, linking_arm64.c */
extern const struct abi_linking x86_64_linking, i386_linking, arm64_linking;

/* instructions_x86_64.c */
bool x86_64_read_instruction(const uint8_t *bytes, size_t size, bool is_32_bit, struct abi_instruction *ret);

/* stack_x86_64.c */
struct abi_stack_effect x86_64_stack_effect(const uint8_t *bytes, size_t size);

/* trace_x86_64.c */
void x86_64_trace_begin(struct abi_trace *trace, bool is_32_bit);
bool x86_64_trace_instruction(struct abi_trace *trace, const uint8_t *bytes, size_t size);

/* trace_arm64.c */
void arm64_trace_begin(struct abi_trace *trace, bool is_32_bit);
bool arm64_trace_instruction(struct abi_trace *trace, const uint8_t *bytes, size_t size);

/* trace.c */
/** Return what the code has stored at a place; NULL if nothing. */
struct abi_stored *abi_trace_find(struct abi_trace *trace, int64_t place);
/** Return a byte of the stack. */
struct abi_byte abi_trace_load(struct abi_trace *trace, int64_t place);
/** Store a byte on the stack. Return false if the table is full. */
bool abi_trace_store(struct abi_trace *trace, int64_t place, struct abi_byte byte);

/* instructions_arm64.c */
bool arm64_read_instruction(const uint8_t *bytes, size_t size, bool is_32_bit, struct abi_instruction *ret);

/** Can register @p number hold an integer argument at a function's entry? */
bool abi_is_argument_register(const struct abi *abi, unsigned int number);

#endif
