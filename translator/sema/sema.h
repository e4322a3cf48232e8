/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 2: from trees to probes that can be armed and handlers whose every name and type is known. The stages, in
 * order, each a file:
 *
 *     derive.c   probe points: aliases and wildcards expanded, providers asked; one derived probe per place
 *     near.c     what a point that there is not was probably to be
 *     lower.c    @defined and constant conditions decided, dead arms dropped, $variables turned into loads
 *     scope.c    what a name can mean where it is written
 *     bind.c     names bound to globals, locals and functions; what is reachable is collected
 *     context.c  copies of functions that use $variables, one for each probe that calls them
 *     types.c    types inferred to a fixed point
 *     check.c    what a whole handler must obey (foreach over an array that it changes…), warnings
 *     privilege.c  what --privilege forbids
 *     globals.c  -G, warnings about globals, their display at the end
 *     optimize.c constants folded, what has no effect left out
 *     targets.c  what addresses are relative to, and the tables of source lines
 *     locks.c    which locks a handler needs and over which statements
 */
#ifndef SPILE_SEMA_SEMA_H
#define SPILE_SEMA_SEMA_H

#include "translator/translation.h"

/** Run all stages. False if there were errors (they are in t->diagnostics). */
bool analyze(struct translation *t);

/** What the handlers of aliases set, as far as it can be known: fills in derived_probe.locals of the first of each. */
void analyze_listed(struct translation *t);
/** Bind and infer the functions of the library alone, for a list of them. */
bool analyze_library(struct translation *t);
/** "long", "string", "stats" or "unknown". */
const char *type_text(enum value_type type);

struct point_pattern;
bool derive_probes(struct translation *t);
/** Does the name of a point's component, which may have wildcards, match this one? */
bool name_matches(const char *pattern, const char *name);
/** How many components it has. */
unsigned int pattern_length(const struct point_pattern *pattern);
/**
 * Names that could stand at the first component of a point that fits nowhere, which is given as well: the near ones, or
 * all that are not too many. NULL: none.
 */
const char *near_point_names(struct translation *t, const struct probe_point *point,
			     const struct probe_component **culprit);
/** Append the probes of library scripts that are used. False: no new ones. */
bool derive_library_probes(struct translation *t);
void sort_probes(struct translation *t);
/** Lower one handler body; @p probe is NULL for functions. */
void lower_statement(struct translation *t, struct derived_probe *probe, struct statement **statement);
void lower_function(struct translation *t, struct function_declaration *function);
/** Bind probes from number @p first on, and what they reach; 0 begins anew. */
bool bind_names(struct translation *t, guint first);
/** What a name that nothing gives a value was probably to be: "$name" of the probe, "name()"; NULL: not known. */
const char *meant_instead(struct translation *t, struct derived_probe *probe, const char *name);
/** Make every function of the library live, as if a probe called it. */
bool bind_library(struct translation *t);
/** Can a call of the function go on to the next overload (next, STAP_NEXT)? */
bool function_passes_on(const struct function_declaration *function);
bool infer_types(struct translation *t);
/** As far as it goes: what nothing tells stays unknown. */
bool infer_known_types(struct translation *t);
/** Does embedded C that is used call this service of the runtime? */
bool embedded_code_uses(const struct translation *t, const char *name);
/** Does the script ask what a regular expression matched (matched(), ngroups())? */
bool wants_regex_groups(const struct translation *t);
/** Buckets of an EXPR_HISTOGRAM; of a linear one, with the two for what is out of range. INT32_MAX: so many or more. */
int64_t histogram_buckets(const struct expr *histogram);
bool check_handlers(struct translation *t);
/** --privilege: what the script may not do. */
bool check_privilege(struct translation *t);
/** -G, warnings about globals, and the probes that display those that are only written. */
bool finish_globals(struct translation *t);
/** Does the alias that the probe names set a variable of this name? */
bool alias_sets(const struct derived_probe *probe, const char *name);
/** Which symbols a handler or function reads, and which it writes: sets of struct symbol *. */
void collect_usage(struct statement *body, GHashTable *read, GHashTable *written);
/** Fold constants and drop what has no effect, unless -u was given. */
void optimize(struct translation *t);
/** Does evaluating it do nothing but give a value? */
typedef bool (*expr_test)(void *data, struct expr *e);
/** Values that are costly to come by are taken in the branch that wants them. */
void sink_values(struct arena *arena, struct statement *body, expr_test is_pure, void *data);

/* ---- lock plan -------------------------------------------------------------------------------------------------- */

/* A global that a handler must hold while it runs its region. */
struct global_lock_use {
	struct symbol *global;
	bool writes; /* the write lock, not only the read lock */
};

/* Where a handler holds its locks: from statement `first` to `last`, neighbours in one block (or the same). */
struct lock_region {
	GPtrArray *uses; /* of struct global_lock_use *, in the order of t->globals; never empty */
	const struct statement *first, *last;
};

/** Fill in derived_probe.lock_region of all probes, and the answers of is_atomic_scalar(). */
void plan_locks(struct translation *t);
/** Is every access to this integer scalar a single atomic one, in every handler? Then nobody locks it. */
bool is_atomic_scalar(const struct symbol *global);

/** Do event probes only add to this aggregate, or these elements, so that they need not keep each other out? */
bool is_only_fed(const struct symbol *global);

/** The element of an array of integers, if all that the expression does is adding to it, as in "n[k]++"; or NULL. */
const struct expr *counted_element(const struct expr *e);

/* ---- targets ----------------------------------------------------------------------------------------------------- */

/** Fill in the targets, the recorders that are used, tables of lines and the kernel's addresses. */
void plan_targets(struct translation *t);
/** The number of what an address is relative to. */
unsigned int target_number(const struct translation *t, const struct debuginfo *debuginfo, const char *section);

/* ---- stacks of programs: user_objects.c -------------------------------------------------------------------------- */

/** Does the script ask for stacks or symbols of programs? */
bool wants_user_stacks(const struct translation *t);
/** And for their source lines? */
bool wants_user_lines(const struct translation *t);
/** Fill in the programs whose tables the module brings. After the targets. */
void plan_user_objects(struct translation *t);
/** Does a word of -d name a program or library, and not a module of the kernel? */
bool names_program(const struct translation *t, const char *module);

/** Print what pass 2 found (-p2). */
void print_analysis(struct translation *t, FILE *out);

#endif
