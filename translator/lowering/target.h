/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that only the files of lowering/ share. */
#ifndef SPILE_LOWERING_TARGET_H
#define SPILE_LOWERING_TARGET_H

#include "translator/lowering/lowering.h"

/** Return the text of the lowered expression as the user wrote it. */
const char *target_text(struct lowering *l);

/* ---- pretty.c, chain.c: values in memory, in registers, in parts ------------------------------------------------- */

/* An intermediate value of a chain of components such as $x->a[1]: its type, and one way to read it. */
struct typed_value {
	struct type *type;
	enum memory_space memory; /* which memory `address` belongs to */
	struct expr *address; /* of a value in memory; else NULL */
	struct expr *value; /* of a value in a register or computed; else NULL */
	/* The target of a pointer that was optimized away; then `address`, `value` and `parts` are NULL. */
	const struct typed_value *target;
	/* The pieces (struct value_part *) of a variable in several places; then `address` and `value` are NULL. */
	const GPtrArray *parts;
	uint64_t offset; /* of this value in the variable that `parts` describe, in bytes */
};

/* One piece of a variable that is in several places. */
struct value_part {
	uint64_t offset, size; /* in bytes */
	uint64_t lost_bits; /* mask: bits of `value` that were optimized out */
	struct expr *address, *value; /* at most one is set; neither: the piece was optimized out */
};

/** Return an element of an array, wherever the array is. The size of its elements must be known. */
struct typed_value element_value(struct arena *arena, const struct typed_value *array, uint64_t index);

/** Return the element @p index of what a pointer points to. It has no address if the pointer was optimized away. */
struct typed_value dereference(struct arena *arena, const struct typed_value *pointer, int64_t index);

/** Return a string that shows a value with its members (suffix "$"), or with all nested members (two @p dollars). */
struct expr *pretty_print(struct translation *t, const struct location *at, const struct typed_value *value,
			  int dollars);

/** Read a scalar (integer, enum, pointer) as a 64-bit number. Arrays give their address; other types NULL. */
struct expr *read_scalar(struct arena *arena, const struct typed_value *value);
/** Return a member of a struct, wherever the struct is. @p bit_field is the member's value if it is a bit-field. */
struct typed_value member_value(struct arena *arena, const struct typed_value *outer, const struct member *member,
				struct expr **bit_field);

/* ---- value_expression.c: values from debuginfo ------------------------------------------------------------------- */

/**
 * Let the entry handler of a return probe compute @p value, and return the expression that reads it. Equal expressions
 * share a slot.
 */
struct expr *save_at_entry(struct lowering *l, struct expr *value);
/** Return the expression that computes a value. The value must be one that the probe can compute. */
struct expr *value_expression(struct lowering *l, const struct value *value);
/** Return whether the expression is the call that raises the error for an unknown caller. */
bool is_unknown_caller(const struct expr *e);

/* ---- chain.c: "->member" and "[index]" --------------------------------------------------------------------------- */

/** Lower the target's chain of components, which begins at @p base. Return NULL after a diagnostic. */
struct expr *follow_chain(struct lowering *l, struct typed_value base);
/**
 * Give a value with parts an address or a value, if one part holds all its bytes or if its bytes can be joined.
 *
 * @param[in] size Bytes of the value, from its offset.
 * @param[in] bits Mask of the bits that are needed; parts may have lost the others.
 */
void settle_value(struct arena *arena, struct typed_value *value, uint64_t size, uint64_t bits);
/** Return the type of a pointer to @p type. */
struct type *pointer_type_to(struct arena *arena, struct type *type);

/* ---- renamed_members.c ------------------------------------------------------------------------------------------- */

/**
 * Follow a member that @p value does not have, if this kernel has it under another name, and warn.
 *
 * @param[in,out] index Of the member in the target's components; moved if the old name consists of several.
 * @param[out] scalar The value, if it is a bit-field.
 * @return false, without a diagnostic, if no other name is known.
 */
bool follow_renamed_member(struct lowering *l, guint *index, struct typed_value *value, struct expr **scalar);

/* ---- groups.c: $$vars, $$parms, $$locals, $$return --------------------------------------------------------------- */

/** Lower the target if it is a group; else return false. *ret is NULL after a diagnostic. */
bool lower_group(struct lowering *l, struct expr **ret);

/* ---- suggest_variables.c: errors for unknown names --------------------------------------------------------------- */

void diagnose_no_variable(struct lowering *l);
void diagnose_no_member(struct lowering *l, const struct component *component, struct type *type);

#endif
