/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of $variables, @cast and similar operators: debuginfo says where a value is, and the result is an expression
 * of the language that computes it. sema/lower.c and the probe families call these functions. target.h is what the
 * files of this directory share.
 */
#ifndef SPILE_LOWERING_LOWERING_H
#define SPILE_LOWERING_LOWERING_H

#include "translator/translation.h"

/* ---- $variables and operators ------------------------------------------------------------------------------------ */

/** Lower a $variable of a function-based probe. */
struct expr *lower_variable(struct translation *t, struct derived_probe *probe, struct expr *target);
/** Return the expression that computes @p value, which @p debuginfo describes, in a handler of @p probe. */
struct expr *lower_value(struct translation *t, struct derived_probe *probe, const struct location *at,
			 struct debuginfo *debuginfo, const struct value *value);
/** Return whether users must not see this variable, because the kernel's tracing code added it. */
bool variable_is_hidden(const struct derived_probe *probe, const struct variable *variable);
/** Lower @cast(…). It needs no probe: @p probe may be NULL. Return NULL after a diagnostic. */
struct expr *lower_cast(struct translation *t, struct derived_probe *probe, struct expr *target);
/** Lower @sizeof, @offsetof or @container_of, whose operands are lowered already. Return NULL after a diagnostic. */
struct expr *lower_size_operator(struct translation *t, struct derived_probe *probe, struct expr *e);
/** Lower @enum or @enumname, whose operands are lowered already. Return NULL after a diagnostic. */
struct expr *lower_enum_operator(struct translation *t, struct derived_probe *probe, struct expr *e);
/** Lower @var("name@file", "module"). @p probe may be NULL. Return NULL after a diagnostic. */
struct expr *lower_global_variable(struct translation *t, struct derived_probe *probe, struct expr *target);

/**
 * Return whether a name that this kernel has changed stands for the new one (translator/renames/): not with
 * --no-renames, not where scripts ask what exists (@defined, -l).
 */
bool renames_apply(const struct translation *t);

/* ---- values in memory, in registers, in parts: chain.c ----------------------------------------------------------- */

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

/** Read a scalar (integer, enum, pointer) as a 64-bit number. Arrays give their address; other types NULL. */
struct expr *read_scalar(struct arena *arena, const struct typed_value *value);
/** Return a member of a struct, wherever the struct is. @p bit_field is the member's value if it is a bit-field. */
struct typed_value member_value(struct arena *arena, const struct typed_value *outer, const struct member *member,
				struct expr **bit_field);

/* ---- parts, for families that find variables by themselves ------------------------------------------------------- */

struct lowering {
	struct translation *t;
	struct derived_probe *probe; /* NULL for @cast outside of probes */
	const struct expr *target;
	struct debuginfo *debuginfo;
};

/** Lower the target's chain, which begins at @p variable. Return NULL after a diagnostic. */
struct expr *lower_known_variable(struct lowering *l, const struct variable *variable);
/** Lower $$vars or $$parms of a mark to its arguments (const struct variable *); NULL if the target is neither. */
struct expr *lower_argument_group(struct lowering *l, const GPtrArray *arguments);
/** Lower $$vars, $$parms, $$locals or $$return to "", with a warning that gives @p reason; return NULL for others. */
struct expr *lower_empty_group(struct translation *t, const struct expr *target, const char *reason);

/**
 * Return the run-time address of @p address in an object. If the object is a program or library and @p probe (may be
 * NULL) is in it, the probe's hit gives its load bias; else the runtime searches the process for it.
 */
struct expr *address_expression(struct translation *t, const struct derived_probe *probe, const struct location *at,
				struct debuginfo *debuginfo, const struct address *address);
/**
 * Return the expression that computes the return address @p address of a call (frame_program_counter, frame_call). If a
 * return probe has replaced it, this is the original one.
 */
struct expr *lower_return_address(struct translation *t, struct derived_probe *probe, const struct location *at,
				  struct debuginfo *debuginfo, const struct value *address, const struct value *call);

#endif
