/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the families that find places in debuginfo share: kernel.function and kernel.statement with their forms for
 * modules.
 */
#ifndef SPILE_PROBES_PLACES_H
#define SPILE_PROBES_PLACES_H

#include "translator/probes/provider.h"

/* Finds the places of a point in the debuginfo of one module, or diagnoses. */
typedef void find_places(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			 void *query, GPtrArray *ret);

/** Call @p find for the kernel, or for each module that the point's first argument names. */
void find_in_modules(struct translation *t, const struct probe_point *point, find_places *find, void *query,
		     GPtrArray *ret);

/** Take "name@file:line" apart; false after a diagnostic. */
bool parse_function_query(struct translation *t, const struct probe_point *point, const char *text,
			  struct function_query *query);

/** Say which functions have names like @p name. */
void suggest_functions(struct translation *t, struct debuginfo *debuginfo, const char *name);

/** "kernel.WHAT(…)" or "module("m").WHAT(…)": the text of a resolved point up to its second component. */
GString *place_text(const struct debuginfo *debuginfo, const char *what, const char *argument);
/** Add the components of a point from the third on, as written. */
void append_suffixes(GString *text, const struct probe_point *point);

/** Append a probe of the instruction at an address in @p function (NULL: $variables are not known). */
struct derived_probe *derive_place(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
				   struct address address, const struct function *function, GPtrArray *ret);

/** Append a probe of a function's entry or return, or of an inlined instance. */
struct derived_probe *derive_function(struct translation *t, const struct probe_point *point,
				      const struct function *function, bool is_return, GPtrArray *ret);
/** kernel.function("name@file:line") */
const char *function_point_text(struct translation *t, const struct function *function);

/* callee.c */
enum callee_form { CALLEE_ANY, CALLEE_CALL, CALLEE_RETURN };

/**
 * Probes of what the functions call: the point's third component is callees or callees(N), or callee("…"), one after
 * the other for each step of the way down.
 */
void find_callees(struct translation *t, const struct probe_point *point, const GPtrArray *callers,
		  enum callee_form form, GPtrArray *ret);

#endif
