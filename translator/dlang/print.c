// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Output of D: trace(), printf(), the head of a record, and the conversions that printf() and printa() share. Each
 * becomes a printf of the tree. The formats of D that the tree lacks (%Y, %a, %S) become calls whose text is printed.
 */
#include "translator/dlang/lower.h"

#include <string.h>

#include "common/base/i18n.h"

/* ---- building a printf ------------------------------------------------------------------------------------------- */

void d_print_begin(struct d_print *p, struct d_lowering *l, const struct location *at)
{
	*p = (struct d_print){
		.l = l, .at = at, .format = arena_ptr_array(l->arena), .arguments = arena_ptr_array(l->arena)};
}

void d_print_text(struct d_print *p, const char *text)
{
	if (*text)
		format_add_literal(p->l->arena, p->format, text);
}

static struct format_part *add_part(struct d_print *p, enum format_kind kind, struct expr *value)
{
	format_add_directive(p->l->arena, p->format, kind);
	g_ptr_array_add(p->arguments, value);
	return g_ptr_array_index(p->format, p->format->len - 1);
}

void d_print_value(struct d_print *p, enum format_kind kind, int width, struct expr *value)
{
	struct format_part *part = add_part(p, kind, value);

	part->has_width = width != 0;
	part->width = ABS(width);
	part->left = width < 0;
}

struct statement *d_print_statement(struct d_print *p)
{
	struct expr *print = build_sprintf(p->l->arena, p->at, p->format, p->arguments);

	print->print_name = "printf";
	print->destination = PRINT_STREAM;
	print->type = TYPE_LONG;
	return build_expr_statement(p->l->arena, print);
}

void d_print_end(struct d_print *p)
{
	if (p->format->len)
		d_emit(p->l, d_print_statement(p));
	d_print_begin(p, p->l, p->at);
}

static void print_text(struct d_lowering *l, const struct location *at, const char *text)
{
	struct d_print p;

	d_print_begin(&p, l, at);
	d_print_text(&p, text);
	d_print_end(&p);
}

/* ---- the line of a record ---------------------------------------------------------------------------------------- */

/* Return "function:name" of the place; the function of a probe of all system calls is known only at the hit. */
static struct expr *shown_name(struct d_lowering *l, const struct location *at)
{
	const struct d_place *place = l->place;
	const char *name = place->parts[D_PROBE_NAME];
	GPtrArray *format, *arguments;

	if (place->parts[D_FUNCTION])
		return build_string(l->arena, at, arena_printf(l->arena, "%s:%s", place->parts[D_FUNCTION], name));
	format = arena_ptr_array(l->arena);
	arguments = arena_ptr_array(l->arena);
	format_add_directive(l->arena, format, FORMAT_STRING);
	g_ptr_array_add(arguments, build_call(l->arena, at, "__dtrace_syscall_name", NULL));
	format_add_literal(l->arena, format, arena_printf(l->arena, ":%s", name));
	return build_sprintf(l->arena, at, format, arguments);
}

/* Print the head with flow indentation: "  0  -> function:name" is indented by the depth of calls. */
static void print_flow_head(struct d_lowering *l, const struct location *at, struct d_print *p)
{
	const char *name = l->place->parts[D_PROBE_NAME];
	int64_t direction = !strcmp(name, "entry") ? 1 : !strcmp(name, "return") ? -1 : 0;
	struct expr *text = build_call(l->arena, at, "__dtrace_flow", build_number(l->arena, at, direction));

	g_ptr_array_add(text->arguments, build_number(l->arena, at, !strcmp(l->place->provider->name, "syscall")));
	g_ptr_array_add(text->arguments, direction && l->place->parts[D_FUNCTION]
						 ? build_string(l->arena, at, l->place->parts[D_FUNCTION])
					 : direction ? build_call(l->arena, at, "__dtrace_syscall_name", NULL)
						     : shown_name(l, at));
	d_print_value(p, FORMAT_SIGNED, 3, build_call(l->arena, at, "cpu", NULL));
	d_print_text(p, " ");
	d_print_value(p, FORMAT_STRING, -41, text);
	d_print_text(p, " ");
}

void d_print_head(struct d_lowering *l, const struct location *at)
{
	struct d_print p;

	if (l->d->options.quiet)
		return;
	d_emit_expr(l, build_call(l->arena, at, "__dtrace_heading",
				  build_number(l->arena, at, l->d->options.flow_indent)));
	d_print_begin(&p, l, at);
	if (l->d->options.flow_indent) {
		print_flow_head(l, at, &p);
	} else {
		d_print_value(&p, FORMAT_SIGNED, 3, build_call(l->arena, at, "cpu", NULL));
		d_print_text(&p, arena_printf(l->arena, " %6u ", l->place->id));
		d_print_value(&p, FORMAT_STRING, 32, shown_name(l, at));
		d_print_text(&p, " ");
	}
	d_print_end(&p);
}

void d_print_tail(struct d_lowering *l, const struct location *at)
{
	if (!l->d->options.quiet)
		print_text(l, at, "\n");
}

/* ---- types that only output knows -------------------------------------------------------------------------------- */

static struct type kernel_stack = {.kind = KIND_ARRAY, .name = "stack", .spelling = "stack"};
static struct type user_stack = {.kind = KIND_ARRAY, .name = "stack", .spelling = "ustack"};

struct symbol_type {
	const char *function; /* of the tapset: address to text */
	bool is_user;
	char kind;
	struct type type;
};

#define SYMBOL_TYPE(call, user, letter)                                                                                \
	{                                                                                                              \
		call, user, letter,                                                                                    \
		{                                                                                                      \
			.kind = KIND_INTEGER, .name = call, .spelling = "_symaddr", .size = 8                          \
		}                                                                                                      \
	}

static struct symbol_type symbol_types[] = {
	SYMBOL_TYPE("__dtrace_symbol", false, 's'),	  SYMBOL_TYPE("__dtrace_function", false, 'f'),
	SYMBOL_TYPE("__dtrace_module", false, 'm'),	  SYMBOL_TYPE("__dtrace_user_symbol", true, 's'),
	SYMBOL_TYPE("__dtrace_user_function", true, 'f'), SYMBOL_TYPE("__dtrace_user_module", true, 'm'),
};

struct type *d_stack_type(bool is_user)
{
	return is_user ? &user_stack : &kernel_stack;
}

bool d_is_stack(const struct type *type)
{
	return type == &kernel_stack || type == &user_stack;
}

struct type *d_symbol_type(bool is_user, char kind)
{
	for (size_t i = 0; i < G_N_ELEMENTS(symbol_types); i++)
		if (symbol_types[i].is_user == is_user && symbol_types[i].kind == kind)
			return &symbol_types[i].type;
	return NULL;
}

static const struct symbol_type *symbol_type_of(const struct type *type)
{
	for (size_t i = 0; i < G_N_ELEMENTS(symbol_types); i++)
		if (&symbol_types[i].type == type)
			return &symbol_types[i];
	return NULL;
}

static struct expr *stack_print(struct d_lowering *l, const struct type *type, struct expr *stack)
{
	const char *function = type != &user_stack	       ? "__dtrace_print_stack"
			       : l->d->options.shows_addresses ? "__dtrace_print_addresses"
							       : "__dtrace_print_user_stack";
	struct expr *call = build_call(l->arena, &stack->location, function, stack);

	g_ptr_array_add(call->arguments, build_number(l->arena, &stack->location, l->d->options.stack_indent));
	return call;
}

/* ---- default forms ----------------------------------------------------------------------------------------------- */

/* The widths of integers by their size. */
static int integer_width(uint64_t size)
{
	return size == 1 ? 3 : size == 2 ? 5 : size == 4 ? 8 : 16;
}

static void print_integer(struct d_print *p, const struct type *type, struct expr *value, bool is_quiet)
{
	bool is_signed = type->is_signed && type->kind != KIND_POINTER;

	if (!is_quiet)
		d_print_text(p, " ");
	d_print_value(p, is_signed ? FORMAT_SIGNED : FORMAT_UNSIGNED, is_quiet ? 0 : integer_width(type->size), value);
}

void d_print_key(struct d_print *p, const struct type *type, struct expr *key)
{
	enum { KEY_WIDTH = 50 };
	const struct symbol_type *symbol = symbol_type_of(type);

	if (d_is_stack(type)) {
		d_print_text(p, "\n");
		d_print_end(p);
		d_emit_expr(p->l, stack_print(p->l, type, key));
	} else if (symbol) {
		d_print_text(p, "  ");
		d_print_value(p, FORMAT_STRING, -KEY_WIDTH, build_call(p->l->arena, p->at, symbol->function, key));
	} else if (d_is_text(type)) {
		d_print_text(p, "  ");
		d_print_value(p, FORMAT_STRING, -KEY_WIDTH, key);
	} else {
		print_integer(p, type, key, false);
	}
}

/* Print a struct or an array as bytes. */
static bool trace_bytes(struct d_lowering *l, const struct d_node *node, const struct d_value *value)
{
	const struct location *at = &node->location;
	struct expr *call, *size;

	if (!value->place.address)
		return d_fail(l, at, "D_TRACE_DYN", _("trace() of a '%s' is not supported"), value->type->spelling);
	size = build_number(l->arena, at, (int64_t)value->type->size);
	call = build_call(l->arena, at, "__dtrace_tracemem", value->place.address);
	g_ptr_array_add(call->arguments, size);
	g_ptr_array_add(call->arguments, expr_copy(l->arena, size));
	g_ptr_array_add(call->arguments, build_number(l->arena, at, value->place.memory == MEMORY_USER));
	d_emit_expr(l, call);
	return true;
}

/* trace(expression) */
bool d_trace(struct d_lowering *l, const struct d_node *node)
{
	enum { TRACE_WIDTH = 33 };
	const struct d_node *argument;
	bool is_quiet = l->d->options.quiet;
	const struct symbol_type *symbol;
	struct d_value value;
	struct d_print p;
	struct expr *e;

	if (node->arguments->len != 1)
		return d_fail(l, &node->location, "D_PROTO_LEN", _("trace() requires one argument, not %u"),
			      node->arguments->len);
	argument = g_ptr_array_index(node->arguments, 0);
	if (argument->kind == D_AGGREGATION)
		return d_fail(l, &argument->location, "D_TRACE_AGG",
			      _("trace() cannot print an aggregation; use printa()"));
	if (!d_lower(l, argument, &value))
		return false;
	if (value.is_void)
		return d_fail(l, &argument->location, "D_TRACE_VOID", _("trace() requires a value"));
	if (d_is_struct(value.type) ||
	    (value.type->kind == KIND_ARRAY && value.type->size && !d_is_string(value.type) &&
	     (!d_is_text(value.type) || l->d->options.shows_bytes)))
		return trace_bytes(l, argument, &value);
	e = d_is_text(value.type) ? d_read_string(l, &argument->location, &value)
				  : d_read(l, &argument->location, &value);
	if (!e)
		return false;
	d_print_begin(&p, l, &node->location);
	symbol = symbol_type_of(value.type);
	if (d_is_stack(value.type)) {
		d_print_text(&p, "\n");
		d_print_end(&p);
		d_emit_expr(l, stack_print(l, value.type, e));
		return true;
	}
	if (symbol)
		e = build_call(l->arena, &node->location, symbol->function, e);
	if (d_is_text(value.type) || symbol) {
		d_print_text(&p, is_quiet ? "" : "  ");
		d_print_value(&p, FORMAT_STRING, is_quiet ? 0 : -TRACE_WIDTH, e);
	} else {
		struct type pointer = {.kind = KIND_INTEGER, .size = sizeof(int64_t)};

		print_integer(&p, d_is_address(value.type) ? &pointer : value.type, e, is_quiet);
	}
	d_print_end(&p);
	return true;
}

/* ---- formats ----------------------------------------------------------------------------------------------------- */

/* What a conversion letter wants and how the tree prints it. */
struct conversion {
	const char *letters;
	enum {
		WANTS_INTEGER,
		WANTS_TEXT,
		WANTS_TIME,
		WANTS_SYMBOL,
		WANTS_USER_SYMBOL,
		WANTS_STACK,
		WANTS_ESCAPED,
		WANTS_CHARACTER, /* to be escaped */
		WANTS_FLOAT,
		WANTS_COUNT_
	} wants;
	enum format_kind kind;
	bool is_signed; /* unless the type of the argument is unsigned */
	bool uppercase;
};

static const struct conversion conversions[] = {
	{"d", WANTS_INTEGER, FORMAT_SIGNED, true, false},      {"i", WANTS_INTEGER, FORMAT_SIGNED, true, false},
	{"u", WANTS_INTEGER, FORMAT_UNSIGNED, false, false},   {"o", WANTS_INTEGER, FORMAT_OCTAL, false, false},
	{"x", WANTS_INTEGER, FORMAT_HEX, false, false},	       {"X", WANTS_INTEGER, FORMAT_HEX, false, true},
	{"p", WANTS_INTEGER, FORMAT_HEX, false, false},	       {"c", WANTS_INTEGER, FORMAT_CHARACTER, false, false},
	{"wc", WANTS_INTEGER, FORMAT_CHARACTER, false, false}, {"s", WANTS_TEXT, FORMAT_STRING, false, false},
	{"ws", WANTS_TEXT, FORMAT_STRING, false, false},       {"S", WANTS_ESCAPED, FORMAT_STRING, false, false},
	{"C", WANTS_CHARACTER, FORMAT_STRING, false, false},   {"Y", WANTS_TIME, FORMAT_STRING, false, false},
	{"T", WANTS_TIME, FORMAT_STRING, false, false},	       {"a", WANTS_SYMBOL, FORMAT_STRING, false, false},
	{"A", WANTS_USER_SYMBOL, FORMAT_STRING, false, false}, {"k", WANTS_STACK, FORMAT_STRING, false, false},
	{"e", WANTS_FLOAT, FORMAT_STRING, false, false},       {"E", WANTS_FLOAT, FORMAT_STRING, false, false},
	{"f", WANTS_FLOAT, FORMAT_STRING, false, false},       {"g", WANTS_FLOAT, FORMAT_STRING, false, false},
	{"G", WANTS_FLOAT, FORMAT_STRING, false, false},
};

static const struct conversion *find_conversion(const char **cursor)
{
	for (int length = 2; length; length--)
		for (size_t i = 0; i < G_N_ELEMENTS(conversions); i++)
			if ((int)strlen(conversions[i].letters) == length &&
			    !strncmp(conversions[i].letters, *cursor, (size_t)length)) {
				*cursor += length;
				return &conversions[i];
			}
	return NULL;
}

/* One directive of a format: "%-10.3s", with the place of its letter. */
struct directive {
	struct format_part part;
	const struct conversion *conversion;
	bool is_aggregation;
	bool is_percent; /* "%5%": the sign itself, which has no argument */
	char letter;
	unsigned int number; /* of the conversion, from 1 */
};

static int read_width(const char **cursor, bool *given)
{
	int width = 0;

	*given = g_ascii_isdigit(**cursor);
	while (g_ascii_isdigit(**cursor) && width < 10000)
		width = width * 10 + *(*cursor)++ - '0';
	return width;
}

/* Return true for "?": the field is as wide as a pointer in hexadecimal. */
static bool read_flags(const char **cursor, struct directive *d)
{
	bool wants_pointer_width = false;

	for (;; ++*cursor) {
		struct format_part *part = &d->part;
		bool *flag = **cursor == '-'   ? &part->left
			     : **cursor == '+' ? &part->plus
			     : **cursor == ' ' ? &part->space
			     : **cursor == '#' ? &part->alternate
			     : **cursor == '0' ? &part->zero
			     : **cursor == '@' ? &d->is_aggregation
					       : NULL;

		if (flag)
			*flag = true;
		else if (**cursor == '?')
			wants_pointer_width = true;
		else if (**cursor != '\'') /* grouping: the C locale has none */
			return wants_pointer_width;
	}
}

/* Report an unknown conversion. Escape its letter, which may be a control character. */
static bool fail_unknown_conversion(struct d_lowering *l, const struct d_node *node, char letter)
{
	g_autofree char *shown = g_strescape((char[]){letter, '\0'}, NULL);

	if (!letter)
		return d_fail(l, &node->location, "D_SYNTAX", _("the format ends in a conversion"));
	return d_fail(l, &node->location, "D_SYNTAX", _("the format has an unknown conversion '%%%s'"), shown);
}

/* directive := "%" { flag } [ width | "*" ] [ "." [ precision | "*" ] ] { "h" | "l" | "L" } letter */
static bool read_directive(struct d_lowering *l, const struct d_node *node, const char **cursor, struct directive *d)
{
	bool wants_pointer_width;

	++*cursor;
	wants_pointer_width = read_flags(cursor, d);
	d->part.width_from_argument = **cursor == '*';
	if (d->part.width_from_argument)
		++*cursor;
	else
		d->part.width = read_width(cursor, &d->part.has_width);
	if (wants_pointer_width && !d->part.width_from_argument && !d->part.has_width) {
		d->part.width = 2 * sizeof(uint64_t);
		d->part.has_width = true;
	}
	if (**cursor == '.') {
		++*cursor;
		d->part.precision_from_argument = **cursor == '*';
		if (d->part.precision_from_argument)
			++*cursor;
		else
			d->part.precision = read_width(cursor, &d->part.has_precision);
		d->part.has_precision = true;
	}
	while (**cursor && strchr("hlLqjzt", **cursor))
		++*cursor;
	if (**cursor == '@') {
		d->is_aggregation = true;
		++*cursor;
	}
	d->letter = **cursor;
	d->is_percent = **cursor == '%';
	*cursor += d->is_percent;
	if (d->is_percent)
		return true;
	d->conversion = find_conversion(cursor);
	if (d->conversion)
		return true;
	return fail_unknown_conversion(l, node, d->letter);
}

/* Return what a conversion prints, for messages. */
static const char *prototype_of(const struct conversion *c)
{
	switch (c->wants) {
	case WANTS_INTEGER:
	case WANTS_CHARACTER:
		return "char, short, int, long, or long long";
	case WANTS_TEXT:
	case WANTS_ESCAPED:
		return "char [] or string (or use stringof)";
	case WANTS_TIME:
		return "int64_t";
	case WANTS_STACK:
		return "stack or ustack";
	case WANTS_FLOAT:
		return "float, double, or long double";
	default:
		return "pointer or integer";
	}
}

static bool wrong_argument(struct d_lowering *l, const struct location *at, const struct directive *d,
			   const struct type *type)
{
	return d_fail(l, at, "D_PRINTF_ARG_TYPE",
		      _("printf( ) argument #%u is incompatible with conversion #%u prototype:\n\tconversion: %%%s\n"
			"\t prototype: %s\n\t  argument: %s"),
		      d->number + 1, d->number, d->conversion->letters, prototype_of(d->conversion), type->spelling);
}

static struct expr *as_unsigned(struct d_lowering *l, struct expr *value, const struct type *type)
{
	if (type->size >= sizeof(int64_t) || !d_is_integer(type) || !type->is_signed)
		return value;
	return build_convert(l->arena, value, (int)type->size, false);
}

/* Append an argument of a directive to the printf. */
static bool add_directive(struct d_print *p, const struct directive *d, struct expr *value, const struct type *type)
{
	struct d_lowering *l = p->l;
	const struct conversion *c = d->conversion;
	const struct symbol_type *symbol = symbol_type_of(type);
	static const char *const functions[WANTS_COUNT_] = {[WANTS_INTEGER] = NULL,
							    [WANTS_TEXT] = NULL,
							    [WANTS_STACK] = NULL,
							    [WANTS_FLOAT] = NULL,
							    [WANTS_TIME] = "__dtrace_date",
							    [WANTS_SYMBOL] = "__dtrace_symbol_offset",
							    [WANTS_USER_SYMBOL] = "__dtrace_user_symbol_offset",
							    [WANTS_ESCAPED] = "__dtrace_escaped",
							    [WANTS_CHARACTER] = "__dtrace_escaped_character"};
	struct format_part *part;

	if (c->wants == WANTS_FLOAT) /* D cannot compute such numbers, nor read those of others */
		return wrong_argument(l, p->at, d, type);
	if (d_is_stack(type)) {
		if (c->wants != WANTS_STACK)
			return wrong_argument(l, p->at, d, type);
		d_print_text(p, "\n");
		d_print_end(p);
		d_emit_expr(l, stack_print(l, type, value));
		return true;
	}
	if (symbol && (c->wants == WANTS_SYMBOL || c->wants == WANTS_USER_SYMBOL || c->wants == WANTS_TEXT))
		value = build_call(l->arena, p->at, symbol->function, value);
	else if (c->wants == WANTS_STACK || (d_is_text(type) ? c->wants != WANTS_TEXT && c->wants != WANTS_ESCAPED
							     : c->wants == WANTS_TEXT || c->wants == WANTS_ESCAPED))
		return wrong_argument(l, p->at, d, type);
	else if (c->wants != WANTS_INTEGER && c->wants != WANTS_TEXT)
		value = build_call(l->arena, p->at, functions[c->wants], value);
	else if (c->wants == WANTS_INTEGER && c->kind != FORMAT_CHARACTER && !c->is_signed)
		value = as_unsigned(l, value, type);
	part = arena_new0(l->arena, struct format_part);
	*part = d->part;
	part->kind = c->is_signed && !type->is_signed && d_is_integer(type) ? FORMAT_UNSIGNED : c->kind;
	part->uppercase = c->uppercase;
	g_ptr_array_add(p->format, part);
	g_ptr_array_add(p->arguments, value);
	return true;
}

bool d_print_format(struct d_lowering *l, const struct d_node *format, d_next_value *next, void *data)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const char *cursor = format->text, *end = format->text + format->text_length;
	unsigned int count = 0;
	struct d_print p;

	d_print_begin(&p, l, &format->location);
	while (cursor < end) {
		struct directive d = {.number = count + 1};
		struct expr *value;
		struct type *type;

		if (*cursor != '%' || cursor[1] == '%') {
			cursor += *cursor == '%';
			g_string_append_c(text, *cursor++);
			continue;
		}
		d_print_text(&p, arena_strdup(l->arena, text->str));
		g_string_truncate(text, 0);
		if (!read_directive(l, format, &cursor, &d))
			return false;
		if (d.is_percent) {
			g_string_append_c(text, '%');
			continue;
		}
		count++;
		for (int i = 0; i < d.part.width_from_argument + d.part.precision_from_argument; i++) {
			if (!next(l, &format->location, D_NEXT_WIDTH, &value, &type, data))
				return false;
			if (!d_is_integer(type))
				return d_fail(l, &format->location, "D_PRINTF_DYN_TYPE",
					      _("'*' requires an integer, not '%s'"), type->spelling);
			g_ptr_array_add(p.arguments, value);
		}
		/* A distribution is printed at once, after what comes before it. */
		if (d.is_aggregation)
			d_print_end(&p);
		if (!next(l, &format->location, d.is_aggregation ? D_NEXT_AGGREGATION : D_NEXT_VALUE, &value, &type,
			  data))
			return false;
		if (value && !add_directive(&p, &d, value, type))
			return false;
	}
	d_print_text(&p, arena_strdup(l->arena, text->str));
	d_print_end(&p);
	return true;
}

struct printf_arguments {
	const GPtrArray *nodes;
	guint next;
};

static bool next_argument(struct d_lowering *l, const struct location *at, enum d_next kind, struct expr **expr,
			  struct type **type, void *data)
{
	struct printf_arguments *arguments = data;
	const struct d_node *node;
	struct d_value value;

	if (kind == D_NEXT_AGGREGATION)
		return d_fail(l, at, "D_PRINTF_AGG_CONV", _("%%@ is only for printa()"));
	if (arguments->next >= arguments->nodes->len)
		return d_fail(
			l, at, kind == D_NEXT_WIDTH ? "D_PRINTF_DYN_PROTO" : "D_PRINTF_ARG_PROTO",
			_("printf( ) prototype mismatch: conversion #%u is missing a corresponding value argument"),
			arguments->next);
	node = g_ptr_array_index(arguments->nodes, arguments->next++);
	if (node->kind == D_AGGREGATION)
		return d_fail(l, &node->location, "D_PRINTF_ARG_TYPE",
			      _("printf() cannot print an aggregation; use printa()"));
	if (!d_lower(l, node, &value))
		return false;
	if (value.is_void)
		return d_fail(l, &node->location, "D_PRINTF_ARG_TYPE", _("an argument of printf() has no value"));
	*type = value.type;
	if (d_is_text(value.type))
		*expr = d_read_string(l, &node->location, &value);
	else
		*expr = d_read(l, &node->location, &value);
	if (value.type->kind == KIND_ARRAY && !d_is_text(value.type) && !d_is_stack(value.type))
		*type = d_base_type(D_ULONG);
	return *expr != NULL;
}

/* printf("format", …) */
bool d_printf(struct d_lowering *l, const struct d_node *node)
{
	struct printf_arguments arguments = {.nodes = node->arguments, .next = 1};
	const struct d_node *format;

	if (!node->arguments->len)
		return d_fail(l, &node->location, "D_PRINTF_ARG_PROTO", _("printf() requires a format"));
	format = g_ptr_array_index(node->arguments, 0);
	if (format->kind != D_STRING)
		return d_fail(l, &format->location, "D_PRINTF_ARG_FMT", _("the format must be a string constant"));
	if (!d_print_format(l, format, next_argument, &arguments))
		return false;
	return arguments.next == node->arguments->len ||
	       d_fail(l, &node->location, "D_PRINTF_ARG_EXTRA",
		      _("printf( ) prototype mismatch: only %u arguments required by this format string"),
		      arguments.next - 1);
}
