// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arming conditions: which conditions of probe points the runtime can compute by itself, to disarm a probe while its
 * condition does not hold (runtime/condition.c). The handler still tests it, so nothing depends on this.
 *
 * A condition is computed outside of any handler and without locks. So it is one if it is made of numbers, globals that
 * are numbers, and operators that cannot fail; and if nothing of the handler stands before it, such as the prologue of an
 * alias.
 */
#include "translator/sema/sema.h"

static void find_unfit(struct expr **expr, void *data)
{
	const struct expr *e = *expr;
	bool *fits = data;

	switch (e->kind) {
	case EXPR_NUMBER:
	case EXPR_UNARY:
	case EXPR_LOGICAL:
	case EXPR_CONDITIONAL:
		break;
	case EXPR_SYMBOL:
		*fits = *fits && e->symbol->is_global && e->symbol->arity <= 0 && e->symbol->type == TYPE_LONG;
		break;
	case EXPR_BINARY:
	case EXPR_COMPARE:
		*fits = *fits && e->left->type == TYPE_LONG && e->op != OP_DIVIDE && e->op != OP_MODULO;
		break;
	default:
		*fits = false;
		break;
	}
}

void arming_conditions(const struct derived_probe *probe, GPtrArray *ret)
{
	struct statement *s = probe->body;

	while (s) {
		bool fits = true;

		if (s->kind == STATEMENT_BLOCK && s->statements->len == 1) {
			s = g_ptr_array_index(s->statements, 0);
			continue;
		}
		if (s->kind != STATEMENT_IF || !s->is_arming_condition)
			return;
		expr_walk(&s->expr, find_unfit, &fits);
		if (!fits)
			return;
		g_ptr_array_add(ret, s->expr);
		s = s->body;
	}
}

static void add_global(struct expr **expr, void *data)
{
	if ((*expr)->kind == EXPR_SYMBOL)
		g_hash_table_add(data, (*expr)->symbol);
}

GHashTable *condition_globals(const struct translation *t)
{
	GHashTable *globals = g_hash_table_new(NULL, NULL);

	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		g_autoptr(GPtrArray) conditions = g_ptr_array_new();

		arming_conditions(probe, conditions);
		for (guint i = 0; i < conditions->len; i++)
			expr_walk((struct expr **)&conditions->pdata[i], add_global, globals);
	}
	return globals;
}
