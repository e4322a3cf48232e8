// SPDX-License-Identifier: GPL-2.0-or-later
/* Construct expression trees; see builder.h. */
#include "translator/sema/builder.h"

struct expr *build_number(struct arena *arena, const struct location *at, int64_t number)
{
	struct expr *e = expr_new(arena, EXPR_NUMBER, at);

	e->number = number;
	e->type = TYPE_LONG;
	return e;
}

struct expr *build_string(struct arena *arena, const struct location *at, const char *text)
{
	struct expr *e = expr_new(arena, EXPR_STRING, at);

	e->text = text;
	e->text_length = strlen(text);
	e->type = TYPE_STRING;
	return e;
}

bool fold_numbers(enum expr_operator op, int64_t a, int64_t b, int64_t *ret)
{
	switch (op) {
	case OP_ADD:
		*ret = (int64_t)((uint64_t)a + (uint64_t)b);
		return true;
	case OP_SUBTRACT:
		*ret = (int64_t)((uint64_t)a - (uint64_t)b);
		return true;
	case OP_MULTIPLY:
		*ret = (int64_t)((uint64_t)a * (uint64_t)b);
		return true;
	case OP_DIVIDE:
		*ret = b == 0 ? 0 : b == -1 ? (int64_t) - (uint64_t)a : a / b;
		return b != 0;
	case OP_MODULO:
		*ret = b == 0 || b == -1 ? 0 : a % b;
		return b != 0;
	case OP_AND:
		*ret = a & b;
		return true;
	case OP_OR:
		*ret = a | b;
		return true;
	case OP_XOR:
		*ret = a ^ b;
		return true;
	case OP_SHIFT_LEFT:
		*ret = (int64_t)((uint64_t)a << (b & 63));
		return true;
	case OP_SHIFT_RIGHT:
		*ret = a >> (b & 63);
		return true;
	case OP_SHIFT_RIGHT_LOGICAL:
		*ret = (int64_t)((uint64_t)a >> (b & 63));
		return true;
	default:
		return false;
	}
}

/* At the place of its left side. */
static struct expr *operation(struct arena *arena, enum expr_kind kind, enum expr_operator op, struct expr *left,
			      struct expr *right)
{
	struct expr *e = expr_new(arena, kind, &left->location);

	e->op = op;
	e->left = left;
	e->right = right;
	e->type = TYPE_LONG;
	return e;
}

struct expr *build_binary(struct arena *arena, enum expr_operator op, struct expr *left, struct expr *right)
{
	bool compares = op >= OP_EQUAL && op <= OP_GREATER_EQUAL;
	int64_t value;

	if (op == OP_ADD && right->kind == EXPR_NUMBER && right->number == 0)
		return left;
	if (left->kind == EXPR_NUMBER && right->kind == EXPR_NUMBER &&
	    fold_numbers(op, left->number, right->number, &value))
		return build_number(arena, &left->location, value);
	return operation(arena, compares ? EXPR_COMPARE : EXPR_BINARY, op, left, right);
}

struct expr *build_logical(struct arena *arena, enum expr_operator op, struct expr *left, struct expr *right)
{
	return operation(arena, EXPR_LOGICAL, op, left, right);
}

struct expr *build_conditional(struct arena *arena, struct expr *condition, struct expr *left, struct expr *right)
{
	struct expr *e = expr_new(arena, EXPR_CONDITIONAL, &condition->location);

	e->condition = condition;
	e->left = left;
	e->right = right;
	e->type = left->type;
	return e;
}

struct expr *build_load(struct arena *arena, struct expr *address, int size, bool is_signed)
{
	struct expr *e = expr_new(arena, EXPR_LOAD, &address->location);

	e->operand = address;
	e->size = size;
	e->is_signed = is_signed;
	e->type = TYPE_LONG;
	return e;
}

struct expr *build_convert(struct arena *arena, struct expr *value, int size, bool is_signed)
{
	return build_bit_field(arena, value, 0, size * 8, is_signed);
}

struct expr *build_bit_field(struct arena *arena, struct expr *unit, int offset, int size, bool is_signed)
{
	const struct location *at = &unit->location;
	int up = 64 - offset - size;

	if (up < 0 || size >= 64)
		return unit;
	unit = build_binary(arena, OP_SHIFT_LEFT, unit, build_number(arena, at, up));
	return build_binary(arena, is_signed ? OP_SHIFT_RIGHT : OP_SHIFT_RIGHT_LOGICAL, unit,
			    build_number(arena, at, 64 - size));
}

struct expr *build_call(struct arena *arena, const struct location *at, const char *function, struct expr *argument)
{
	struct expr *e = expr_new(arena, EXPR_CALL, at);

	e->text = function;
	e->is_of_translator = true;
	e->arguments = arena_ptr_array(arena);
	if (argument)
		g_ptr_array_add(e->arguments, argument);
	return e;
}

static struct format_part *add_part(struct arena *arena, GPtrArray *format, enum format_kind kind)
{
	struct format_part *part = arena_new0(arena, struct format_part);

	part->kind = kind;
	g_ptr_array_add(format, part);
	return part;
}

void format_add_literal(struct arena *arena, GPtrArray *format, const char *text)
{
	struct format_part *part = add_part(arena, format, FORMAT_LITERAL);

	part->text = text;
	part->length = strlen(text);
}

void format_add_directive(struct arena *arena, GPtrArray *format, enum format_kind kind)
{
	add_part(arena, format, kind);
}

struct expr *build_sprintf(struct arena *arena, const struct location *at, GPtrArray *format, GPtrArray *arguments)
{
	struct expr *e = expr_new(arena, EXPR_PRINT, at);

	e->print_name = "sprintf";
	e->print_formatted = true;
	e->destination = PRINT_TO_STRING;
	e->format = format;
	e->arguments = arguments;
	e->type = TYPE_STRING;
	return e;
}

struct statement *build_expr_statement(struct arena *arena, struct expr *expr)
{
	struct statement *s = statement_new(arena, STATEMENT_EXPR, &expr->location);

	s->expr = expr;
	return s;
}

struct statement *build_block(struct arena *arena, const struct location *at)
{
	struct statement *s = statement_new(arena, STATEMENT_BLOCK, at);

	s->statements = arena_ptr_array(arena);
	return s;
}

struct expr *build_address(struct arena *arena, const struct location *at, struct debuginfo *object,
			   const struct address *address)
{
	struct expr *e = expr_new(arena, EXPR_ADDRESS, at);

	e->number = (int64_t)address->value;
	e->text = address->section;
	e->object = object;
	e->module = debuginfo_module_name(object);
	e->type = TYPE_LONG;
	return e;
}
