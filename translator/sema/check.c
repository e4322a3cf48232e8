// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules about whole handlers: loops and what may stand in them, arrays that must not change while they are walked,
 * embedded C without guru mode, locals that are read but never set.
 */
#include "translator/sema/embedded.h"
#include "translator/sema/sema.h"
#include "translator/util/i18n.h"

struct checker {
	struct translation *t;
	GPtrArray *walked; /* of struct symbol *: arrays of the foreach loops around */
	GHashTable *followed; /* set of functions whose body was looked at for changes of what is walked now */
	GPtrArray *locals;
	int loops;
};

static void check(struct checker *c, struct statement *s);

/* ---- arrays under foreach ---------------------------------------------------------------------------------------- */

static struct symbol *changed_symbol(const struct expr *expr)
{
	const struct expr *target = NULL;

	if (expr->kind == EXPR_ASSIGN)
		target = expr->left;
	else if (expr->kind == EXPR_INCREMENT)
		target = expr->operand;
	if (target && target->kind == EXPR_INDEX)
		target = target->left;
	return target && target->kind == EXPR_SYMBOL ? target->symbol : NULL;
}

static void refuse_change(struct checker *c, const struct symbol *symbol, const struct location *at)
{
	if (!symbol || !g_ptr_array_find(c->walked, symbol, NULL))
		return;
	diagnose(c->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), at,
		 _("'%s' is changed while foreach walks it"), symbol->name);
	diagnose_hint(c->t->diagnostics, _("collect what to change in another array and change it after the loop"));
}

static void check_function_changes(struct checker *c, struct function_declaration *function);

static void check_embedded_changes(struct checker *c, const GPtrArray *uses, const struct location *at)
{
	for_each_ptr(const struct embedded_use *, use, uses) {
		if (use->writes)
			refuse_change(c, use->global, at);
	}
}

/* The tapset may call what is marked so; others only in guru mode. */
static void check_guru_call(struct checker *c, const struct expr *call)
{
	for_each_ptr(const struct function_declaration *, function, call->overloads) {
		if (!function->is_embedded || !embedded_says(function->body->code, "guru") || !call->location.file ||
		    call->location.file->privileged)
			continue;
		diagnose(c->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &call->location,
			 _("function '%s' may be called in guru mode only"), function->name);
		diagnose_hint(c->t->diagnostics, _("run stap with -g if you know what it does"));
	}
}

static void check_expr(struct expr **expr, void *data)
{
	struct checker *c = data;
	struct symbol *changed = changed_symbol(*expr);

	check_guru_call(c, *expr);

	refuse_change(c, changed, &(*expr)->location);
	if (changed)
		changed->writes++;
	if ((*expr)->kind == EXPR_SYMBOL)
		(*expr)->symbol->reads++;
	check_embedded_changes(c, (*expr)->embedded_globals, &(*expr)->location);
	for_each_ptr(struct function_declaration *, function, (*expr)->overloads) {
		if (c->walked->len)
			check_function_changes(c, function);
	}
}

/* Once is enough as long as the same arrays are walked; functions may call each other in all directions. */
static void check_function_changes(struct checker *c, struct function_declaration *function)
{
	if (g_hash_table_add(c->followed, function))
		check(c, function->body);
}

static struct symbol *aggregate_symbol(const struct expr *histogram)
{
	const struct expr *operand = histogram->operand;

	return operand->kind == EXPR_INDEX ? operand->left->symbol : operand->symbol;
}

/* The body of a foreach, with one more array that must not change. */
static void check_walk(struct checker *c, struct symbol *array, struct statement *body)
{
	g_autoptr(GHashTable) followed = g_hash_table_new(NULL, NULL);
	GHashTable *outer = c->followed;

	c->followed = followed;
	g_ptr_array_add(c->walked, array);
	check(c, body);
	g_ptr_array_remove_index(c->walked, c->walked->len - 1);
	c->followed = outer;
}

static void check_foreach(struct checker *c, struct statement *s)
{
	struct symbol *array = s->array->kind == EXPR_SYMBOL ? s->array->symbol : NULL;

	if (array && g_ptr_array_find(c->walked, array, NULL))
		diagnose(c->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &s->location,
			 _("'%s' is already walked by a foreach around this one"), array->name);
	for_each_ptr(struct expr *, key, s->keys)
		key->symbol->writes++;
	if (s->value)
		s->value->symbol->writes++;
	/* A histogram is fixed just as its array is, but may well be walked inside of a walk of that. */
	if (s->array->kind == EXPR_HISTOGRAM) {
		expr_walk(&s->array, check_expr, c);
		array = aggregate_symbol(s->array);
	}
	c->loops++;
	/* A function that calls itself from its own foreach ends here. */
	if (array && !g_ptr_array_find(c->walked, array, NULL))
		check_walk(c, array, s->body);
	else
		check(c, s->body);
	c->loops--;
}

static void check_loop_exit(struct checker *c, const struct statement *s)
{
	if (!c->loops)
		diagnose(c->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &s->location,
			 s->kind == STATEMENT_BREAK ? _("break outside of a loop") : _("continue outside of a loop"));
}

static void check_own_exprs(struct checker *c, struct statement *s)
{
	struct expr **exprs[] = {&s->init, &s->expr, &s->update, &s->limit};

	for (size_t i = 0; i < G_N_ELEMENTS(exprs); i++)
		expr_walk(exprs[i], check_expr, c);
	for (guint i = 0; s->slice && i < s->slice->len; i++)
		expr_walk((struct expr **)&s->slice->pdata[i], check_expr, c);
}

static void check_children(struct checker *c, struct statement *s)
{
	bool loop = s->kind == STATEMENT_WHILE || s->kind == STATEMENT_FOR;

	c->loops += loop;
	check(c, s->body);
	c->loops -= loop;
	for_each_ptr(struct statement *, child, s->statements)
		check(c, child);
	if (s->catch_variable)
		s->catch_variable->symbol->writes++;
	check(c, s->otherwise);
}

static void check_delete(struct checker *c, const struct statement *s)
{
	const struct expr *target = s->expr->kind == EXPR_INDEX ? s->expr->left : s->expr;

	if (target->kind == EXPR_SYMBOL) {
		refuse_change(c, target->symbol, &s->location);
		target->symbol->writes++;
	}
}

static void check(struct checker *c, struct statement *s)
{
	if (!s)
		return;
	check_own_exprs(c, s);
	switch (s->kind) {
	case STATEMENT_FOREACH:
		check_foreach(c, s);
		return;
	case STATEMENT_BREAK:
	case STATEMENT_CONTINUE:
		check_loop_exit(c, s);
		return;
	case STATEMENT_DELETE:
		check_delete(c, s);
		return;
	case STATEMENT_EMBEDDED:
		check_embedded_changes(c, s->embedded_globals, &s->location);
		return;
	default:
		check_children(c, s);
		return;
	}
}

/* ---- whole handlers ---------------------------------------------------------------------------------------------- */

/* reads counts every mention, writes the mentions that set. */
static void warn_never_set(struct checker *c)
{
	for_each_ptr(const struct symbol *, local, c->locals) {
		g_autoptr(GPtrArray) names = NULL;
		const char *near;

		if (local->writes)
			continue;
		names = g_ptr_array_new();
		for_each_ptr(const struct symbol *, global, c->t->globals) {
			if (!global->is_private || global->location.file == local->location.file)
				g_ptr_array_add(names, (void *)global->name);
		}
		for_each_ptr(const struct symbol *, other, c->locals)
			if (other != local)
				g_ptr_array_add(names, (void *)other->name);
		diagnose(c->t->diagnostics, SEVERITY_WARNING, N_("WARNING"), &local->location,
			 _("'%s' is read but never set"), local->name);
		near = nearest_matches(c->t->arena, local->name, names, "", 3);
		if (near)
			diagnose_hint(c->t->diagnostics, _("did you mean: %s"), near);
	}
}

/* @p at_entry: of a return probe, what is computed with the same locals at the function's entry; NULL: of no probe. */
static void check_body(struct translation *t, struct statement *body, GPtrArray *at_entry, GPtrArray *locals)
{
	g_autoptr(GPtrArray) walked = g_ptr_array_new();
	g_autoptr(GHashTable) followed = g_hash_table_new(NULL, NULL);
	struct checker c = {.t = t, .walked = walked, .followed = followed, .locals = locals};

	check(&c, body);
	for (guint i = 0; at_entry && i < at_entry->len; i++)
		expr_walk((struct expr **)&at_entry->pdata[i], check_expr, &c);
	warn_never_set(&c);
}

static void check_embedded(struct translation *t, const struct function_declaration *function)
{
	const char *code = function->body->code;

	if (embedded_says(code, "stable") &&
	    (!embedded_says(code, "pure") || (function->parameters && function->parameters->len)))
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &function->location,
			 _("'%s' is marked stable, so it must be marked pure and have no parameters"), function->name);
	if (function->script->privileged)
		return;
	diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &function->location,
		 _("embedded C in '%s' needs guru mode"), function->name);
	diagnose_hint(t->diagnostics, _("run stap with -g if you trust the script with the whole kernel"));
}

bool check_handlers(struct translation *t)
{
	for_each_ptr(struct function_declaration *, function, t->functions) {
		if (function->is_embedded)
			check_embedded(t, function);
		else
			check_body(t, function->body, NULL, function->locals);
	}
	for_each_ptr(struct derived_probe *, probe, t->probes)
		check_body(t, probe->body, probe->entry_values, probe->locals);
	return diagnostics_errors(t->diagnostics) == 0;
}
