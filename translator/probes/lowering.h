/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lowering of one $variable: what variables.c, value_expression.c, chain.c, groups.c and alternatives.c share. */
#ifndef SPILE_PROBES_LOWERING_H
#define SPILE_PROBES_LOWERING_H

#include "translator/probes/provider.h"

struct lowering {
	struct translation *t;
	struct derived_probe *probe; /* NULL for @cast outside of probes */
	const struct expr *target;
	struct debuginfo *debuginfo;
};

/** Return the text of the lowered expression as the user wrote it. */
const char *target_text(struct lowering *l);

/* ---- value_expression.c: values from debuginfo ------------------------------------------------------------------- */

/** Return the expression that computes a value. The value must be one that the probe can compute. */
struct expr *value_expression(struct lowering *l, const struct value *value);
/**
 * Return the run-time address of @p address in an object. If the object is a program or library and @p probe (may be
 * NULL) is in it, the probe's hit gives its load bias; else the runtime searches the process for it.
 */
struct expr *address_expression(struct translation *t, const struct derived_probe *probe, const struct location *at,
				struct debuginfo *debuginfo, const struct address *address);
/** Return the name of the tapset function that reads a return address from the stack of an object's code. */
const char *return_address_function(const struct debuginfo *debuginfo);
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

/* ---- groups.c: $$vars, $$parms, $$locals, $$return --------------------------------------------------------------- */

/** Lower the target if it is a group; else return false. *ret is NULL after a diagnostic. */
bool lower_group(struct lowering *l, struct expr **ret);
/** Lower $$vars or $$parms of a mark to its arguments (const struct variable *); NULL if the target is neither. */
struct expr *lower_argument_group(struct lowering *l, const GPtrArray *arguments);

/* ---- variables.c ------------------------------------------------------------------------------------------------- */

/** Lower the target's chain, which begins at @p variable. Return NULL after a diagnostic. */
struct expr *lower_known_variable(struct lowering *l, const struct variable *variable);

/* ---- alternatives.c: errors for unknown names -------------------------------------------------------------------- */

void diagnose_no_variable(struct lowering *l);
void diagnose_no_member(struct lowering *l, const struct component *component, struct type *type);

#endif
