// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parser: the print family (print, printf, printd, sprint…).
 *
 * These look like calls but are part of the language: their delimiter and format are literals, their other arguments
 * can have any type, and print takes histograms. A format string is split into directives here; later passes only see
 * struct format_part. Errors are reported at the directive. For its place, the source text of the literal is scanned
 * again, because escapes and adjacent literals shift the columns.
 */
#include "translator/lang/parser.h"

#include <string.h>

#include "common/base/i18n.h"

/* Limits of one print, except for its format. */
enum { MOST_ARGUMENTS = 1024 };

struct print_function {
	const char *name;
	enum print_destination destination;
	bool newline, delimited, formatted, character;
};

/* clang-format off */
static const struct print_function print_functions[] = {
	{ "print",      PRINT_STREAM,    .newline = false },
	{ "println",    PRINT_STREAM,    .newline = true },
	{ "printd",     PRINT_STREAM,    .delimited = true },
	{ "printdln",   PRINT_STREAM,    .delimited = true, .newline = true },
	{ "printf",     PRINT_STREAM,    .formatted = true },
	{ "print_char", PRINT_STREAM,    .character = true },
	{ "sprint",     PRINT_TO_STRING, .newline = false },
	{ "sprintln",   PRINT_TO_STRING, .newline = true },
	{ "sprintd",    PRINT_TO_STRING, .delimited = true },
	{ "sprintdln",  PRINT_TO_STRING, .delimited = true, .newline = true },
	{ "sprintf",    PRINT_TO_STRING, .formatted = true },
};
/* clang-format on */

const struct print_function *print_function_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(print_functions); i++) {
		if (strcmp(print_functions[i].name, name) == 0)
			return &print_functions[i];
	}
	return NULL;
}

void print_function_names(GPtrArray *names)
{
	for (size_t i = 0; i < G_N_ELEMENTS(print_functions); i++)
		g_ptr_array_add(names, (char *)print_functions[i].name);
}

/* A format string that is being split. */
struct format {
	struct parser *p;
	const struct token *first, *end; /* the adjacent string tokens that it consists of */
	const char *text;
	size_t length, position;
	size_t directive; /* where the current "%…" begins */
	GPtrArray *parts;
	guint arguments; /* number of arguments for the directives so far */
};

/* Return the source place of byte @offset of a literal's value. */
static struct location literal_place(const struct token *token, size_t offset)
{
	struct location place = token->location;
	const char *cursor = token->source + 1;

	if (!token_is_quoted(token))
		return place;
	for (size_t done = 0; done < offset;) {
		char byte;

		done += (size_t)decode_string_character(&cursor, &byte);
	}
	/* For a literal that continues over a line end, use its beginning. */
	if (!memchr(token->source, '\n', (size_t)(cursor - token->source)))
		place.column += (int)(cursor - token->source);
	place.length = 1;
	return place;
}

/* Make a token with the place of the current directive, from its "%" to the current position. */
static struct token directive_token(const struct format *f)
{
	size_t offset = f->directive;
	const struct token *token = f->first;
	struct token place;

	while (token + 1 < f->end && offset >= token->length)
		offset -= token++->length;
	place = *token;
	place.location = literal_place(token, offset);
	if (token_is_quoted(token))
		place.location.length = (int)MAX(f->position - f->directive, 1);
	return place;
}

static bool format_error(struct format *f, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Report an error at the current directive. Return false. */
static bool format_error(struct format *f, const char *format, ...)
{
	struct token *place = arena_new0(f->p->arena, struct token);
	g_autofree char *text = NULL;
	va_list args;

	*place = directive_token(f);
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	parse_error(f->p, place, "%s", text);
	return false;
}

static char format_peek(const struct format *f)
{
	return f->position < f->length ? f->text[f->position] : '\0';
}

static bool format_accept(struct format *f, char c)
{
	if (f->position == f->length || f->text[f->position] != c)
		return false;
	f->position++;
	return true;
}

/* flags := { "-" | "+" | " " | "#" | "0" } */
static void format_flags(struct format *f, struct format_part *part)
{
	for (;; f->position++) {
		switch (format_peek(f)) {
		case '-':
			part->left = true;
			break;
		case '+':
			part->plus = true;
			break;
		case ' ':
			part->space = true;
			break;
		case '#':
			part->alternate = true;
			break;
		case '0':
			part->zero = true;
			break;
		default:
			return;
		}
	}
}

/* number := "*" | digits ; sets @p present if there is one */
static bool format_number(struct format *f, bool *from_argument, bool *present, int *value)
{
	enum { MOST = 1 << 20 };

	if (format_accept(f, '*')) {
		*from_argument = true;
		f->arguments++;
		return true;
	}
	while (g_ascii_isdigit(format_peek(f))) {
		*value = *value * 10 + f->text[f->position++] - '0';
		*present = true;
		if (*value > MOST)
			return format_error(f, _("width or precision is larger than %d"), MOST);
	}
	return true;
}

/* %b and %B write 1, 2, 4 or 8 bytes (the default). A width from an argument is checked when it is printed. */
static bool check_binary(struct format *f, struct format_part *part)
{
	if (part->width_from_argument)
		return true;
	if (!part->has_width)
		part->width = 8;
	if (part->width == 1 || part->width == 2 || part->width == 4 || part->width == 8)
		return true;
	format_error(f, _("the width of %%b must be 1, 2, 4 or 8 bytes"));
	return false;
}

static bool unknown_directive(struct format *f, char letter)
{
	/* If no letter follows, the presumed length modifier is the unknown directive. */
	if (!g_ascii_isgraph(letter) && f->position >= 2)
		letter = f->text[f->position - 2];
	format_error(f, _("unknown printf directive '%%%c'"), letter);
	if (letter && strchr("eEfFgGaA", letter))
		parse_hint(f->p,
			   _("there are no floating-point numbers in the language; print a scaled integer with %%d"));
	else
		parse_hint(f->p, _("directives are %%d %%i %%u %%x %%X %%o %%p %%P %%s %%c %%b %%B %%m %%M and %%%%"));
	return false;
}

/* conversion := a letter */
static bool format_conversion(struct format *f, struct format_part *part)
{
	static const struct {
		char letter;
		enum format_kind kind;
		bool uppercase;
	} table[] = {
		{'d', FORMAT_SIGNED, false},	{'i', FORMAT_SIGNED, false},	 {'u', FORMAT_UNSIGNED, false},
		{'o', FORMAT_OCTAL, false},	{'x', FORMAT_HEX, false},	 {'X', FORMAT_HEX, true},
		{'p', FORMAT_POINTER, false},	{'P', FORMAT_POINTER, true},	 {'s', FORMAT_STRING, false},
		{'c', FORMAT_CHARACTER, false}, {'b', FORMAT_BINARY, false},	 {'B', FORMAT_BINARY, true},
		{'m', FORMAT_MEMORY, false},	{'M', FORMAT_MEMORY_HEX, false},
	};
	char letter;

	if (f->position == f->length) {
		format_error(f, _("printf directive ends with the string"));
		parse_hint(f->p, _("write %%%% to print a percent sign"));
		return false;
	}
	letter = f->text[f->position++];
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		if (table[i].letter != letter)
			continue;
		part->kind = table[i].kind;
		part->uppercase = table[i].uppercase;
		f->arguments++;
		return part->kind != FORMAT_BINARY || check_binary(f, part);
	}
	return unknown_directive(f, letter);
}

/* directive := "%" [ flags ] [ width ] [ "." precision ] [ length ] conversion */
static bool format_directive(struct format *f)
{
	struct format_part *part = arena_new0(f->p->arena, struct format_part);

	format_flags(f, part);
	if (!format_number(f, &part->width_from_argument, &part->has_width, &part->width))
		return false;
	if (format_accept(f, '.')) {
		if (!format_number(f, &part->precision_from_argument, &part->has_precision, &part->precision))
			return false;
		part->has_precision = true;
	}
	/* All numbers are 64 bits wide; the length modifiers of C are accepted and ignored. */
	while (format_peek(f) && strchr("hlLqjzt", format_peek(f)))
		f->position++;
	g_ptr_array_add(f->parts, part);
	return format_conversion(f, part);
}

static void add_literal(struct format *f, GString *literal)
{
	struct format_part *part;

	if (!literal->len)
		return;
	part = arena_new0(f->p->arena, struct format_part);
	part->kind = FORMAT_LITERAL;
	part->text = arena_strndup(f->p->arena, literal->str, literal->len);
	part->length = literal->len;
	g_ptr_array_add(f->parts, part);
	g_string_truncate(literal, 0);
}

/* format := { text | "%%" | directive } */
static bool parse_format(struct format *f)
{
	g_autoptr(GString) literal = g_string_new(NULL);
	bool good = true;

	f->parts = arena_ptr_array(f->p->arena);
	while (f->position < f->length) {
		f->directive = f->position;
		if (!format_accept(f, '%')) {
			g_string_append_c(literal, f->text[f->position++]);
		} else if (format_accept(f, '%')) {
			g_string_append_c(literal, '%');
		} else {
			add_literal(f, literal);
			good = format_directive(f) && good;
		}
	}
	add_literal(f, literal);
	return good;
}

static bool check_argument_count(struct parser *p, const struct token *name, const struct format *f, guint given)
{
	if (given == f->arguments)
		return true;
	parse_error(p, name,
		    ngettext("%s: the format takes %u argument, not %u", "%s: the format takes %u arguments, not %u",
			     f->arguments),
		    name->text, f->arguments, given);
	parse_note(p, &f->first->location, _("the format is here"));
	parse_hint(p, _("each directive such as %%d or %%s takes one argument, each '*' one more"));
	return false;
}

/* argument := expression | histogram */
static struct expr *print_argument(struct parser *p)
{
	size_t start = p->position;
	struct expr *histogram;

	if (!at_histogram(p))
		return expression(p);
	histogram = histogram_expression(p);
	if (!histogram || at(p, ",") || at(p, ")"))
		return histogram;
	p->position = start;
	return expression(p);
}

static bool missing_comma(struct parser *p)
{
	const struct token *token = peek(p);

	expected(p, _("',' or ')' after an argument"));
	if (starts_expression(token) && token->kind != TOKEN_END)
		parse_hint(p, _("arguments are separated by commas; one seems to be missing before %s"),
			   token_description(p->arena, token));
	return false;
}

/* arguments := [ argument { "," argument } ] ")" */
static bool print_arguments(struct parser *p, GPtrArray *arguments, const struct token *opening)
{
	if (accept(p, ")"))
		return true;
	do {
		struct expr *argument = print_argument(p);

		if (!argument)
			return false;
		g_ptr_array_add(arguments, argument);
	} while (accept(p, ","));
	if (at_kind(p, TOKEN_END))
		return expect_closing(p, ")", opening, _("after the arguments"));
	return accept(p, ")") || missing_comma(p);
}

/* Check the number and kinds of arguments of a function of the family. */
static bool check_arguments(struct parser *p, const struct token *name, const struct print_function *function,
			    const GPtrArray *arguments)
{
	const struct expr *first = arguments->len ? g_ptr_array_index(arguments, 0) : NULL;

	if (function->delimited && (!first || first->kind != EXPR_STRING)) {
		if (parse_error(p, name, _("%s needs a string literal as its delimiter"), name->text))
			parse_hint(p, _("for example %s(\", \", a, b)"), name->text);
		return false;
	}
	if (function->delimited && arguments->len < 3) {
		parse_error(p, name, _("%s needs two values or more after the delimiter"), name->text);
		return false;
	}
	if (arguments->len > MOST_ARGUMENTS) {
		parse_error(p, name, _("%s takes %d arguments at most"), name->text, MOST_ARGUMENTS);
		return false;
	}
	if (function->character && arguments->len != 1) {
		parse_error(p, name, _("%s takes one argument, not %u"), name->text, arguments->len);
		return false;
	}
	if (!function->newline && !arguments->len) {
		parse_error(p, name, _("%s needs something to print"), name->text);
		return false;
	}
	return true;
}

/* formatted := "(" string [ "," arguments ] ")" ; the "(" is gone */
static bool formatted_arguments(struct parser *p, const struct token *name, struct expr *print,
				const struct token *opening)
{
	struct format format = {.p = p, .first = peek(p)};
	struct expr *literal;
	bool good;

	if (!at_kind(p, TOKEN_STRING)) {
		expected(p, _("a format string"));
		parse_hint(p, _("the format of %s is a string literal; print(x) shows a value of any type"),
			   name->text);
		return false;
	}
	literal = string_literal(p, "");
	format.end = peek(p);
	format.text = literal->text;
	format.length = literal->text_length;
	good = parse_format(&format);
	print->text = literal->text;
	print->text_length = literal->text_length;
	print->format = format.parts;
	if (accept(p, ",")) {
		if (!print_arguments(p, print->arguments, opening))
			return false;
	} else if (!accept(p, ")")) {
		return at_kind(p, TOKEN_END) ? expect_closing(p, ")", opening, _("after the format"))
					     : missing_comma(p);
	}
	if (print->arguments->len > MOST_ARGUMENTS) {
		parse_error(p, name, _("%s takes %d arguments at most"), name->text, MOST_ARGUMENTS);
		return false;
	}
	return good && check_argument_count(p, name, &format, print->arguments->len);
}

/* print := name "(" arguments ")" ; name is one of the family */
struct expr *print_expression(struct parser *p, const struct print_function *function)
{
	const struct token *name = advance_token(p), *opening = peek(p);
	struct expr *print = expr_new(p->arena, EXPR_PRINT, &name->location);

	print->print_name = function->name;
	print->destination = function->destination;
	print->print_newline = function->newline;
	print->print_delimited = function->delimited;
	print->print_formatted = function->formatted;
	print->print_character = function->character;
	print->type = function->destination == PRINT_TO_STRING ? TYPE_STRING : TYPE_LONG;
	print->arguments = arena_ptr_array(p->arena);
	if (!accept(p, "(")) {
		expected(p, arena_printf(p->arena, _("'(' after '%s'"), name->text));
		parse_hint(p, _("enclose the arguments in parentheses: %s(...)"), name->text);
		return NULL;
	}
	if (function->formatted)
		return formatted_arguments(p, name, print, opening) ? print : NULL;
	if (!print_arguments(p, print->arguments, opening))
		return NULL;
	return check_arguments(p, name, function, print->arguments) ? print : NULL;
}
