// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conditions by which the runtime arms and disarms probes: it disarms a probe while its condition is false, and
 * evaluates the condition again when a global in it was written (runtime/core/condition.c).
 *
 * The runtime evaluates them outside of handlers, without locks. So they may only consist of integer globals, numbers
 * and operators. Other conditions, and those of probes that cannot be disarmed, are only an "if" in the handler.
 */
#include "translator/emit/condition.h"

/* Does the runtime have a rearm() for the probe's family? */
static const bool can_be_disarmed[STP_PROBE_KIND_COUNT_] = {
	[STP_PROBE_TIMER] = true,      [STP_PROBE_FUNCTION] = true,   [STP_PROBE_KPROBE] = true,
	[STP_PROBE_KRETPROBE] = true,  [STP_PROBE_TRACEPOINT] = true, [STP_PROBE_PERF] = true,
	[STP_PROBE_WATCHPOINT] = true,
};

static bool is_followed(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_NUMBER:
		return true;
	case EXPR_SYMBOL:
		return e->symbol->is_global && e->symbol->arity <= 0 && e->symbol->type == TYPE_LONG;
	case EXPR_UNARY:
		return is_followed(e->operand);
	case EXPR_BINARY:
	case EXPR_COMPARE:
	case EXPR_LOGICAL:
		return is_followed(e->left) && is_followed(e->right);
	case EXPR_CONDITIONAL:
		return is_followed(e->condition) && is_followed(e->left) && is_followed(e->right);
	default:
		return false;
	}
}

struct gate_search {
	const struct statement *gate;
	bool found;
};

static void find_gate(struct statement *statement, void *data)
{
	struct gate_search *search = data;

	search->found |= statement == search->gate;
}

/* Is the gate still in the body? The optimizer may have dropped it, and the globals in it. */
static bool is_in_use(const struct derived_probe *probe)
{
	struct gate_search search = {.gate = probe->gate};

	statement_visit(probe->body, find_gate, &search);
	return search.found;
}

/* Is it a counter for @perf, which has no handler? */
static bool only_counts(const struct derived_probe *probe)
{
	return probe->registration.details && probe->registration.details->counter;
}

struct expr *armed_condition(const struct derived_probe *probe)
{
	unsigned int kind = probe->registration.kind;

	if (!probe->gate || only_counts(probe) || !can_be_disarmed[kind] || !is_in_use(probe) ||
	    probe->gate->expr->kind == EXPR_NUMBER || !is_followed(probe->gate->expr))
		return NULL;
	return probe->gate->expr;
}

static void note_global(struct expr **expr, void *data)
{
	if ((*expr)->kind == EXPR_SYMBOL)
		(*expr)->symbol->arms_probes = true;
}

void note_conditions(const struct translation *t)
{
	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		struct expr *condition = armed_condition(probe);

		if (condition)
			expr_walk(&condition, note_global, NULL);
	}
}
