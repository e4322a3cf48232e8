// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Move expensive calls to where their values are used. An alias sets its variables before the handler runs, so in
 *
 *     probe syscall.open { if (pid() == target()) println(argstr) }
 *
 * the arguments of every call on the machine would be formatted. The calls that can move are those of embedded C marked
 * "stable" (the value does not change while a handler runs) or "steady" (the same, for literal arguments). The
 * assignment of such a call to a local moves
 *
 *     into a branch of an "if", if only that branch uses the local,
 *     before the right side of "if (a && b)", if "a" does not use the local,
 *     after an "if" that leaves the handler or has no visible effect.
 *
 * It only passes code without effect (no output, no writes to globals or memory, no errors), so the result is the same.
 * Assignments do not move into or out of loops and "try".
 */
#include "translator/sema/builder.h"
#include "translator/sema/embedded.h"
#include "translator/sema/sema.h"

struct sinker {
	struct arena *arena;
	expr_test is_pure;
	void *data;
	struct statement *body; /* of the handler */
	bool moved;
};

/* ---- uses of a variable ------------------------------------------------------------------------------------------ */

struct mentions {
	const struct symbol *symbol;
	unsigned int count;
};

static void count_mention(struct expr **expr, void *data)
{
	struct mentions *mentions = data;

	mentions->count += (*expr)->kind == EXPR_SYMBOL && (*expr)->symbol == mentions->symbol;
}

static unsigned int mentions_in(struct statement *s, const struct symbol *symbol)
{
	struct mentions mentions = {.symbol = symbol};

	statement_walk(s, count_mention, &mentions);
	return mentions.count;
}

static bool mentioned_by(struct expr *e, const struct symbol *symbol)
{
	struct mentions mentions = {.symbol = symbol};

	expr_walk(&e, count_mention, &mentions);
	return mentions.count > 0;
}

/* ---- which assignments move, and past which statements ----------------------------------------------------------- */

static bool is_steady_call(const struct expr *e)
{
	const char *code;

	if (e->kind != EXPR_CALL || e->overloads->len != 1 || !e->function->is_embedded)
		return false;
	code = e->function->body->code;
	if (!embedded_says(code, "stable") && !embedded_says(code, "steady"))
		return false;
	for_each_ptr(const struct expr *, argument, e->arguments) {
		if (argument->kind != EXPR_NUMBER && argument->kind != EXPR_STRING)
			return false;
	}
	return true;
}

/* Return the local that the statement sets to the value of a movable call, or NULL. */
static const struct symbol *late_value(const struct sinker *sinker, const struct statement *s)
{
	const struct expr *e = s->kind == STATEMENT_EXPR ? s->expr : NULL;

	if (!e || e->kind != EXPR_ASSIGN || e->op != OP_NONE || e->left->kind != EXPR_SYMBOL ||
	    e->left->symbol->is_global)
		return NULL;
	return is_steady_call(e->right) && sinker->is_pure(sinker->data, e->right) ? e->left->symbol : NULL;
}

static bool sets_local(const struct sinker *sinker, const struct statement *s)
{
	const struct expr *e = s->expr;

	return s->kind == STATEMENT_EXPR && e->kind == EXPR_ASSIGN && e->op == OP_NONE &&
	       e->left->kind == EXPR_SYMBOL && !e->left->symbol->is_global && sinker->is_pure(sinker->data, e->right);
}

/* Can an assignment move past the expression? A regex match has the side effect on matched(), which does not matter. */
static bool is_passable_expr(const struct sinker *sinker, struct expr *e)
{
	if (e->kind == EXPR_REGEX)
		return sinker->is_pure(sinker->data, e->left);
	if (e->kind == EXPR_LOGICAL)
		return is_passable_expr(sinker, e->left) && is_passable_expr(sinker, e->right);
	if (e->kind == EXPR_UNARY && e->op == OP_LOGICAL_NOT)
		return is_passable_expr(sinker, e->operand);
	return sinker->is_pure(sinker->data, e);
}

/* Can an assignment move past the statement? It may leave the handler, but must have no other effect. */
static bool is_passable(const struct sinker *sinker, const struct statement *s)
{
	if (!s)
		return true;
	switch (s->kind) {
	case STATEMENT_EMPTY:
	case STATEMENT_NEXT:
		return true;
	case STATEMENT_EXPR:
		return sets_local(sinker, s) || is_passable_expr(sinker, s->expr);
	case STATEMENT_BLOCK:
		for_each_ptr(const struct statement *, child, s->statements) {
			if (!is_passable(sinker, child))
				return false;
		}
		return true;
	case STATEMENT_IF:
		return is_passable_expr(sinker, s->expr) && is_passable(sinker, s->body) &&
		       is_passable(sinker, s->otherwise);
	default:
		return false;
	}
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* Replace blocks within a block by their statements. */
static void flatten(struct statement *block)
{
	for (guint i = 0; i < block->statements->len;) {
		struct statement *child = g_ptr_array_index(block->statements, i);

		if (child->kind != STATEMENT_BLOCK) {
			i++;
			continue;
		}
		g_ptr_array_remove_index(block->statements, i);
		for (guint k = 0; k < child->statements->len; k++)
			g_ptr_array_insert(block->statements, i + k, g_ptr_array_index(child->statements, k));
	}
}

static void put_first(struct sinker *sinker, struct statement **branch, struct statement *assignment)
{
	struct statement *block = *branch;

	if (block->kind != STATEMENT_BLOCK) {
		block = build_block(sinker->arena, &(*branch)->location);
		g_ptr_array_add(block->statements, *branch);
		*branch = block;
	}
	g_ptr_array_insert(block->statements, 0, assignment);
}

/* Turn "if (a && b) …" into "if (a) if (b) …", if only b uses the variable. */
static void split_condition(struct sinker *sinker, struct statement *s, const struct symbol *symbol)
{
	struct expr *both = s->expr;
	struct statement *inner;

	if (s->otherwise || both->kind != EXPR_LOGICAL || both->op != OP_LOGICAL_AND ||
	    !mentioned_by(both->right, symbol) || mentioned_by(both->left, symbol))
		return;
	inner = statement_new(sinker->arena, STATEMENT_IF, &s->location);
	inner->expr = both->right;
	inner->body = s->body;
	s->expr = both->left;
	s->body = inner;
}

/* Move the assignment into a branch of the "if", if the variable is used nowhere else. */
static bool enter_branch(struct sinker *sinker, struct statement *s, struct statement *assignment,
			 const struct symbol *symbol)
{
	unsigned int elsewhere = mentions_in(sinker->body, symbol) - 1;
	struct statement **branches[] = {&s->body, &s->otherwise};

	if (s->kind != STATEMENT_IF || mentions_in(s, symbol) != elsewhere)
		return false;
	split_condition(sinker, s, symbol);
	if (mentioned_by(s->expr, symbol) || !is_passable_expr(sinker, s->expr))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(branches); i++) {
		if (*branches[i] && mentions_in(*branches[i], symbol) == elsewhere) {
			put_first(sinker, branches[i], assignment);
			return true;
		}
	}
	return false;
}

/* Move the assignment at @index as far as possible. */
static void sink_statement(struct sinker *sinker, struct statement *block, guint index, const struct symbol *symbol)
{
	struct statement *assignment = g_ptr_array_index(block->statements, index), *s = NULL;
	guint next = index + 1, behind = index;

	while (next < block->statements->len) {
		s = g_ptr_array_index(block->statements, next);
		if (mentions_in(s, symbol) || !is_passable(sinker, s))
			break;
		next++;
		if (s->kind == STATEMENT_IF)
			behind = next - 1;
	}
	if (next == block->statements->len)
		return;
	if (enter_branch(sinker, s, assignment, symbol)) {
		g_ptr_array_remove_index(block->statements, index);
		sinker->moved = true;
	} else if (behind > index) {
		g_ptr_array_remove_index(block->statements, index);
		g_ptr_array_insert(block->statements, behind, assignment);
		sinker->moved = true;
	}
}

static void sink_in(struct sinker *sinker, struct statement *s)
{
	if (!s)
		return;
	if (s->kind == STATEMENT_IF) {
		sink_in(sinker, s->body);
		sink_in(sinker, s->otherwise);
	}
	if (s->kind != STATEMENT_BLOCK)
		return;
	flatten(s);
	for (guint i = s->statements->len; i-- > 0;) {
		const struct symbol *symbol = late_value(sinker, g_ptr_array_index(s->statements, i));

		if (symbol)
			sink_statement(sinker, s, i, symbol);
	}
	for_each_ptr(struct statement *, child, s->statements)
		sink_in(sinker, child);
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

static void find_steady_call(struct expr **expr, void *data)
{
	*(bool *)data |= is_steady_call(*expr);
}

void sink_values(struct arena *arena, struct statement *body, expr_test is_pure, void *data)
{
	struct sinker sinker = {.arena = arena, .is_pure = is_pure, .data = data, .body = body};
	bool any = false;

	statement_walk(body, find_steady_call, &any);
	if (!any)
		return;
	do {
		sinker.moved = false;
		sink_in(&sinker, body);
	} while (sinker.moved);
}
