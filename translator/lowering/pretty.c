// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "$x$" and "$x$$": a value with its members as one string, such as
 *
 *     {.name="dentry", .size=192, .list={...}, .flags=0x4}
 *
 * The whole value becomes a single sprintf: the layout is literal text, each scalar a directive and a load. A pointer
 * to a structure is followed; pointers inside are printed as addresses; strings are quoted. If any of the memory cannot
 * be read, the whole string is "ERROR".
 */
#include "common/base/i18n.h"
#include "translator/lowering/target.h"
#include "translator/sema/builder.h"

/* ALL_LEVELS is the depth of `$$`, larger than any type's nesting. */
enum { MAX_FORMAT_PARTS = 500, ALL_LEVELS = 1000 };

struct printer {
	struct translation *t;
	const struct location *at;
	GPtrArray *format, *arguments;
	GString *literal; /* text since the last directive */
};

static void flush_literal(struct printer *p)
{
	struct format_part *part;

	if (!p->literal->len)
		return;
	part = arena_new0(p->t->arena, struct format_part);
	part->kind = FORMAT_LITERAL;
	part->text = arena_strndup(p->t->arena, p->literal->str, p->literal->len);
	part->length = p->literal->len;
	g_ptr_array_add(p->format, part);
	g_string_truncate(p->literal, 0);
}

static void directive(struct printer *p, enum format_kind kind, struct expr *argument)
{
	struct format_part *part = arena_new0(p->t->arena, struct format_part);

	flush_literal(p);
	part->kind = kind;
	g_ptr_array_add(p->format, part);
	g_ptr_array_add(p->arguments, argument);
}

static void print_value(struct printer *p, const struct typed_value *value, int depth);

static bool is_text(const struct type *type)
{
	/* char of any signedness, but by that name: an array of u8 is not text. */
	return (type->kind == KIND_POINTER || type->kind == KIND_ARRAY) && type->target && type->target->is_char &&
	       strstr(type->target->spelling, "char");
}

static void print_text(struct printer *p, enum memory_space memory, struct expr *address, uint64_t size)
{
	static const char *const functions[2][2] = {
		{"kernel_string_quoted", "__kernel_array_quoted"},
		{"user_string_quoted", "user_string_n_quoted"},
	};
	struct expr *call = build_call(p->t->arena, p->at, functions[memory == MEMORY_USER][size > 0], address);

	if (size)
		g_ptr_array_add(call->arguments, build_number(p->t->arena, p->at, size));
	directive(p, FORMAT_STRING, call);
}

/* Print a character as in C, escaped if necessary. */
static void print_quoted_character(struct printer *p, struct expr *character)
{
	struct format_part *part;

	g_string_append_c(p->literal, '\'');
	directive(p, FORMAT_CHARACTER, character);
	part = g_ptr_array_index(p->format, p->format->len - 1);
	part->alternate = true;
	g_string_append_c(p->literal, '\'');
}

static void print_scalar(struct printer *p, const struct typed_value *value)
{
	struct expr *scalar = read_scalar(p->t->arena, value);

	if (!scalar)
		g_string_append_c(p->literal, '?');
	else if (is_text(value->type))
		print_text(p, type_memory(value->type), scalar, 0);
	else if (value->type->kind == KIND_POINTER || value->type->kind == KIND_FUNCTION)
		directive(p, FORMAT_POINTER, scalar);
	else if (value->type->kind == KIND_INTEGER && value->type->is_char && strstr(value->type->spelling, "char"))
		print_quoted_character(p, scalar);
	else
		directive(p, value->type->is_signed ? FORMAT_SIGNED : FORMAT_UNSIGNED, scalar);
}

static void print_member(struct printer *p, const struct typed_value *outer, const struct member *member, int depth)
{
	struct expr *bit_field;
	struct typed_value inner = member_value(p->t->arena, outer, member, &bit_field);

	if (bit_field)
		directive(p, member->type->is_signed ? FORMAT_SIGNED : FORMAT_UNSIGNED, bit_field);
	else
		print_value(p, &inner, depth);
}

static void print_struct(struct printer *p, const struct typed_value *value, int depth)
{
	const GPtrArray *members = NULL;
	struct error *error = NULL;
	bool first = true;

	g_string_append_c(p->literal, '{');
	if (depth <= 0 || (error = debuginfo_members(value->type, &members)))
		g_string_append(p->literal, "...");
	error_free(error);
	for_each_ptr(const struct member *, member, members) {
		if (!first)
			g_string_append(p->literal, ", ");
		first = false;
		if (p->format->len > MAX_FORMAT_PARTS) {
			g_string_append(p->literal, "...");
			break;
		}
		if (member->name)
			g_string_append_printf(p->literal, ".%s=", member->name);
		else
			g_string_append(p->literal, member->type->kind == KIND_UNION ? "<union>=" : "<class>=");
		print_member(p, value, member, depth - 1);
	}
	g_string_append_c(p->literal, '}');
}

/* Return the text of an array whose parts are constants; NULL if any part is not. */
static const char *constant_text(struct printer *p, const struct typed_value *array)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for_each_ptr(const struct value_part *, part, array->parts) {
		for (uint64_t i = 0; i < part->size; i++) {
			uint64_t at = part->offset + i;
			char letter;

			if (at < array->offset)
				continue;
			if (at - array->offset >= array->type->count)
				break;
			if (!part->value || part->value->kind != EXPR_NUMBER || i >= sizeof(int64_t) || part->lost_bits)
				return NULL;
			letter = (char)((uint64_t)part->value->number >> i * 8);
			if (!letter)
				return arena_strdup(p->t->arena, text->str);
			g_string_append_c(text, letter);
		}
	}
	return arena_strdup(p->t->arena, text->str);
}

/* Print only the first element, as documented (stapprobes(3stap), "$EXPR$$"). Print an array of characters as text. */
static void print_array(struct printer *p, const struct typed_value *value, int depth)
{
	const struct type *element = value->type->target;
	const char *text = is_text(value->type) && value->parts ? constant_text(p, value) : NULL;

	if (depth > 0 && is_text(value->type) && value->address) {
		print_text(p, value->memory, value->address, value->type->count);
		return;
	}
	if (depth > 0 && text) {
		directive(p, FORMAT_STRING,
			  build_call(p->t->arena, p->at, "string_quoted", build_string(p->t->arena, p->at, text)));
		return;
	}
	g_string_append_c(p->literal, '[');
	if (depth <= 0 || !element->size || !value->type->count ||
	    (!value->address && !value->value && !value->parts)) {
		g_string_append(p->literal, "...");
	} else {
		struct typed_value first = element_value(p->t->arena, value, 0);

		print_value(p, &first, depth - 1);
		if (value->type->count > 1)
			g_string_append(p->literal, ", ...");
	}
	g_string_append_c(p->literal, ']');
}

static void print_value(struct printer *p, const struct typed_value *value, int depth)
{
	const struct type *type = value->type;

	switch (type->kind) {
	case KIND_STRUCT:
	case KIND_UNION:
		print_struct(p, value, depth);
		break;
	case KIND_ARRAY:
		print_array(p, value, depth);
		break;
	default:
		print_scalar(p, value);
		break;
	}
}

/* Return the structure at the end of a chain of pointers, or the value itself. */
static struct typed_value shown_value(struct arena *arena, const struct typed_value *value)
{
	const struct type *end = value->type;
	struct typed_value shown = *value;

	while (end->kind == KIND_POINTER && end->target)
		end = end->target;
	if (end->kind != KIND_STRUCT && end->kind != KIND_UNION)
		return shown;
	while (shown.type->kind == KIND_POINTER)
		shown = dereference(arena, &shown, 0);
	return shown;
}

struct expr *pretty_print(struct translation *t, const struct location *at, const struct typed_value *value,
			  int dollars)
{
	struct typed_value shown = shown_value(t->arena, value);
	g_autoptr(GString) literal = g_string_new(NULL);
	struct printer p = {
		.t = t,
		.at = at,
		.format = arena_ptr_array(t->arena),
		.arguments = arena_ptr_array(t->arena),
		.literal = literal,
	};
	struct expr *print;

	print_value(&p, &shown, dollars > 1 ? ALL_LEVELS : dollars);
	flush_literal(&p);
	print = build_sprintf(t->arena, at, p.format, p.arguments);
	print->fault_text = "ERROR";
	return print;
}
