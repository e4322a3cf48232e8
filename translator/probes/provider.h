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

/* A variable of a probe, as stap -L lists it: "$file:struct file*". */
struct listed_variable {
	const char *name, *type;
	const char *place; /* where it is at the probe; NULL: a variable of the handler */
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
	 * Append the variables of a probe to @p ret (struct listed_variable *), for stap -L. If the hook is NULL, the
	 * variables of the probed function are listed.
	 */
	void (*list_variables)(struct translation *t, const struct derived_probe *probe, GPtrArray *ret);
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

/** Append a variable, of the handler if @p place is NULL, to a list. */
void list_variable(struct translation *t, GPtrArray *ret, const char *name, const char *type, const char *place);

/** Return a new derived probe of @p point. The family sets its registration, and point_text if it differs. */
struct derived_probe *derived_probe_new(struct translation *t, const struct probe_point *point);

#endif
