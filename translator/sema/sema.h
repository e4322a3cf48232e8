/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 2 turns syntax trees into probes that can be armed, and handlers in which every name and type is known.
 * analyze.c runs these stages in this order:
 *
 *     derive.c     Expand aliases and wildcards of probe points, ask the providers: one derived probe per place.
 *     lower.c      Decide @defined and constant conditions, drop dead branches, turn $variables into loads.
 *     bind.c       Bind names to globals, locals and functions, and collect what the probes reach. A library script
 *                  that is reached adds its own probes: they are derived, lowered and bound in turn.
 *     types.c      Infer types to a fixed point; compile regular expressions (regex.c, regex_tables.c).
 *     check.c      Check the rules about whole handlers, such as foreach over an array that the loop changes.
 *     privilege.c  Reject what --privilege forbids.
 *     stack_keys.c Find keys of arrays that are stacks.
 *     key_names.c  Find names for the keys of arrays.
 *     own_output.c Warn about output that does not fit a script whose output has a format.
 *     globals.c    Apply -G, warn about globals, add the probe that displays them at the end.
 *     optimize.c   Fold constants, drop code without effect, move expensive calls to where they are needed (sink.c).
 *     locks.c      Find the locks that each handler needs, and the statements that must hold them.
 *     targets.c    List the objects that addresses are relative to, the tables of source lines, and the programs whose
 *                  tables the module contains (user_objects.c).
 *
 * These files serve several stages:
 *
 *     call_sites.c             the calls in the script that lead to an error in the library
 *     suggest_points.c         similar names for an unknown probe point
 *     suggest_replacements.c   names of SystemTap's library that ours does not have
 *     scope.c                  which declarations a name can mean at a place
 *     specialize.c             copies of functions that use $variables, one per probe
 *     pointers.c               C types of script variables
 *     embedded.c               markers in comments of embedded C
 *     builder.c                construction of expressions and statements
 */
#ifndef SPILE_SEMA_SEMA_H
#define SPILE_SEMA_SEMA_H

#include "translator/translation.h"

/** Run all stages. Return false if there were errors; they are in t->diagnostics. */
bool analyze(struct translation *t);

/**
 * The same for a script in an editor, which may be damaged: all stages up to types run, but only the diagnostics of the
 * first with an error are kept, as analyze() would report them.
 */
bool analyze_edited(struct translation *t);

/** Add to each error in a function of the library the place in the script from which it is called. */
void note_call_sites(struct translation *t);
/** For -L: fill in derived_probe.locals of the first probe of each alias, as far as possible. Drops diagnostics. */
void analyze_listed(struct translation *t);
/** For --dump-functions: bind the library's functions and infer their types, without a script. */
bool analyze_library(struct translation *t);
/** Return "long", "string", "stats" or "unknown". */
const char *type_text(enum value_type type);

struct point_pattern;
/* What a component of a probe point can be. */
struct point_name {
	const char *name; /* may be a wildcard such as "*" in "timer.*" */
	int argument; /* enum component_argument */
	const char *refused; /* why the form is not supported, or NULL */
	const struct alias *alias; /* NULL: of a provider */
	bool is_last; /* the point may end here */
};

/** Return what can follow the complete components of a point (const struct point_name *); nothing if none matches. */
const GPtrArray *next_point_names(struct translation *t, const struct probe_point *point);
bool derive_probes(struct translation *t);
/** Append the probes of one probe of a script to @p found. Errors become diagnostics. */
void derive_probe(struct translation *t, const struct probe *probe, GPtrArray *found);
/** Does @p pattern, the name of a component that may contain wildcards, match @p name? */
bool name_matches(const char *pattern, const char *name);
/** Return the number of the pattern's components. */
unsigned int pattern_length(const struct point_pattern *pattern);
/**
 * Suggest names for the first component of an unknown probe point that matches nothing, which is returned in @p
 * culprit. These are similar names, else all possible ones if they are few. Return NULL if there are none.
 */
const GPtrArray *near_point_names(struct translation *t, const struct probe_point *point,
				  const struct probe_component **culprit);
/** Append the probes of library scripts that the script reaches. Return false if there are no new ones. */
bool derive_library_probes(struct translation *t);
/** Sort begin, end and error probes by their order numbers. */
void sort_probes(struct translation *t);
/** Lower the body of a handler. */
void lower_statement(struct translation *t, struct derived_probe *probe, struct statement **statement);
/**
 * Lower an expression of a handler after a copy of the handler's body, which tells the C types of variables. Drop all
 * diagnostics. The result has a c_type if it is a C value; it is 0 if the expression cannot be lowered.
 */
void lower_trial(struct translation *t, struct derived_probe *probe, struct expr **expr);
/** Lower the body of a function, unless that was done before. */
void lower_function(struct translation *t, struct function_declaration *function);
/** Bind the probes from index @p first on, and the functions they reach. 0 forgets what was bound before. */
bool bind_names(struct translation *t, guint first);
/** Suggest "$name" or "name()" for a variable that never gets a value. Return NULL if neither exists. */
const char *suggest_value_for(struct translation *t, struct derived_probe *probe, const char *name);
/** Bind every function of the library, as if a probe called it. */
bool bind_library(struct translation *t);
/** Can a call of the function continue with the next overload (next, STAP_NEXT)? */
bool function_passes_on(const struct function_declaration *function);
/** Infer all types. A type that stays unknown is an error. */
bool infer_types(struct translation *t);
/** Infer types as far as possible. A type may stay unknown without an error. */
bool infer_known_types(struct translation *t);
/** Does reachable embedded C mention this function of the runtime? */
bool embedded_code_uses(const struct translation *t, const char *name);
/** Does the script ask what a regular expression matched (matched(), ngroups())? */
bool wants_regex_groups(const struct translation *t);
/**
 * Return the number of buckets of an EXPR_HISTOGRAM, at most INT32_MAX. Linear: includes the two for outliers; 0 if the
 * width is not positive.
 */
int64_t histogram_buckets(const struct expr *histogram);
bool check_handlers(struct translation *t);
/** Set t->output_format, and warn about what the script prints in another format. */
void check_output_format(struct translation *t);
/** Fill in symbol.stack_keys of the arrays. */
void find_stack_keys(struct translation *t);
/** Report it if --report has a format for one array with stacks, and the script does not have exactly one. */
void check_report_format(struct translation *t);
/** Fill in symbol.key_names of the script's arrays. Before $variables are lowered. */
void find_key_names(struct translation *t);
/** Report what the script does in spite of --privilege. */
bool check_privilege(struct translation *t);
/** Apply -G, warn about globals, and add probes that display the globals that are only written. */
bool finish_globals(struct translation *t);
/** Does the alias that the probe names set a variable of this name? */
bool alias_sets(const struct derived_probe *probe, const char *name);
/** Add the symbols (struct symbol *) that a body reads and writes to two sets. */
void collect_usage(struct statement *body, GHashTable *read, GHashTable *written);
/** Fold constants and drop code without effect, unless -u was given. */
void optimize(struct translation *t);
/** Is the expression free of side effects? */
typedef bool (*expr_test)(void *data, struct expr *e);
/** Move expensive calls into the branch that uses their value. */
void sink_values(struct arena *arena, struct statement *body, expr_test is_pure, void *data);

/* ---- lock plan -------------------------------------------------------------------------------------------------- */

/* A global whose lock a handler must hold in its lock region. */
struct global_lock_use {
	struct symbol *global;
	bool writes; /* needs the write lock */
};

/* Where a handler holds its locks: from `first` to `last`, which are the same statement or in the same block. */
struct lock_region {
	GPtrArray *uses; /* of struct global_lock_use *, in the order of t->globals; never empty */
	const struct statement *first, *last;
};

/** Fill in derived_probe.lock_region of all probes, and the facts for is_atomic_scalar() and is_only_fed(). */
void plan_locks(struct translation *t);
/** Is every access to this integer scalar a single atomic operation? Then it has no lock. After plan_locks(). */
bool is_atomic_scalar(const struct symbol *global);

/** Do event probes only add to this aggregate, or to this array's elements? Then they do not exclude each other. */
bool is_only_fed(const struct symbol *global);

/** Return the array element of an expression that only adds to it, as "n[k]++" does, or NULL. */
const struct expr *counted_element(const struct expr *e);

/* ---- targets ----------------------------------------------------------------------------------------------------- */

/** Fill in the targets, used recorders and unwinders, line tables, user_objects and kernel addresses of @p t. */
void plan_targets(struct translation *t);
/** Return the index in t->targets of the object and section that an address is relative to. */
unsigned int target_number(const struct translation *t, const struct debuginfo *debuginfo, const char *section);

/* ---- stacks of programs: user_objects.c -------------------------------------------------------------------------- */

/** Does the script ask for stacks or symbols of programs? */
bool wants_user_stacks(const struct translation *t);
/** Does the script ask for source lines of programs? */
bool wants_user_lines(const struct translation *t);
/** Fill in t->user_objects, the programs whose tables the module contains. Needs t->targets. */
void plan_user_objects(struct translation *t);
/** Does an argument of -d name a program or library, not a kernel module? */
bool names_program(const struct translation *t, const char *module);

/** Print what pass 2 found (-p2). */
void print_analysis(const struct translation *t, FILE *out);

#endif
