/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering one $variable, between variables.c, value_expression.c, chain.c, groups.c and alternatives.c.
 */
#ifndef SPILE_PROBES_LOWERING_H
#define SPILE_PROBES_LOWERING_H

#include "translator/probes/provider.h"

struct lowering {
	struct translation *t;
	struct derived_probe *probe; /* NULL for @cast outside of probes */
	const struct expr *target;
	struct debuginfo *debuginfo;
};

/** What is lowered, as the user wrote it. */
const char *target_text(struct lowering *l);

/* ---- value_expression.c: values of debuginfo --------------------------------------------------------------------- */

/** The expression of a value; it must be one that the probe at hand can compute. */
struct expr *value_expression(struct lowering *l, const struct value *value);
/**
 * An address in an object. Of a program or library, what the probe at hand (or NULL) is in is there where the hit is,
 * moved as far; anything else must be found in the process.
 */
struct expr *address_expression(struct translation *t, const struct derived_probe *probe, const struct location *at,
				struct debuginfo *debuginfo, const struct address *address);
/** The function of the tapset that reads a return address on the stack of an object's code. */
const char *return_address_function(const struct debuginfo *debuginfo);
/** Is it the call that ends in the error for a caller of which nothing is known? */
bool is_unknown_caller(const struct expr *e);

/* ---- chain.c: from a base along "->member" and "[index]" --------------------------------------------------------- */

/** From the base to the end of the chain. NULL after diagnosing. */
struct expr *follow_chain(struct lowering *l, struct typed_value base);
/** If some bytes of a value in several places are all in one of these, that is where it is. */
void settle_value(struct arena *arena, struct typed_value *value, uint64_t size, uint64_t bits);
struct type *pointer_type_to(struct arena *arena, struct type *type);

/* ---- groups.c: $$vars and its like ------------------------------------------------------------------------------- */

/** Lower the target if it is a group; false: it is none. *ret is NULL after diagnosing. */
bool lower_group(struct lowering *l, struct expr **ret);
/** $$vars or $$parms of a mark, whose arguments (const struct variable *) are all there is; NULL: none of them. */
struct expr *lower_argument_group(struct lowering *l, const GPtrArray *arguments);

/* ---- variables.c ------------------------------------------------------------------------------------------------- */

/** The target's chain from a variable that was found already. NULL after diagnosing. */
struct expr *lower_known_variable(struct lowering *l, const struct variable *variable);

/* ---- alternatives.c: for names that are not there ---------------------------------------------------------------- */

void diagnose_no_variable(struct lowering *l);
void diagnose_no_member(struct lowering *l, const struct component *component, struct type *type);

#endif
