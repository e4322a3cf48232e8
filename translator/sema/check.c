// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Check rules about whole handlers: break and continue outside of loops, arrays that change during a foreach, embedded
 * C without guru mode, conditions of probe points, and locals that are read but never set.
 */
#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/probes/provider.h"
#include "translator/probes/syscall_aliases.h"
#include "translator/sema/embedded.h"
#include "translator/sema/sema.h"

struct checker {
	struct translation *t;
	GPtrArray *walks; /* of struct statement *: the enclosing foreach loops, also those of callers */
	GHashTable *followed; /* set of functions whose body was checked within the innermost of `walks` */
	GPtrArray *locals;
	struct derived_probe *probe; /* NULL: a function's body */
	int loops;
};

static void check(struct checker *c, struct statement *s);

/* Nesting limit of foreach loops over one array: each level needs memory for its order of elements. */
enum { MOST_WALKS = 4 };

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

/* Return the array that a foreach iterates over; for a histogram, its aggregate. */
static struct symbol *walked_symbol(const struct statement *loop)
{
	const struct expr *operand;

	if (loop->array->kind == EXPR_SYMBOL)
		return loop->array->symbol;
	operand = loop->array->operand;
	return operand->kind == EXPR_INDEX ? operand->left->symbol : operand->symbol;
}

static bool is_walked(const struct checker *c, const struct symbol *symbol)
{
	for_each_ptr(const struct statement *, loop, c->walks) {
		if (walked_symbol(loop) == symbol && !loop->changes_element)
			return true;
	}
	return false;
}

static void refuse_change(struct checker *c, const struct symbol *symbol, const struct location *at)
{
	if (!symbol || !is_walked(c, symbol))
		return;
	diagnose(c->t->diagnostics, SEMANTIC_ERROR, at, _("'%s' is changed within a foreach over it"), symbol->name);
	diagnose_hint(c->t->diagnostics, _("note the changes in another array, and make them after the loop"));
}

static void check_function_changes(struct checker *c, struct function_declaration *function);

static void check_embedded_changes(struct checker *c, const GPtrArray *uses, const struct location *at)
{
	for_each_ptr(const struct embedded_use *, use, uses) {
		if (use->writes)
			refuse_change(c, use->global, at);
	}
}

/* Reject calls of functions marked "guru", except from the tapset and in guru mode. */
static void check_guru_call(struct checker *c, const struct expr *call)
{
	for_each_ptr(const struct function_declaration *, function, call->overloads) {
		if (!function->is_embedded || !embedded_says(function->body->code, "guru") || !call->location.file ||
		    call->location.file->privileged)
			continue;
		diagnose(c->t->diagnostics, SEMANTIC_ERROR, &call->location,
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
		if (c->walks->len)
			check_function_changes(c, function);
	}
}

/* Check the body of a called function for changes of the arrays in c->walks, once per foreach. */
static void check_function_changes(struct checker *c, struct function_declaration *function)
{
	if (g_hash_table_add(c->followed, function))
		check(c, function->body);
}

/* Check the body of a foreach, which must not change its array. */
static void check_walk(struct checker *c, struct statement *loop)
{
	g_autoptr(GHashTable) followed = g_hash_table_new(NULL, NULL);
	GHashTable *outer = c->followed;

	c->followed = followed;
	g_ptr_array_add(c->walks, loop);
	check(c, loop->body);
	g_ptr_array_remove_index(c->walks, c->walks->len - 1);
	c->followed = outer;
}

/* Find the nesting level of a foreach over the same array. Return false if it is too deep, or the loop is in itself. */
static bool place_walk(struct checker *c, struct statement *s)
{
	struct symbol *array = s->array->symbol;
	int around = 0;

	if (s->array->kind != EXPR_SYMBOL)
		return !g_ptr_array_find(c->walks, s, NULL);
	for_each_ptr(const struct statement *, loop, c->walks)
		around += loop->array->kind == EXPR_SYMBOL && loop->array->symbol == array;
	s->walk = MAX(s->walk, around);
	array->walks = MAX(array->walks, s->walk + 1);
	if (g_ptr_array_find(c->walks, s, NULL))
		diagnose(c->t->diagnostics, SEMANTIC_ERROR, &s->location,
			 _("this foreach over '%s' is nested in itself by a recursive call"), array->name);
	else if (around >= MOST_WALKS)
		diagnose(c->t->diagnostics, SEMANTIC_ERROR, &s->location,
			 _("more than %d nested foreach loops over '%s'"), MOST_WALKS, array->name);
	else
		return true;
	return false;
}

static void check_foreach(struct checker *c, struct statement *s)
{
	for_each_ptr(struct expr *, key, s->keys)
		key->symbol->writes++;
	if (s->value)
		s->value->symbol->writes++;
	if (s->array->kind == EXPR_HISTOGRAM)
		expr_walk(&s->array, check_expr, c);
	c->loops++;
	/* This ends recursion through a foreach. */
	if (place_walk(c, s))
		check_walk(c, s);
	c->loops--;
}

static void check_loop_exit(struct checker *c, const struct statement *s)
{
	if (!c->loops)
		diagnose(c->t->diagnostics, SEMANTIC_ERROR, &s->location,
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

/* Warn about locals without an assignment. */
static void warn_never_set(struct checker *c)
{
	for_each_ptr(const struct symbol *, local, c->locals) {
		g_autoptr(GPtrArray) names = NULL;
		const GPtrArray *near;
		const char *value;

		/* A local without reads was in a statement that types.c has skipped, with a warning. */
		if (local->writes || !local->reads)
			continue;
		names = g_ptr_array_new();
		for_each_ptr(const struct symbol *, global, c->t->globals) {
			if (!global->is_private || global->location.file == local->location.file)
				g_ptr_array_add(names, (void *)global->name);
		}
		for_each_ptr(const struct symbol *, other, c->locals)
			if (other != local)
				g_ptr_array_add(names, (void *)other->name);
		syscall_variable_names(c->probe, names);
		value = suggest_value_for(c->t, c->probe, local->name);
		near = value ? names_one(c->t->arena, value) : nearest_matches(c->t->arena, local->name, names, "", 3);
		diagnose(c->t->diagnostics, WARNING, &local->location, _("'%s' is read but never set"), local->name);
		if (near)
			diagnose_near(c->t->diagnostics, near);
	}
}

static void check_body(struct translation *t, struct derived_probe *probe, struct statement *body, GPtrArray *locals)
{
	g_autoptr(GPtrArray) walks = g_ptr_array_new();
	g_autoptr(GHashTable) followed = g_hash_table_new(NULL, NULL);
	struct checker c = {.t = t, .probe = probe, .walks = walks, .followed = followed, .locals = locals};

	check(&c, body);
	/* Entry values of a return probe use the same locals. */
	for (guint i = 0; probe && i < probe->entry_values->len; i++)
		expr_walk((struct expr **)&probe->entry_values->pdata[i], check_expr, &c);
	warn_never_set(&c);
}

/* ---- conditions of points ---------------------------------------------------------------------------------------- */

/*
 * Check the condition of a probe point. The runtime evaluates it outside of handlers whenever a global changes, so it
 * may only read globals and must not change anything.
 */
static void check_condition(struct expr **expr, void *data)
{
	struct translation *t = data;
	const struct expr *e = *expr;
	const char *message = NULL;

	if (e->kind == EXPR_SYMBOL && e->symbol && !e->symbol->is_global)
		message = arena_printf(t->arena, _("the condition of a probe cannot use '%s', which is not a global"),
				       e->text);
	else if (e->kind == EXPR_CALL)
		message = arena_printf(t->arena, _("the condition of a probe cannot call a function, '%s'"), e->text);
	else if (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT || e->kind == EXPR_STORE ||
		 e->kind == EXPR_EMBEDDED || (e->kind == EXPR_PRINT && e->destination == PRINT_STREAM))
		message = _("the condition of a probe cannot change anything");
	if (!message)
		return;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &e->location, "%s", message);
	diagnose_hint(t->diagnostics, _("test the condition in the handler: if (!(...)) next"));
}

/* ---- functions and probes ---------------------------------------------------------------------------------------- */

static void check_embedded(struct translation *t, const struct function_declaration *function)
{
	const char *code = function->body->code;

	if (embedded_says(code, "stable") &&
	    (!embedded_says(code, "pure") || (function->parameters && function->parameters->len)))
		diagnose(t->diagnostics, SEMANTIC_ERROR, &function->location,
			 _("'%s' is marked stable, so it must be marked pure and have no parameters"), function->name);
	if (function->script->privileged)
		return;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &function->location, _("embedded C in '%s' needs guru mode"),
		 function->name);
	diagnose_hint(t->diagnostics, _("run stap with -g if you trust the script with the whole kernel"));
}

bool check_handlers(struct translation *t)
{
	for_each_ptr(struct function_declaration *, function, t->functions) {
		if (function->is_embedded)
			check_embedded(t, function);
		else
			check_body(t, NULL, function->body, function->locals);
	}
	for_each_ptr(struct derived_probe *, probe, t->probes) {
		check_body(t, probe, probe->body, probe->locals);
		if (probe->gate)
			expr_walk(&probe->gate->expr, check_condition, t);
	}
	return diagnostics_errors(t->diagnostics) == 0;
}
