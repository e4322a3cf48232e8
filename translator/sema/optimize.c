// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The optimizer: fold constants and drop code without effect. -u turns it off.
 *
 * In each handler and function, constants and dead branches are folded, then statements without effect and locals that
 * are only written are dropped, until nothing changes. At last, unused functions, globals and regular expressions are
 * dropped.
 *
 * The optimizer runs after all checks, so warnings, errors and the display of globals do not depend on it. It must not
 * change results: an operation that can fail counts as an effect. The exception, which the manual documents, are reads
 * of memory, because aliases read values that many handlers do not use.
 */
#include "translator/sema/builder.h"
#include "translator/sema/embedded.h"
#include "translator/sema/sema.h"

struct optimizer {
	struct translation *t;
	GHashTable *purity; /* function -> GINT_TO_POINTER(enum purity) */
	GHashTable *read; /* of the handler under way: set of symbols */
	bool changed;
};

enum purity { PURITY_UNKNOWN, PURITY_UNDER_WAY, PURE, IMPURE };

/* ---- constants --------------------------------------------------------------------------------------------------- */

static bool is_number(const struct expr *e)
{
	return e->kind == EXPR_NUMBER;
}

/* Is it a string literal without a NUL, which would end the string at run time? */
static bool is_text(const struct expr *e)
{
	return e->kind == EXPR_STRING && strlen(e->text) == e->text_length;
}

static bool holds(enum expr_operator op, int order)
{
	switch (op) {
	case OP_EQUAL:
		return order == 0;
	case OP_NOT_EQUAL:
		return order != 0;
	case OP_LESS:
		return order < 0;
	case OP_GREATER:
		return order > 0;
	case OP_LESS_EQUAL:
		return order <= 0;
	default:
		return order >= 0;
	}
}

static void replace_expr(struct optimizer *o, struct expr **expr, struct expr *by)
{
	*expr = by;
	o->changed = true;
}

static void become_number(struct optimizer *o, struct expr **expr, int64_t number)
{
	replace_expr(o, expr, build_number(o->t->arena, &(*expr)->location, number));
}

/* Is "x op right" always x? */
static bool is_neutral(enum expr_operator op, int64_t right)
{
	switch (op) {
	case OP_ADD:
	case OP_SUBTRACT:
	case OP_OR:
	case OP_XOR:
	case OP_SHIFT_LEFT:
	case OP_SHIFT_RIGHT:
	case OP_SHIFT_RIGHT_LOGICAL:
		return right == 0;
	case OP_MULTIPLY:
	case OP_DIVIDE:
		return right == 1;
	default:
		return false;
	}
}

static void fold_binary(struct optimizer *o, struct expr **expr)
{
	struct expr *e = *expr;
	int64_t value;

	if (is_number(e->left) && is_number(e->right) && fold_numbers(e->op, e->left->number, e->right->number, &value))
		become_number(o, expr, value);
	else if (is_number(e->right) && is_neutral(e->op, e->right->number))
		replace_expr(o, expr, e->left);
}

static void fold_comparison(struct optimizer *o, struct expr **expr)
{
	const struct expr *left = (*expr)->left, *right = (*expr)->right;
	/* Compare only as much as the run time does. */
	size_t most = o->t->limits.max_string_length - 1;

	if (is_number(left) && is_number(right))
		become_number(o, expr,
			      holds((*expr)->op, (left->number > right->number) - (left->number < right->number)));
	else if (is_text(left) && is_text(right))
		become_number(o, expr, holds((*expr)->op, strncmp(left->text, right->text, most)));
}

static void fold_unary(struct optimizer *o, struct expr **expr)
{
	int64_t value = (*expr)->operand->number;

	if (!is_number((*expr)->operand))
		return;
	switch ((*expr)->op) {
	case OP_NEGATE:
		become_number(o, expr, (int64_t) - (uint64_t)value);
		break;
	case OP_LOGICAL_NOT:
		become_number(o, expr, !value);
		break;
	case OP_COMPLEMENT:
		become_number(o, expr, ~value);
		break;
	default:
		become_number(o, expr, value);
		break;
	}
}

/* Fold && and ||: the left operand may decide alone. */
static void fold_logical(struct optimizer *o, struct expr **expr)
{
	const struct expr *left = (*expr)->left, *right = (*expr)->right;
	bool is_or = (*expr)->op == OP_LOGICAL_OR;

	if (!is_number(left))
		return;
	if (!!left->number == is_or)
		become_number(o, expr, is_or);
	else if (is_number(right))
		become_number(o, expr, !!right->number);
}

static void fold_concat(struct optimizer *o, struct expr **expr)
{
	const struct expr *left = (*expr)->left, *right = (*expr)->right;
	size_t most = o->t->limits.max_string_length - 1;

	if (is_text(left) && is_text(right) && left->text_length + right->text_length <= most)
		replace_expr(o, expr,
			     build_string(o->t->arena, &(*expr)->location,
					  arena_printf(o->t->arena, "%s%s", left->text, right->text)));
}

static void fold(struct expr **expr, void *data)
{
	struct optimizer *o = data;

	switch ((*expr)->kind) {
	case EXPR_BINARY:
		fold_binary(o, expr);
		break;
	case EXPR_COMPARE:
		fold_comparison(o, expr);
		break;
	case EXPR_UNARY:
		fold_unary(o, expr);
		break;
	case EXPR_LOGICAL:
		fold_logical(o, expr);
		break;
	case EXPR_CONCAT:
		fold_concat(o, expr);
		break;
	case EXPR_CONDITIONAL:
		if (is_number((*expr)->condition))
			replace_expr(o, expr, (*expr)->condition->number ? (*expr)->left : (*expr)->right);
		break;
	default:
		break;
	}
}

/* ---- code without effect ----------------------------------------------------------------------------------------- */

static bool is_pure(struct optimizer *o, struct expr *e);

struct purity_search {
	struct optimizer *o;
	bool pure;
};

static void find_impure(struct expr **expr, void *data)
{
	struct purity_search *search = data;

	search->pure = search->pure && is_pure(search->o, *expr);
}

static bool children_are_pure(struct optimizer *o, struct expr *e)
{
	struct purity_search search = {.o = o, .pure = true};

	expr_visit_children(e, find_impure, &search);
	return search.pure;
}

/* Does an assignment or increment in a function change only its own locals, which end with the call? */
static bool changes_only_locals(struct optimizer *o, struct expr *e)
{
	const struct expr *target = e->kind == EXPR_ASSIGN ? e->left : e->operand;

	if (target->kind != EXPR_SYMBOL || target->symbol->is_global)
		return false;
	if (e->kind == EXPR_INCREMENT)
		return true;
	return e->op != OP_DIVIDE && e->op != OP_MODULO && is_pure(o, e->right);
}

static bool statement_is_pure(struct optimizer *o, struct statement *s)
{
	if (!s)
		return true;
	switch (s->kind) {
	case STATEMENT_EMPTY:
	case STATEMENT_BLOCK:
	case STATEMENT_IF:
	case STATEMENT_RETURN:
		break;
	case STATEMENT_EXPR:
		if (s->expr->kind == EXPR_ASSIGN || s->expr->kind == EXPR_INCREMENT)
			return changes_only_locals(o, s->expr);
		break;
	default:
		return false; /* loops may run into MAXACTION */
	}
	for_each_ptr(struct statement *, child, s->statements) {
		if (!statement_is_pure(o, child))
			return false;
	}
	return (!s->expr || is_pure(o, s->expr)) && statement_is_pure(o, s->body) && statement_is_pure(o, s->otherwise);
}

/* Is embedded C free of effects? "pure" code may still raise an error: with STAP_ERROR, or if marked "may fail". */
static bool code_is_pure(const char *code)
{
	return embedded_says(code, "pure") && !strstr(code, "STAP_ERROR") && !embedded_says(code, "may fail");
}

static bool function_is_pure(struct optimizer *o, struct function_declaration *function)
{
	enum purity known = GPOINTER_TO_INT(g_hash_table_lookup(o->purity, function));
	bool pure;

	if (function->is_embedded)
		return code_is_pure(function->body->code) && !function_passes_on(function);
	if (known)
		return known == PURE; /* recursion may end at MAXNESTING */
	g_hash_table_insert(o->purity, function, GINT_TO_POINTER(PURITY_UNDER_WAY));
	pure = !function_passes_on(function) && statement_is_pure(o, function->body);
	g_hash_table_insert(o->purity, function, GINT_TO_POINTER(pure ? PURE : IMPURE));
	return pure;
}

static bool call_is_pure(struct optimizer *o, struct expr *call)
{
	for_each_ptr(struct function_declaration *, function, call->overloads) {
		if (!function_is_pure(o, function))
			return false;
	}
	return children_are_pure(o, call);
}

static bool divides_safely(const struct expr *e)
{
	return is_number(e->right) && e->right->number != 0;
}

static bool print_is_pure(const struct expr *print)
{
	if (print->destination != PRINT_TO_STRING)
		return false;
	for_each_ptr(const struct format_part *, part, print->format) {
		if (part->kind == FORMAT_MEMORY || part->kind == FORMAT_MEMORY_HEX)
			return false;
	}
	return true;
}

/* Is the expression free of side effects and errors? */
static bool is_pure(struct optimizer *o, struct expr *e)
{
	switch (e->kind) {
	case EXPR_ASSIGN:
	case EXPR_INCREMENT:
	case EXPR_STORE:
	case EXPR_REGEX: /* sets the result of matched() */
		return false;
	case EXPR_CALL:
		return call_is_pure(o, e);
	case EXPR_PRINT:
		return print_is_pure(e) && children_are_pure(o, e);
	case EXPR_EMBEDDED:
		return code_is_pure(e->text);
	case EXPR_STATISTIC:
		return (!strcmp(e->text, "count") || !strcmp(e->text, "sum")) && children_are_pure(o, e);
	case EXPR_INDEX:
		return e->left->kind != EXPR_HISTOGRAM && children_are_pure(o, e);
	case EXPR_BINARY:
		return ((e->op != OP_DIVIDE && e->op != OP_MODULO) || divides_safely(e)) && children_are_pure(o, e);
	default:
		return children_are_pure(o, e);
	}
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static void drop_statement(struct optimizer *o, struct statement **statement)
{
	*statement = statement_new(o->t->arena, STATEMENT_EMPTY, &(*statement)->location);
	o->changed = true;
}

static bool is_empty(const struct statement *s)
{
	return !s || s->kind == STATEMENT_EMPTY || (s->kind == STATEMENT_BLOCK && !s->statements->len);
}

static bool is_unread_local(const struct optimizer *o, const struct expr *target)
{
	return target->kind == EXPR_SYMBOL && !target->symbol->is_global &&
	       !g_hash_table_contains(o->read, target->symbol);
}

/* Reduce an expression whose value is not used to the part that has effects; NULL: none. */
static struct expr *without_value(struct optimizer *o, struct expr *e)
{
	if (e->kind == EXPR_INCREMENT && is_unread_local(o, e->operand))
		return NULL;
	if (e->kind == EXPR_ASSIGN && is_unread_local(o, e->left) && e->op != OP_AGGREGATE &&
	    ((e->op != OP_DIVIDE && e->op != OP_MODULO) || divides_safely(e)))
		e = e->right;
	return is_pure(o, e) ? NULL : e;
}

static void simplify(struct optimizer *o, struct statement **statement);

static void simplify_expr_statement(struct optimizer *o, struct statement **statement)
{
	struct expr *left = without_value(o, (*statement)->expr);

	if (!left)
		drop_statement(o, statement);
	else if (left != (*statement)->expr)
		replace_expr(o, &(*statement)->expr, left);
}

static void simplify_if(struct optimizer *o, struct statement **statement)
{
	struct statement *s = *statement;

	if (is_number(s->expr)) {
		*statement = s->expr->number ? s->body : s->otherwise;
		if (!*statement)
			*statement = statement_new(o->t->arena, STATEMENT_EMPTY, &s->location);
		o->changed = true;
	} else if (is_empty(s->body) && is_empty(s->otherwise) && is_pure(o, s->expr)) {
		drop_statement(o, statement);
	}
}

static bool leaves(const struct statement *s)
{
	return s->kind == STATEMENT_RETURN || s->kind == STATEMENT_NEXT || s->kind == STATEMENT_BREAK ||
	       s->kind == STATEMENT_CONTINUE;
}

/* Drop empty statements, and all statements after return, next, break or continue. */
static void simplify_block(struct optimizer *o, struct statement *block)
{
	guint kept = 0;
	bool left = false;

	for (guint i = 0; i < block->statements->len && !left; i++) {
		struct statement *child = g_ptr_array_index(block->statements, i);

		left = leaves(child);
		if (!is_empty(child))
			block->statements->pdata[kept++] = child;
	}
	if (kept == block->statements->len)
		return;
	g_ptr_array_set_size(block->statements, kept);
	o->changed = true;
}

static void simplify_loop(struct optimizer *o, struct statement **statement)
{
	struct statement *s = *statement;

	if (s->init && !without_value(o, s->init)) {
		s->init = NULL;
		o->changed = true;
	}
	if (s->update && !without_value(o, s->update)) {
		s->update = NULL;
		o->changed = true;
	}
	if (!s->expr || !is_number(s->expr) || s->expr->number)
		return;
	if (!s->init) {
		drop_statement(o, statement);
		return;
	}
	*statement = build_expr_statement(o->t->arena, s->init);
	o->changed = true;
}

static void simplify(struct optimizer *o, struct statement **statement)
{
	struct statement *s = *statement;

	if (!s)
		return;
	simplify(o, &s->body);
	simplify(o, &s->otherwise);
	for (guint i = 0; s->statements && i < s->statements->len; i++)
		simplify(o, (struct statement **)&s->statements->pdata[i]);
	switch (s->kind) {
	case STATEMENT_EXPR:
		simplify_expr_statement(o, statement);
		break;
	case STATEMENT_IF:
		simplify_if(o, statement);
		break;
	case STATEMENT_BLOCK:
		simplify_block(o, s);
		break;
	case STATEMENT_WHILE:
	case STATEMENT_FOR:
		simplify_loop(o, statement);
		break;
	case STATEMENT_TRY:
		if (is_empty(s->body))
			drop_statement(o, statement);
		break;
	default:
		break;
	}
}

static void optimize_body(struct optimizer *o, struct statement **body)
{
	do {
		g_autoptr(GHashTable) read = g_hash_table_new(NULL, NULL);
		g_autoptr(GHashTable) written = g_hash_table_new(NULL, NULL);

		o->changed = false;
		statement_walk(*body, fold, o);
		collect_usage(*body, read, written);
		o->read = read;
		simplify(o, body);
	} while (o->changed);
}

/* ---- entry values ------------------------------------------------------------------------------------------------ */

struct slots {
	GHashTable *used; /* set of numbers, plus 1 */
	GHashTable *renumbered; /* set of nodes that were renumbered: trees of a $variable share nodes */
	int64_t *numbers; /* old to new */
};

static void find_slot(struct expr **expr, void *data)
{
	struct slots *slots = data;

	if ((*expr)->kind == EXPR_ENTRY_VALUE)
		g_hash_table_add(slots->used, GINT_TO_POINTER((*expr)->number + 1));
}

static void renumber_slot(struct expr **expr, void *data)
{
	struct slots *slots = data;

	if ((*expr)->kind == EXPR_ENTRY_VALUE && g_hash_table_add(slots->renumbered, *expr))
		(*expr)->number = slots->numbers[(*expr)->number];
}

/* Visit the handler, and the copies of functions that belong to the probe. */
static void for_each_body_of(struct translation *t, struct derived_probe *probe, expr_visitor visit, void *data)
{
	statement_walk(probe->body, visit, data);
	for_each_ptr(struct function_declaration *, function, t->functions) {
		if (function->context_probe == probe)
			statement_walk(function->body, visit, data);
	}
}

/* Drop entry values that the handler does not use. */
static void drop_entry_values(struct optimizer *o, struct derived_probe *probe)
{
	g_autoptr(GHashTable) used = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) renumbered = g_hash_table_new(NULL, NULL);
	g_autofree int64_t *numbers = g_new0(int64_t, probe->entry_values->len + 1);
	struct slots slots = {used, renumbered, numbers};
	guint kept = 0;

	for_each_body_of(o->t, probe, find_slot, &slots);
	for (guint i = 0; i < probe->entry_values->len; i++) {
		struct expr *value = g_ptr_array_index(probe->entry_values, i);

		if (!g_hash_table_contains(used, GINT_TO_POINTER(i + 1)) && is_pure(o, value))
			continue;
		numbers[i] = kept;
		probe->entry_values->pdata[kept++] = value;
	}
	if (kept < probe->entry_values->len)
		for_each_body_of(o->t, probe, renumber_slot, &slots);
	g_ptr_array_set_size(probe->entry_values, kept);
}

/* ---- unused declarations ----------------------------------------------------------------------------------------- */

struct remains {
	struct translation *t;
	GHashTable *symbols, *functions, *regexes;
	GQueue *pending;
};

static void keep_embedded_globals(struct remains *r, const GPtrArray *uses)
{
	for_each_ptr(const struct embedded_use *, use, uses)
		g_hash_table_add(r->symbols, use->global);
}

static void keep_expr(struct expr **expr, void *data)
{
	struct remains *r = data;

	if ((*expr)->symbol)
		g_hash_table_add(r->symbols, (*expr)->symbol);
	if ((*expr)->regex)
		g_hash_table_add(r->regexes, (void *)(*expr)->regex);
	keep_embedded_globals(r, (*expr)->embedded_globals);
	for_each_ptr(struct function_declaration *, function, (*expr)->overloads) {
		if (g_hash_table_add(r->functions, function))
			g_queue_push_tail(r->pending, function);
	}
}

static void keep_embedded_statement(struct statement *s, void *data)
{
	keep_embedded_globals(data, s->embedded_globals);
}

static void keep_body(struct remains *r, struct statement *body)
{
	statement_walk(body, keep_expr, r);
	statement_visit(body, keep_embedded_statement, r);
}

static void remove_missing(GPtrArray *array, GHashTable *kept)
{
	for (guint i = array->len; i--;)
		if (!g_hash_table_contains(kept, g_ptr_array_index(array, i)))
			g_ptr_array_remove_index(array, i);
}

static void drop_unnamed(struct translation *t)
{
	g_autoptr(GHashTable) symbols = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) functions = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) regexes = g_hash_table_new(NULL, NULL);
	g_autoptr(GQueue) pending = g_queue_new();
	struct remains r = {t, symbols, functions, regexes, pending};
	struct function_declaration *function;

	for_each_ptr(struct derived_probe *, probe, t->probes) {
		keep_body(&r, probe->body);
		for (guint i = 0; i < probe->entry_values->len; i++)
			expr_walk((struct expr **)&probe->entry_values->pdata[i], keep_expr, &r);
	}
	while ((function = g_queue_pop_head(pending)))
		keep_body(&r, function->body);
	remove_missing(t->functions, functions);
	remove_missing(t->globals, symbols);
	remove_missing(t->regexes, regexes);
	for_each_ptr(struct derived_probe *, probe, t->probes)
		remove_missing(probe->locals, symbols);
	for_each_ptr(struct function_declaration *, live, t->functions)
		remove_missing(live->locals, symbols);
}

static bool is_pure_expr(void *data, struct expr *e)
{
	return is_pure(data, e);
}

void optimize(struct translation *t)
{
	g_autoptr(GHashTable) purity = g_hash_table_new(NULL, NULL);
	struct optimizer o = {.t = t, .purity = purity};

	if (t->options->unoptimized)
		return;
	for_each_ptr(struct function_declaration *, function, t->functions) {
		if (!function->is_embedded)
			optimize_body(&o, &function->body);
	}
	for_each_ptr(struct derived_probe *, probe, t->probes) {
		optimize_body(&o, &probe->body);
		for (guint i = 0; i < probe->entry_values->len; i++)
			expr_walk((struct expr **)&probe->entry_values->pdata[i], fold, &o);
		drop_entry_values(&o, probe);
		sink_values(t->arena, probe->body, is_pure_expr, &o);
	}
	drop_unnamed(t);
}
