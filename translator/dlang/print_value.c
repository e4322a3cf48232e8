// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * print(expression): a value with the types and names of its members, one on a line, such as
 *
 *     struct timespec64 {
 *         time64_t tv_sec = 0x5
 *         long tv_nsec = 0
 *     }
 *
 * The layout is known when the program is translated, so that each scalar becomes a conversion of a printf. Numbers are
 * hexadecimal, pointers are not followed, arrays of characters are text.
 */
#include "translator/dlang/lower.h"

#include <string.h>

#include "common/base/i18n.h"

/* A printf has this many conversions at most; a value has as many parts; an array shows its first elements. */
enum { MOST_IN_PRINTF = 32, MOST_PARTS = 512, MOST_ELEMENTS = 8, INDENTATION = 4 };

struct value_printer {
	struct d_print print;
	int parts;
	bool failed;
};

static void add_text(struct value_printer *p, const char *text)
{
	d_print_text(&p->print, text);
}

static void add_indent(struct value_printer *p, int depth)
{
	add_text(p, arena_printf(p->print.l->arena, "%*s", depth * INDENTATION, ""));
}

static void add_expr(struct value_printer *p, enum format_kind kind, struct expr *e)
{
	struct format_part *part;

	if (p->print.arguments->len >= MOST_IN_PRINTF)
		d_print_end(&p->print);
	d_print_value(&p->print, kind, 0, e);
	part = g_ptr_array_index(p->print.format, p->print.format->len - 1);
	part->alternate = kind == FORMAT_HEX;
	p->parts++;
}

/* Is it text? An array of u8 is not, whatever its type is based on. */
static bool is_characters(const struct type *type)
{
	return type->kind == KIND_ARRAY && type->target && type->target->is_char &&
	       strstr(type->target->spelling, "char") && type->count;
}

static void add_characters(struct value_printer *p, const struct typed_value *value)
{
	struct arena *arena = p->print.l->arena;
	struct expr *call = build_call(arena, p->print.at,
				       value->memory == MEMORY_USER ? "user_string_n_quoted" : "__kernel_array_quoted",
				       value->address);

	g_ptr_array_add(call->arguments, build_number(arena, p->print.at, (int64_t)value->type->count));
	add_text(p, "[ ");
	add_expr(p, FORMAT_STRING, call);
	add_text(p, " ]");
}

/* Print a number without the bits that extend it to 64. */
static void add_number(struct value_printer *p, struct expr *e, const struct type *type)
{
	if (type->size && type->size < sizeof(int64_t) && type->is_signed)
		e = build_convert(p->print.l->arena, e, (int)type->size, false);
	add_expr(p, FORMAT_HEX, e);
}

static void add_value(struct value_printer *p, const struct typed_value *value, int depth);

/* Return the name of a type; that of a typedef if the structure itself has none. */
static const char *type_text(const struct type *type)
{
	if (!d_is_struct(type) || type->name || !strpbrk(type->spelling, "{<"))
		return type->spelling;
	return type->kind == KIND_UNION ? "union" : "struct";
}

static void add_member(struct value_printer *p, const struct typed_value *outer, const struct member *member, int depth)
{
	struct arena *arena = p->print.l->arena;
	struct expr *bits;
	struct typed_value inner = member_value(arena, outer, member, &bits);

	add_indent(p, depth);
	add_text(p, type_text(member->type));
	add_text(p, member->name ? arena_printf(arena, " %s = ", member->name) : " ");
	inner.memory = outer->memory;
	if (bits)
		add_expr(p, FORMAT_HEX, build_bit_field(arena, bits, 0, member->bit_size, false));
	else
		add_value(p, &inner, depth);
	add_text(p, "\n");
}

static void add_members(struct value_printer *p, const struct typed_value *value, int depth)
{
	const GPtrArray *members = NULL;
	struct error *error = debuginfo_members(value->type, &members);

	if (error) {
		p->failed = !d_fail(p->print.l, p->print.at, "D_TYPE_ERR", "%s", error->message);
		error_free(error);
		return;
	}
	add_text(p, "{\n");
	for_each_ptr(const struct member *, member, members) {
		if (p->parts >= MOST_PARTS) {
			add_indent(p, depth + 1);
			add_text(p, "...\n");
			break;
		}
		add_member(p, value, member, depth + 1);
	}
	add_indent(p, depth);
	add_text(p, "}");
}

static void add_elements(struct value_printer *p, const struct typed_value *value, int depth)
{
	uint64_t count = value->type->count, shown = MIN(count, MOST_ELEMENTS);

	add_text(p, "[ ");
	for (uint64_t i = 0; i < shown && p->parts < MOST_PARTS; i++) {
		struct typed_value element = element_value(p->print.l->arena, value, (int64_t)i);

		element.memory = value->memory;
		add_text(p, i ? ", " : "");
		add_value(p, &element, depth);
	}
	add_text(p, shown < count ? ", ... ]" : " ]");
}

static void add_value(struct value_printer *p, const struct typed_value *value, int depth)
{
	struct expr *scalar;

	if (d_is_struct(value->type)) {
		add_members(p, value, depth);
	} else if (is_characters(value->type) && value->address) {
		add_characters(p, value);
	} else if (value->type->kind == KIND_ARRAY && value->type->target && value->type->target->size) {
		add_elements(p, value, depth);
	} else {
		scalar = value->type->kind == KIND_ARRAY ? NULL : read_scalar(p->print.l->arena, value);
		if (scalar)
			add_number(p, scalar, value->type);
		else
			add_text(p, "?");
	}
}

bool d_print_value_action(struct d_lowering *l, const struct d_node *node)
{
	struct value_printer p = {0};
	const struct d_node *argument;
	struct d_value value;
	struct expr *e;

	if (!d_check_count(l, node, 1, 1))
		return false;
	argument = g_ptr_array_index(node->arguments, 0);
	if (argument->kind == D_AGGREGATION)
		return d_fail(l, &argument->location, "D_PRINT_AGG",
			      _("print() cannot print an aggregation; use printa()"));
	if (!d_lower(l, argument, &value))
		return false;
	if (value.is_void)
		return d_fail(l, &argument->location, "D_PRINT_VOID", _("print() requires a value"));
	if (value.translator || d_is_stack(value.type))
		return d_fail(l, &argument->location, "D_PRINT_DYN", _("print() of a '%s' is not supported"),
			      value.type->spelling);
	d_print_begin(&p.print, l, &node->location);
	add_text(&p, type_text(value.type));
	add_text(&p, " ");
	if (d_is_string(value.type)) {
		e = d_read_string(l, &argument->location, &value);
		if (!e)
			return false;
		add_expr(&p, FORMAT_STRING, build_call(l->arena, &node->location, "string_quoted", e));
	} else if (value.place.address && !value.expr && !value.translator) {
		value.place.memory = value.memory;
		add_value(&p, &value.place, 0);
	} else {
		e = d_read(l, &argument->location, &value);
		if (!e)
			return false;
		add_number(&p, e, value.type);
	}
	if (l->d->options.quiet)
		add_text(&p, "\n");
	d_print_end(&p.print);
	return !p.failed;
}
