/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stack machine that runs DWARF expressions, between machine.c, pieces.c and location.c. */
#ifndef SPILE_DEBUGINFO_LOCATION_MACHINE_H
#define SPILE_DEBUGINFO_LOCATION_MACHINE_H

#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/location/values.h"

#define STACK_SIZE 64

/* The type of a stack entry (2.5.1): size 0 is the generic type, 64 bits whose sign the operation decides. */
struct operand_type {
	int size;
	bool is_signed;
};

struct operand {
	struct value *value;
	struct operand_type type;
};

struct machine {
	const struct location_context *context;
	struct arena *arena;
	struct operand stack[STACK_SIZE];
	int depth;
	bool is_value; /* DW_OP_stack_value or DW_OP_implicit_value: the top is the content */
	bool is_register; /* DW_OP_regN: likewise */
	const struct variable *pointee; /* DW_OP_implicit_pointer */
	int64_t pointee_offset;
	Dwarf_Attribute *attribute; /* for the bytes of DW_OP_implicit_value */
	Dwarf_Block constant; /* these bytes, if they are more than the stack holds; data is NULL: there are none */
	GPtrArray *pieces; /* struct variable_piece; NULL: there are none so far */
	struct value *bits; /* those behind the pieces that fill no byte so far; NULL: all lost */
	unsigned int bit_count;
	uint64_t lost_bits; /* of them */
	const char *problem;
	int nested, branches;
	int steps;
	bool at_entry; /* inside of DW_OP_entry_value, away from the entry */
};

/** Run an expression. False: machine->problem says why that cannot be done, if it is not malformed. */
bool machine_run(struct machine *machine, const Dwarf_Op *operations, size_t count);

/** Note the problem, unless there is one already. Gives false. */
bool machine_fail(struct machine *machine, const char *problem);
bool machine_push(struct machine *machine, struct value *value);
/** The top of the stack, taken off; NULL (and a problem) if it is empty. */
struct value *machine_take(struct machine *machine);

/* ---- pieces.c ---- */

/** DW_OP_piece: what stands before it describes the next @p size bytes of the variable; nothing, that they are lost. */
bool machine_piece(struct machine *machine, uint64_t size);
/** DW_OP_bit_piece: the next @p size bits; of what stands before it, those from @p offset on. */
bool machine_bit_piece(struct machine *machine, uint64_t size, uint64_t offset);
/** The bits before have come to the end of a byte, or of the variable. */
void machine_end_bits(struct machine *machine);

#endif
