/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stack machine that runs DWARF expressions; private to dwarf_machine.c, pieces.c and location.c. */
#ifndef SPILE_DEBUGINFO_LOCATION_DWARF_MACHINE_H
#define SPILE_DEBUGINFO_LOCATION_DWARF_MACHINE_H

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
	Dwarf_Block constant; /* a constant wider than a stack entry; data is NULL without one */
	GPtrArray *pieces; /* struct variable_piece; NULL before the first */
	struct value *bits; /* the bits after the pieces that do not fill a byte yet; NULL: all lost */
	unsigned int bit_count;
	uint64_t lost_bits; /* mask of the lost ones in `bits` */
	const char *problem;
	int nested, branches;
	int steps;
	bool is_for_function; /* the expression is valid for the whole function, where the prologue has run */
	bool at_entry; /* inside of DW_OP_entry_value, with a pc after the entry */
};

/** Run an expression. On failure return false and set machine->problem. */
bool machine_run(struct machine *machine, const Dwarf_Op *operations, size_t count);

/** Set the problem, unless one is set already. Return false. */
bool machine_fail(struct machine *machine, const char *problem);
bool machine_push(struct machine *machine, struct value *value);
/** Pop the top of the stack; NULL (and a problem) if it is empty. */
struct value *machine_take(struct machine *machine);

/* ---- pieces.c ---- */

/**
 * Handle DW_OP_piece: the operations before it describe the next @p size bytes of the variable; without any, the bytes
 * are optimized out.
 */
bool machine_piece(struct machine *machine, uint64_t size);
/**
 * Handle DW_OP_bit_piece: the next @p size bits of the variable are the bits from @p offset on of the location before
 * it.
 */
bool machine_bit_piece(struct machine *machine, uint64_t size, uint64_t offset);
/** Turn collected bits into a piece, at the end of a byte or of the variable. */
void machine_end_bits(struct machine *machine);

#endif
