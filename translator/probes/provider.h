/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of a probe family. Each family has one file and one row in registry.c; nothing else in the translator
 * knows the families.
 *
 * A provider lists patterns of probe point components. The resolver (sema/derive.c) matches a point against all
 * patterns of all providers and calls `resolve` for each match.
 */
#ifndef SPILE_PROBES_PROVIDER_H
#define SPILE_PROBES_PROVIDER_H

#include "translator/translation.h"

enum component_argument {
	NO_ARGUMENT,
	NUMBER_ARGUMENT,
	STRING_ARGUMENT,
	OPTIONAL_NUMBER,
	OPTIONAL_STRING,
	ANY_ARGUMENT
};

struct component_pattern {
	const char *name;
	enum component_argument argument;
	bool repeats; /* may occur several times in a row; at most one component of a pattern repeats */
};

enum { PATTERN_COMPONENTS = 6 };

/* One accepted form of a probe point, e.g. kernel.function("…").return.maxactive(n). */
struct point_pattern {
	struct component_pattern components[PATTERN_COMPONENTS]; /* ends with a NULL name */
	int variant; /* the provider's own number for this form */
	const char *refused; /* why this form of the language is not supported; NULL: it is */
};

struct provider {
	const char *name;
	const char *summary;
	const struct point_pattern *patterns; /* ends with an empty pattern */
	bool unprivileged; /* cannot affect other users: allowed with --privilege=stapusr */
	/**
	 * Append the derived probes of a matching point to @p ret. Set point, point_text, function_name, registration
	 * and function of each; the caller sets the rest. Diagnose problems at the point.
	 */
	void (*resolve)(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
			GPtrArray *ret);
	/**
	 * Lower one $variable expression (EXPR_TARGET) for a derived probe. Return the replacement, or NULL after a
	 * diagnostic. The hook is NULL if the family has no $variables.
	 */
	struct expr *(*target_variable)(struct translation *t, struct derived_probe *probe, struct expr *target);
	/**
	 * Lower an assignment (EXPR_ASSIGN) whose left side is a $variable; its right side is lowered already. Return
	 * the replacement, or NULL after a diagnostic. The hook is NULL if the family's $variables cannot be written.
	 */
	struct expr *(*assign_variable)(struct translation *t, struct derived_probe *probe, struct expr *assignment);
	/**
	 * Append the variables of a probe to its line of stap -L (" name:type"…). If the hook is NULL, the variables of
	 * the probed function are listed.
	 */
	void (*list_variables)(const struct derived_probe *probe, GString *line);
};

extern const struct provider session_provider, timer_provider, function_provider, statement_provider, kprobe_provider,
	tracepoint_provider, perf_provider, watchpoint_provider, netfilter_provider, procfs_provider, process_provider,
	mark_provider, plt_provider, syscall_provider;

/** All providers, NULL-terminated. */
extern const struct provider *const providers[];

/* ---- helpers for providers --------------------------------------------------------------------------------------- */

/** Return the argument of component @p index. The caller's pattern must guarantee its kind; no number gives 0. */
const char *point_string(const struct probe_point *point, unsigned int index);
int64_t point_number(const struct probe_point *point, unsigned int index);

const char *point_component_name(const struct probe_point *point, unsigned int index);

/** Return a new derived probe of @p point. The family sets its registration, and point_text if it differs. */
struct derived_probe *derived_probe_new(struct translation *t, const struct probe_point *point);

/* ---- variables.c and the files of lowering.h: $variables from debuginfo ------------------------------------------ */

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

/* ---- mark.c ------------------------------------------------------------------------------------------------------ */

/** Return the arguments of a mark (const struct variable *); an empty array if the probe has no named_place. */
const GPtrArray *named_place_arguments(const struct derived_probe *probe);

/* ---- unwinders.c ------------------------------------------------------------------------------------------------- */

/**
 * Find the functions by which exceptions begin and end in processes that map a program or library.
 *
 * @param[in,out] ret Gets each function once (struct unwinder *, owned by the arena); may be NULL.
 * @return Whether these functions see the exceptions that the object itself raises: the object, or an unwinder library
 * that it is linked with, has a function that begins exceptions.
 */
bool find_unwinders(struct translation *t, struct debuginfo *debuginfo, GPtrArray *ret);
/** Return whether exceptions begin in this object, so that the unwinder's own functions are on the stack it walks. */
bool is_unwinder(struct translation *t, struct debuginfo *debuginfo);

/* ---- syscall_aliases.c ------------------------------------------------------------------------------------------- */

/** Add the system call aliases that a point may name (syscall.openat…) to the library, each once. */
void provide_syscall_aliases(struct translation *t, const struct probe_point *point);
/** Return whether the point begins with "__syscall", the family that those aliases expand to. No alias matches it. */
bool is_syscall_row(const struct probe_point *point);
/**
 * Suggest names for an unknown system call and set @p culprit to the component that names it. Return NULL if no name is
 * near, or if the point is not one of a system call.
 */
const char *near_syscalls(struct translation *t, const struct probe_point *point,
			  const struct probe_component **culprit);
/** Append all variables that the aliases can set in a system call's probe, used or not. Ignore other probes. */
void syscall_variable_names(const struct derived_probe *probe, GPtrArray *names);
/** Add all aliases syscall.*, for lists. */
void provide_all_syscall_aliases(struct translation *t);

/* ---- type_modules.c ---------------------------------------------------------------------------------------------- */

/* Search one module for what @p data describes, and store it there; ERROR_LOOKUP if the module lacks it. */
typedef struct error *search_module(struct debuginfo *debuginfo, void *data);

/**
 * Call @p search for each of the modules that the last argument of @cast, @var, @sizeof… names, until one succeeds.
 *
 * @param[in] modules A list such as "kernel" or "module:<sys/stat.h>"; NULL for the probe's debuginfo, or the kernel's.
 */
struct error *search_modules(struct translation *t, struct derived_probe *probe, const char *modules,
			     search_module *search, void *data);
/** Find a type by its name with search_modules(). */
struct error *find_named_type(struct translation *t, struct derived_probe *probe, const char *name, const char *modules,
			      struct type **ret);

/* ---- perf.c ------------------------------------------------------------------------------------------------------ */

/** Lower @perf("name"). Return NULL after a diagnostic. */
struct expr *lower_perf(struct translation *t, struct expr *perf);

/* ---- pretty.c ---------------------------------------------------------------------------------------------------- */

/* An intermediate value of a chain of components such as $x->a[1]: its type, and one way to read it. */
struct typed_value {
	struct type *type;
	enum memory_space memory; /* which memory `address` belongs to */
	struct expr *address; /* of a value in memory; else NULL */
	struct expr *value; /* of a value in a register or computed; else NULL */
	/* What a pointer that was optimized away would point to; then `address`, `value` and `parts` are NULL. */
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

#endif
