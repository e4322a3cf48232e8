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

/* ---- alternatives.c: for names that are not there ---------------------------------------------------------------- */

void diagnose_no_variable(struct lowering *l);
void diagnose_no_member(struct lowering *l, const struct component *component, struct type *type);

#endif
