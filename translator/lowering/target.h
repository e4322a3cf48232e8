/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that only the files of lowering/ share. */
#ifndef SPILE_LOWERING_TARGET_H
#define SPILE_LOWERING_TARGET_H

#include "translator/lowering/lowering.h"

/** Return the text of the lowered expression as the user wrote it. */
const char *target_text(struct lowering *l);

/* ---- pretty.c ---------------------------------------------------------------------------------------------------- */

/** Return a string that shows a value with its members (suffix "$"), or with all nested members (two @p dollars). */
struct expr *pretty_print(struct translation *t, const struct location *at, const struct typed_value *value,
			  int dollars);

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
