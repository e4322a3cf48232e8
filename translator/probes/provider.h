/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe family. One file and one row in registry.c each; nothing else in the translator knows the families.
 *
 * A provider is a list of patterns of probe point components. The resolver (sema/derive.c) matches a point against all
 * patterns of all providers and calls `resolve` for the match.
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
	bool repeats; /* may stand there several times; of one component at the most */
};

enum { PATTERN_COMPONENTS = 6 };

/* One accepted form of a probe point, e.g. kernel.function("…").return.maxactive(n). */
struct point_pattern {
	struct component_pattern components[PATTERN_COMPONENTS]; /* ends with a NULL name */
	int variant; /* the provider's own number for this form */
	const char *refused; /* it is in the language, but cannot be had: why; NULL: it can */
};

struct provider {
	const char *name;
	const char *summary;
	const struct point_pattern *patterns; /* ends with an empty pattern */
	bool unprivileged; /* touches nobody else: users of --privilege=stapusr may have it */
	/**
	 * Turn a matching point into derived probes, appended to @p ret. Fills point, point_text, function_name,
	 * registration and function of each; the caller sets the rest. Problems are diagnosed at the point.
	 */
	void (*resolve)(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
			GPtrArray *ret);
	/**
	 * Lower one $variable expression (EXPR_TARGET) for a derived probe. Returns the replacement, or NULL after
	 * diagnosing. NULL hook: the family has no $variables.
	 */
	struct expr *(*target_variable)(struct translation *t, struct derived_probe *probe, struct expr *target);
	/**
	 * Lower an assignment (EXPR_ASSIGN) whose left side is a $variable; its right side is lowered already. Returns
	 * the replacement, or NULL after diagnosing. NULL hook: its $variables cannot be written.
	 */
	struct expr *(*assign_variable)(struct translation *t, struct derived_probe *probe, struct expr *assignment);
	/** Add the variables of a probe to its line in a list (" name:type"…). NULL hook: those of its function. */
	void (*list_variables)(const struct derived_probe *probe, GString *line);
};

extern const struct provider session_provider, timer_provider, function_provider, statement_provider, kprobe_provider,
	tracepoint_provider, perf_provider, watchpoint_provider, netfilter_provider, procfs_provider, process_provider,
	mark_provider, plt_provider, syscall_provider;

/** All providers, NULL-terminated. */
extern const struct provider *const providers[];

/* ---- help for providers ----------------------------------------------------------------------------------------- */

/** The argument of component @p index; the pattern guarantees its kind. */
const char *point_string(const struct probe_point *point, unsigned int index);
int64_t point_number(const struct probe_point *point, unsigned int index);

const char *point_component_name(const struct probe_point *point, unsigned int index);

/** A derived probe of @p point, whose text it has unless the family sets another. */
struct derived_probe *derived_probe_new(struct translation *t, const struct probe_point *point);

/* ---- variables.c and its neighbours (lowering.h): $variables over debuginfo, for the families that have it ------- */

/** Lower a $variable of a function-based probe. */
struct expr *lower_variable(struct translation *t, struct derived_probe *probe, struct expr *target);
/** The expression of a value that debuginfo describes, in a probe. */
struct expr *lower_value(struct translation *t, struct derived_probe *probe, const struct location *at,
			 struct debuginfo *debuginfo, const struct value *value);
/** Is this a variable of the implementation, which users are not shown? */
bool variable_is_hidden(const struct derived_probe *probe, const struct variable *variable);
/** Lower @cast(…) and @var("name@file", "module"), which need no probe; @p probe may be NULL. */
struct expr *lower_cast(struct translation *t, struct derived_probe *probe, struct expr *target);
/** @sizeof, @offsetof, @container_of; @enum, @enumname: NULL after a diagnostic. Operands are lowered already. */
struct expr *lower_size_operator(struct translation *t, struct derived_probe *probe, struct expr *e);
struct expr *lower_enum_operator(struct translation *t, struct derived_probe *probe, struct expr *e);
struct expr *lower_global_variable(struct translation *t, struct derived_probe *probe, struct expr *target);

/* ---- mark.c ------------------------------------------------------------------------------------------------------ */

/** The arguments of a mark (const struct variable *); none of a probe that has no named_place. */
const GPtrArray *named_place_arguments(const struct derived_probe *probe);

/* ---- unwinders.c ------------------------------------------------------------------------------------------------- */

/**
 * Where exceptions begin and end in processes that have a program or library, appended to @p ret (of struct unwinder *,
 * each once; NULL: nothing is).
 *
 * @return Whether its own exceptions are seen by these, that is those that it or a library that it needs raises.
 */
bool find_unwinders(struct translation *t, struct debuginfo *debuginfo, GPtrArray *ret);
/** Is it where exceptions begin, so that its own functions are on the stack that is walked? */
bool is_unwinder(struct translation *t, struct debuginfo *debuginfo);

/* ---- syscall_aliases.c ------------------------------------------------------------------------------------------- */

/** Make the aliases of system calls that a point may mean (syscall.openat…), once each, as a part of the library. */
void provide_syscall_aliases(struct translation *t, const struct probe_point *point);
/** Is it what those aliases lead to? No alias is, of whatever name. */
bool is_syscall_row(const struct probe_point *point);
/** Names near that of a system call that there is not, which @p culprit becomes; NULL: none, or it is another point. */
const char *near_syscalls(struct translation *t, const struct probe_point *point,
			  const struct probe_component **culprit);
/** Add what aliases can set in a system call's probe, whether the script uses it or not; in other probes, nothing. */
void syscall_variable_names(const struct derived_probe *probe, GPtrArray *names);
/** All of them, for lists, under the first of their names: syscall. */
void provide_all_syscall_aliases(struct translation *t);

/* ---- type_modules.c ---------------------------------------------------------------------------------------------- */

/* Takes what it looks for from one module; ERROR_LOOKUP if it is not there. */
typedef struct error *search_module(struct debuginfo *debuginfo, void *data);

/**
 * Search what the last argument of @cast and its like names ("kernel", "module:<sys/stat.h>"…; NULL: the debuginfo of
 * the probe, or of the kernel), until one of them has it.
 */
struct error *search_modules(struct translation *t, struct derived_probe *probe, const char *modules,
			     search_module *search, void *data);
/** A type, found so. */
struct error *find_named_type(struct translation *t, struct derived_probe *probe, const char *name, const char *modules,
			      struct type **ret);

/* ---- perf.c ------------------------------------------------------------------------------------------------------ */

/** Lower @perf("name"). NULL after diagnosing. */
struct expr *lower_perf(struct translation *t, struct expr *perf);

/* ---- pretty.c ---------------------------------------------------------------------------------------------------- */

/* A value under way down a chain of components: what it is and how to get it. */
struct typed_value {
	struct type *type;
	enum memory_space memory; /* that it is in, if it is in memory */
	struct expr *address; /* in memory: its address; else NULL */
	struct expr *value; /* not in memory: the value itself */
	const struct typed_value *target; /* a pointer without a value: what it would lead to; then the rest is NULL */
	const GPtrArray *parts; /* in several places: struct value_part *; then the two are NULL */
	uint64_t offset; /* with parts: where in the variable it is */
};

/* Some bytes of a value that is in several places. */
struct value_part {
	uint64_t offset, size;
	uint64_t lost_bits; /* of the value */
	struct expr *address, *value; /* one of them, or none: it is nowhere */
};

/** An element of an array with elements of a known size, wherever the array is. */
struct typed_value element_value(struct arena *arena, const struct typed_value *array, uint64_t index);

/** What a pointer points to, @p index elements behind; one without a value leads to no address. */
struct typed_value dereference(struct arena *arena, const struct typed_value *pointer, int64_t index);

/** The suffixes "$" and, with two @p dollars, "$$": a string that shows the value with its members, or all within. */
struct expr *pretty_print(struct translation *t, const struct location *at, const struct typed_value *value,
			  int dollars);

/** Read a scalar (integer, enum, pointer) as a 64-bit number; arrays give their address. NULL if it is no scalar. */
struct expr *read_scalar(struct arena *arena, const struct typed_value *value);
/** A member of a struct that is in memory or, if it fits a register, in a value. */
struct typed_value member_value(struct arena *arena, const struct typed_value *outer, const struct member *member,
				struct expr **bit_field);

#endif
