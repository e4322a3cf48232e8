// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Light handlers: those that only change integer globals, with one atomic operation each ("n++", "n += 4").
 *
 * Such a handler cannot fail, print or wait, and an interrupt's handler cannot disturb it. So the runtime runs it
 * without a context (stp_probe.light in runtime/abi/layout.h), at little more than the cost of the kernel's probe
 * mechanism.
 */
#include "translator/emit/counter_handlers.h"
#include "translator/sema/sema.h"

/* Is it an integer global that is changed atomically, and that no condition of a probe depends on? */
static bool is_counter(const struct expr *target)
{
	const struct symbol *symbol = target->symbol;

	return target->kind == EXPR_SYMBOL && symbol->is_global && symbol->arity <= 0 && symbol->type == TYPE_LONG &&
	       is_atomic_scalar(symbol) && !symbol->arms_probes;
}

static bool is_counting(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_INCREMENT:
		return is_counter(e->operand);
	case EXPR_ASSIGN:
		return (e->op == OP_NONE || e->op == OP_ADD || e->op == OP_SUBTRACT) && is_counter(e->left) &&
		       e->right->kind == EXPR_NUMBER;
	default:
		return false;
	}
}

static bool is_light(const struct statement *s)
{
	if (!s || s->kind == STATEMENT_EMPTY)
		return true;
	if (s->kind == STATEMENT_EXPR)
		return is_counting(s->expr);
	if (s->kind != STATEMENT_BLOCK)
		return false;
	for_each_ptr(const struct statement *, child, s->statements) {
		if (!is_light(child))
			return false;
	}
	return true;
}

bool is_light_handler(const struct translation *t, const struct derived_probe *probe)
{
	/* -t and STP_EXECTRACE need a context; -u disables special cases. */
	if (t->options->timing || t->limits.exec_trace || t->options->unoptimized)
		return false;
	return !probe->locals->len && !probe->entry_values->len && !probe->lock_region && is_light(probe->body);
}
