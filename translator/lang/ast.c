// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The syntax tree: make, copy and walk nodes.
 *
 * Only this file knows which fields of a node are children. Copies and walks use the same two lists (the single
 * children and the arrays of a node), so that a new kind of child is added in one place.
 */
#include "translator/lang/ast.h"

#include <string.h>

#include "translator/lang/operators.h"

/* clang-format off */
static const struct operator_info binary_operators[] = {
	{ "||",  EXPR_LOGICAL, OP_LOGICAL_OR,          PRECEDENCE_LOGICAL_OR,     false },
	{ "&&",  EXPR_LOGICAL, OP_LOGICAL_AND,         PRECEDENCE_LOGICAL_AND,    false },
	{ "|",   EXPR_BINARY,  OP_OR,                  PRECEDENCE_OR,             false },
	{ "^",   EXPR_BINARY,  OP_XOR,                 PRECEDENCE_XOR,            false },
	{ "&",   EXPR_BINARY,  OP_AND,                 PRECEDENCE_AND,            false },
	{ "in",  EXPR_IN,      OP_NONE,                PRECEDENCE_IN,             false },
	{ "==",  EXPR_COMPARE, OP_EQUAL,               PRECEDENCE_EQUALITY,       false },
	{ "!=",  EXPR_COMPARE, OP_NOT_EQUAL,           PRECEDENCE_EQUALITY,       false },
	{ "=~",  EXPR_REGEX,   OP_NONE,                PRECEDENCE_EQUALITY,       false },
	{ "!~",  EXPR_REGEX,   OP_NONE,                PRECEDENCE_EQUALITY,       true },
	{ "<",   EXPR_COMPARE, OP_LESS,                PRECEDENCE_RELATIONAL,     false },
	{ ">",   EXPR_COMPARE, OP_GREATER,             PRECEDENCE_RELATIONAL,     false },
	{ "<=",  EXPR_COMPARE, OP_LESS_EQUAL,          PRECEDENCE_RELATIONAL,     false },
	{ ">=",  EXPR_COMPARE, OP_GREATER_EQUAL,       PRECEDENCE_RELATIONAL,     false },
	{ "<<",  EXPR_BINARY,  OP_SHIFT_LEFT,          PRECEDENCE_SHIFT,          false },
	{ ">>",  EXPR_BINARY,  OP_SHIFT_RIGHT,         PRECEDENCE_SHIFT,          false },
	{ ">>>", EXPR_BINARY,  OP_SHIFT_RIGHT_LOGICAL, PRECEDENCE_SHIFT,          false },
	{ ".",   EXPR_CONCAT,  OP_CONCAT,              PRECEDENCE_CONCAT,         false },
	{ "+",   EXPR_BINARY,  OP_ADD,                 PRECEDENCE_ADDITIVE,       false },
	{ "-",   EXPR_BINARY,  OP_SUBTRACT,            PRECEDENCE_ADDITIVE,       false },
	{ "*",   EXPR_BINARY,  OP_MULTIPLY,            PRECEDENCE_MULTIPLICATIVE, false },
	{ "/",   EXPR_BINARY,  OP_DIVIDE,              PRECEDENCE_MULTIPLICATIVE, false },
	{ "%",   EXPR_BINARY,  OP_MODULO,              PRECEDENCE_MULTIPLICATIVE, false },
};

static const struct operator_info assignment_operators[] = {
	{ "=",   EXPR_ASSIGN, OP_NONE,        PRECEDENCE_ASSIGN, false },
	{ "+=",  EXPR_ASSIGN, OP_ADD,         PRECEDENCE_ASSIGN, false },
	{ "-=",  EXPR_ASSIGN, OP_SUBTRACT,    PRECEDENCE_ASSIGN, false },
	{ "*=",  EXPR_ASSIGN, OP_MULTIPLY,    PRECEDENCE_ASSIGN, false },
	{ "/=",  EXPR_ASSIGN, OP_DIVIDE,      PRECEDENCE_ASSIGN, false },
	{ "%=",  EXPR_ASSIGN, OP_MODULO,      PRECEDENCE_ASSIGN, false },
	{ "&=",  EXPR_ASSIGN, OP_AND,         PRECEDENCE_ASSIGN, false },
	{ "|=",  EXPR_ASSIGN, OP_OR,          PRECEDENCE_ASSIGN, false },
	{ "^=",  EXPR_ASSIGN, OP_XOR,         PRECEDENCE_ASSIGN, false },
	{ "<<=", EXPR_ASSIGN, OP_SHIFT_LEFT,  PRECEDENCE_ASSIGN, false },
	{ ">>=", EXPR_ASSIGN, OP_SHIFT_RIGHT, PRECEDENCE_ASSIGN, false },
	{ ".=",  EXPR_ASSIGN, OP_CONCAT,      PRECEDENCE_ASSIGN, false },
	{ "<<<", EXPR_ASSIGN, OP_AGGREGATE,   PRECEDENCE_ASSIGN, false },
};
/* clang-format on */

static const struct operator_info *find_text(const struct operator_info *table, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++) {
		if (*table[i].text == *text && strcmp(table[i].text, text) == 0)
			return &table[i];
	}
	return NULL;
}

const struct operator_info *binary_operator(const char *text)
{
	return find_text(binary_operators, G_N_ELEMENTS(binary_operators), text);
}

const struct operator_info *assignment_operator(const char *text)
{
	return find_text(assignment_operators, G_N_ELEMENTS(assignment_operators), text);
}

static const struct operator_info *find_node(const struct operator_info *table, size_t count, const struct expr *expr)
{
	for (size_t i = 0; i < count; i++) {
		if (table[i].kind == expr->kind && table[i].op == expr->op && table[i].negated == expr->negated)
			return &table[i];
	}
	return NULL;
}

const struct operator_info *operator_of(const struct expr *expr)
{
	const struct operator_info *info = find_node(binary_operators, G_N_ELEMENTS(binary_operators), expr);

	return info ? info : find_node(assignment_operators, G_N_ELEMENTS(assignment_operators), expr);
}

const char *operator_text(enum expr_operator op)
{
	static const char *const unary[OP_COUNT_] = {
		/* others: binary */
		[OP_NONE] = "",		[OP_NEGATE] = "-",     [OP_PLUS] = "+",
		[OP_LOGICAL_NOT] = "!", [OP_COMPLEMENT] = "~", [OP_AGGREGATE] = "<<<",
	};

	if (unary[op])
		return unary[op];
	for (size_t i = 0; i < G_N_ELEMENTS(binary_operators); i++) {
		if (binary_operators[i].op == op)
			return binary_operators[i].text;
	}
	return "";
}

struct expr *expr_new(struct arena *arena, enum expr_kind kind, const struct location *location)
{
	struct expr *expr = arena_new0(arena, struct expr);

	expr->kind = kind;
	expr->location = *location;
	return expr;
}

struct statement *statement_new(struct arena *arena, enum statement_kind kind, const struct location *location)
{
	struct statement *statement = arena_new0(arena, struct statement);

	statement->kind = kind;
	statement->location = *location;
	return statement;
}

/* The single children of an expression, in the order of evaluation; arguments and components follow them. */
enum { EXPR_CHILDREN = 4 };

static void expr_children(struct expr *expr, struct expr **children[EXPR_CHILDREN])
{
	children[0] = &expr->condition;
	children[1] = &expr->operand;
	children[2] = &expr->left;
	children[3] = &expr->right;
}

static GPtrArray *copy_exprs(struct arena *arena, const GPtrArray *exprs)
{
	GPtrArray *copy;

	if (!exprs)
		return NULL;
	copy = arena_ptr_array(arena);
	for_each_ptr(const struct expr *, expr, exprs)
		g_ptr_array_add(copy, expr_copy(arena, expr));
	return copy;
}

static GPtrArray *copy_components(struct arena *arena, const GPtrArray *components)
{
	GPtrArray *copy;

	if (!components)
		return NULL;
	copy = arena_ptr_array(arena);
	for_each_ptr(const struct component *, component, components) {
		struct component *c = arena_new0(arena, struct component);

		*c = *component;
		c->index = expr_copy(arena, component->index);
		g_ptr_array_add(copy, c);
	}
	return copy;
}

struct expr *expr_copy(struct arena *arena, const struct expr *expr)
{
	struct expr **children[EXPR_CHILDREN];
	struct expr *copy;

	if (!expr)
		return NULL;
	copy = arena_new0(arena, struct expr);
	*copy = *expr;
	expr_children(copy, children);
	for (size_t i = 0; i < EXPR_CHILDREN; i++)
		*children[i] = expr_copy(arena, *children[i]);
	copy->arguments = copy_exprs(arena, expr->arguments);
	copy->components = copy_components(arena, expr->components);
	return copy;
}

struct statement *statement_copy(struct arena *arena, const struct statement *statement)
{
	struct statement *copy;

	if (!statement)
		return NULL;
	copy = arena_new0(arena, struct statement);
	*copy = *statement;
	copy->expr = expr_copy(arena, statement->expr);
	copy->init = expr_copy(arena, statement->init);
	copy->update = expr_copy(arena, statement->update);
	copy->value = expr_copy(arena, statement->value);
	copy->array = expr_copy(arena, statement->array);
	copy->limit = expr_copy(arena, statement->limit);
	copy->catch_variable = expr_copy(arena, statement->catch_variable);
	copy->keys = copy_exprs(arena, statement->keys);
	copy->slice = copy_exprs(arena, statement->slice);
	copy->body = statement_copy(arena, statement->body);
	copy->otherwise = statement_copy(arena, statement->otherwise);
	if (!statement->statements)
		return copy;
	copy->statements = arena_ptr_array(arena);
	for_each_ptr(const struct statement *, child, statement->statements)
		g_ptr_array_add(copy->statements, statement_copy(arena, child));
	return copy;
}

struct probe_point *probe_point_copy(struct arena *arena, const struct probe_point *point)
{
	struct probe_point *copy = arena_new0(arena, struct probe_point);

	*copy = *point;
	copy->condition = expr_copy(arena, point->condition);
	copy->components = arena_ptr_array(arena);
	for_each_ptr(const struct probe_component *, component, point->components) {
		struct probe_component *c = arena_new0(arena, struct probe_component);

		*c = *component;
		c->argument = expr_copy(arena, component->argument);
		g_ptr_array_add(copy->components, c);
	}
	return copy;
}

static void walk_exprs(GPtrArray *exprs, expr_visitor visit, void *data)
{
	for (guint i = 0; exprs && i < exprs->len; i++)
		expr_walk((struct expr **)&exprs->pdata[i], visit, data);
}

void expr_visit_children(struct expr *expr, expr_visitor visit, void *data)
{
	struct expr **children[EXPR_CHILDREN];

	expr_children(expr, children);
	for (size_t i = 0; i < EXPR_CHILDREN; i++)
		if (*children[i])
			visit(children[i], data);
	for (guint i = 0; expr->arguments && i < expr->arguments->len; i++)
		visit((struct expr **)&expr->arguments->pdata[i], data);
	for_each_ptr(struct component *, component, expr->components)
		if (component->index)
			visit(&component->index, data);
}

struct walk {
	expr_visitor visit;
	void *data;
};

static void walk_child(struct expr **expr, void *data)
{
	struct walk *walk = data;

	expr_walk(expr, walk->visit, walk->data);
}

void expr_walk(struct expr **expr, expr_visitor visit, void *data)
{
	struct walk walk = {.visit = visit, .data = data};

	if (!*expr)
		return;
	expr_visit_children(*expr, walk_child, &walk);
	visit(expr, data);
}

void statement_walk(struct statement *statement, expr_visitor visit, void *data)
{
	if (!statement)
		return;
	expr_walk(&statement->init, visit, data);
	expr_walk(&statement->expr, visit, data);
	expr_walk(&statement->limit, visit, data);
	walk_exprs(statement->slice, visit, data);
	expr_walk(&statement->array, visit, data);
	walk_exprs(statement->keys, visit, data);
	expr_walk(&statement->value, visit, data);
	statement_walk(statement->body, visit, data);
	for_each_ptr(struct statement *, child, statement->statements)
		statement_walk(child, visit, data);
	expr_walk(&statement->update, visit, data);
	expr_walk(&statement->catch_variable, visit, data);
	statement_walk(statement->otherwise, visit, data);
}

void statement_visit(struct statement *statement, statement_visitor visit, void *data)
{
	if (!statement)
		return;
	visit(statement, data);
	for_each_ptr(struct statement *, child, statement->statements)
		statement_visit(child, visit, data);
	statement_visit(statement->body, visit, data);
	statement_visit(statement->otherwise, visit, data);
}

const struct probe_component *point_component(const struct probe_point *point, const char *name)
{
	for_each_ptr(const struct probe_component *, component, point->components) {
		if (!strcmp(component->name, name))
			return component;
	}
	return NULL;
}
