// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Printer: turn a syntax tree into script text.
 *
 * The text parses to the same tree, which prints identically (tests check that with all their scripts). Parentheses are
 * not in the tree; they are printed where a child has a looser precedence than its place requires. Every simple
 * statement ends with ";", because otherwise a following "(" or "-" would continue it.
 */
#include <inttypes.h>
#include <string.h>

#include "translator/lang/lang.h"
#include "translator/lang/operators.h"

static void print_at(FILE *out, const struct expr *e, enum precedence least);

/* Print a string literal with escapes. Bytes beyond ASCII are not escaped if they are UTF-8. */
static void print_string(FILE *out, const char *text, size_t length)
{
	static const char special[] = "\"\\\n\t\r", letters[] = "\"\\ntr";
	bool is_utf8 = g_utf8_validate(text, (gssize)length, NULL);

	fputc('"', out);
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];
		const char *found = c ? strchr(special, c) : NULL;

		if (found)
			fprintf(out, "\\%c", letters[found - special]);
		else if (c < 0x20 || c == 0x7f || (c >= 0x80 && !is_utf8))
			fprintf(out, "\\%03o", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void print_text(FILE *out, const char *text)
{
	print_string(out, text, strlen(text));
}

static void print_list(FILE *out, const GPtrArray *exprs)
{
	const char *comma = "";

	for_each_ptr(const struct expr *, e, exprs) {
		fputs(comma, out);
		print_at(out, e, PRECEDENCE_ASSIGN);
		comma = ", ";
	}
}

static void print_keys(FILE *out, const GPtrArray *list)
{
	fputc('[', out);
	print_list(out, list);
	fputc(']', out);
}

/* Print "@name(operand, arguments)". */
static void print_at_operator(FILE *out, const char *name, const struct expr *e)
{
	fprintf(out, "@%s(", name);
	if (e->operand)
		print_at(out, e->operand, PRECEDENCE_ASSIGN);
	if (e->operand && e->arguments && e->arguments->len)
		fputs(", ", out);
	print_list(out, e->arguments);
	fputc(')', out);
}

static void print_components(FILE *out, const struct expr *e)
{
	for_each_ptr(const struct component *, c, e->components) {
		if (c->kind == COMPONENT_MEMBER) {
			fprintf(out, "->%s", c->name);
		} else if (c->kind == COMPONENT_INDEX) {
			fputc('[', out);
			print_at(out, c->index, PRECEDENCE_ASSIGN);
			fputc(']', out);
		} else {
			fputs(c->depth > 1 ? "$$" : "$", out);
		}
	}
}

static void print_module(FILE *out, const char *module)
{
	if (!module)
		return;
	fputs(", ", out);
	print_text(out, module);
}

static void print_target(FILE *out, const struct expr *e)
{
	if (e->address_of)
		fputc('&', out);
	if (e->target == TARGET_VARIABLE) {
		fprintf(out, "$%s", e->text);
	} else if (e->target == TARGET_ATVAR) {
		fputs("@var(", out);
		print_text(out, e->text);
		print_module(out, e->module);
		fputc(')', out);
	} else if (e->type_name) {
		fputs("@cast(", out);
		print_at(out, e->operand, PRECEDENCE_ASSIGN);
		fputs(", ", out);
		print_text(out, e->type_name);
		print_module(out, e->module);
		fputc(')', out);
	} else {
		print_at(out, e->operand, PRECEDENCE_POSTFIX);
	}
	print_components(out, e);
}

static void print_number(FILE *out, const struct expr *e)
{
	fprintf(out, "%" PRId64, e->number);
}

static void print_string_literal(FILE *out, const struct expr *e)
{
	print_string(out, e->text, e->text_length);
}

static void print_symbol(FILE *out, const struct expr *e)
{
	fputs(e->text, out);
}

static void print_wildcard(FILE *out, const struct expr *e)
{
	fputc('*', out);
}

static void print_index(FILE *out, const struct expr *e)
{
	print_at(out, e->left, PRECEDENCE_POSTFIX);
	print_keys(out, e->arguments);
}

static void print_unary(FILE *out, const struct expr *e)
{
	bool sign = e->operand->kind == EXPR_UNARY || e->operand->kind == EXPR_INCREMENT;

	fputs(operator_text(e->op), out);
	/* Keep the operator apart from a literal: "-5" would parse as a number, and "-0" as 0. */
	if (e->operand->kind == EXPR_NUMBER && (e->op == OP_NEGATE || e->op == OP_PLUS)) {
		fputc('(', out);
		print_expr(out, e->operand);
		fputc(')', out);
		return;
	}
	print_at(out, e->operand, sign ? PRECEDENCE_PRIMARY : PRECEDENCE_UNARY);
}

static void print_binary(FILE *out, const struct expr *e)
{
	const struct operator_info *info = operator_of(e);

	print_at(out, e->left, info->precedence);
	fprintf(out, " %s ", info->text);
	print_at(out, e->right, info->precedence + 1);
}

static void print_in(FILE *out, const struct expr *e)
{
	print_keys(out, e->arguments);
	fputs(" in ", out);
	print_at(out, e->left, PRECEDENCE_POSTFIX);
}

static void print_conditional(FILE *out, const struct expr *e)
{
	print_at(out, e->condition, PRECEDENCE_LOGICAL_OR);
	fputs(" ? ", out);
	print_at(out, e->left, PRECEDENCE_ASSIGN);
	fputs(" : ", out);
	print_at(out, e->right, PRECEDENCE_CONDITIONAL);
}

static void print_assign(FILE *out, const struct expr *e)
{
	print_at(out, e->left, PRECEDENCE_POSTFIX);
	fprintf(out, " %s ", operator_of(e)->text);
	print_at(out, e->right, PRECEDENCE_ASSIGN);
}

static void print_increment(FILE *out, const struct expr *e)
{
	const char *text = e->op == OP_ADD ? "++" : "--";

	if (!e->postfix)
		fputs(text, out);
	print_at(out, e->operand, PRECEDENCE_POSTFIX);
	if (e->postfix)
		fputs(text, out);
}

static void print_call(FILE *out, const struct expr *e)
{
	fprintf(out, "%s(", e->text);
	print_list(out, e->arguments);
	fputc(')', out);
}

static void append_literal(GString *text, const struct format_part *part)
{
	for (size_t i = 0; i < part->length; i++) {
		g_string_append_c(text, part->text[i]);
		if (part->text[i] == '%')
			g_string_append_c(text, '%');
	}
}

/* Print a directive of a format. */
static void append_directive(GString *text, const struct format_part *part)
{
	static const char letters[FORMAT_KIND_COUNT_] = {
		/* others: no directive */
		[FORMAT_SIGNED] = 'd',	[FORMAT_UNSIGNED] = 'u',   [FORMAT_OCTAL] = 'o',     [FORMAT_HEX] = 'x',
		[FORMAT_POINTER] = 'p', [FORMAT_STRING] = 's',	   [FORMAT_CHARACTER] = 'c', [FORMAT_BINARY] = 'b',
		[FORMAT_MEMORY] = 'm',	[FORMAT_MEMORY_HEX] = 'M',
	};

	g_string_append_printf(text, "%%%s%s%s%s%s", part->left ? "-" : "", part->plus ? "+" : "",
			       part->space ? " " : "", part->alternate ? "#" : "", part->zero ? "0" : "");
	if (part->width_from_argument)
		g_string_append_c(text, '*');
	else if (part->has_width)
		g_string_append_printf(text, "%d", part->width);
	if (part->precision_from_argument)
		g_string_append(text, ".*");
	else if (part->has_precision)
		g_string_append_printf(text, ".%d", part->precision);
	g_string_append_c(text, part->uppercase ? g_ascii_toupper(letters[part->kind]) : letters[part->kind]);
}

/* Print the parts of a format that pass 2 made, which has no source text. */
static void print_format(FILE *out, const struct expr *e)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (e->text) {
		print_string(out, e->text, e->text_length);
		return;
	}
	for_each_ptr(const struct format_part *, part, e->format) {
		if (part->kind == FORMAT_LITERAL)
			append_literal(text, part);
		else
			append_directive(text, part);
	}
	print_string(out, text->str, text->len);
}

static void print_print(FILE *out, const struct expr *e)
{
	fprintf(out, "%s(", e->print_name);
	if (e->print_formatted) {
		print_format(out, e);
		if (e->arguments->len)
			fputs(", ", out);
	}
	print_list(out, e->arguments);
	fputc(')', out);
}

static void print_named_operator(FILE *out, const struct expr *e)
{
	print_at_operator(out, e->text, e);
}

static void print_defined(FILE *out, const struct expr *e)
{
	print_at_operator(out, "defined", e);
}

static void print_entry(FILE *out, const struct expr *e)
{
	print_at_operator(out, "entry", e);
}

static void print_probewrite(FILE *out, const struct expr *e)
{
	print_at_operator(out, "probewrite", e);
}

static void print_text_operator(FILE *out, const char *name, const char *text)
{
	fprintf(out, "@%s(", name);
	print_text(out, text);
	fputc(')', out);
}

static void print_perf(FILE *out, const struct expr *e)
{
	print_text_operator(out, "perf", e->text);
}

static void print_const(FILE *out, const struct expr *e)
{
	print_text_operator(out, "const", e->text);
}

static void print_enum(FILE *out, const struct expr *e)
{
	fputs(e->text ? "@enum(" : "@enumname(", out);
	print_text(out, e->text ?: e->type_name);
	if (!e->text) {
		fputs(", ", out);
		print_at(out, e->operand, PRECEDENCE_ASSIGN);
	}
	if (e->module) {
		fputs(", ", out);
		print_text(out, e->module);
	}
	fputc(')', out);
}

static void print_embedded(FILE *out, const struct expr *e)
{
	fprintf(out, "%%{%s%%}", e->text);
}

/* Print a node that pass 2 makes of $variables. It has no syntax in the language; this is similar to it. */
static void print_store(FILE *out, const struct expr *e)
{
	if (e->operand) {
		fprintf(out, "@%cderef(%d, ", e->user_space ? 'u' : 'k', e->size);
		print_expr(out, e->operand);
		fputc(')', out);
		if (e->bit_size)
			fprintf(out, "{%d:%d}", e->bit_offset, e->bit_offset + e->bit_size - 1);
		fputs(" = ", out);
	} else {
		fprintf(out, "@kregister(%" G_GINT64_FORMAT ") = ", e->number);
	}
	print_at(out, e->right, PRECEDENCE_ASSIGN);
}

static void print_load(FILE *out, const struct expr *e)
{
	fprintf(out, "@%s(%d, ", e->user_space ? "uderef" : "kderef", e->size);
	print_at(out, e->operand, PRECEDENCE_ASSIGN);
	fputc(')', out);
}

static void print_probe_register(FILE *out, const struct expr *e)
{
	fprintf(out, "@%s(%" PRId64 ")", e->user_space ? "uregister" : "kregister", e->number);
}

static void print_entry_register(FILE *out, const struct expr *e)
{
	fprintf(out, "@entry_register(%" PRId64 ", ", e->number);
	print_at(out, e->operand, PRECEDENCE_ASSIGN);
	fputc(')', out);
}

static void print_entry_known(FILE *out, const struct expr *e)
{
	fputs("@entry_known(", out);
	print_at(out, e->operand, PRECEDENCE_ASSIGN);
	fputc(')', out);
}

static void print_address(FILE *out, const struct expr *e)
{
	fprintf(out, "@address(0x%" PRIx64 ", ", (uint64_t)e->number);
	print_text(out, e->text ? e->text : e->module);
	fputc(')', out);
}

static void print_thread_pointer(FILE *out, const struct expr *e)
{
	fputs("@thread_pointer(", out);
	print_text(out, e->module);
	fputc(')', out);
}

static void print_entry_value(FILE *out, const struct expr *e)
{
	fprintf(out, "@entry_value(%" PRId64 ")", e->number);
}

/* clang-format off */
static const struct {
	void (*print)(FILE *out, const struct expr *e);
	enum precedence precedence; /* for nodes without operator_of() */
} printers[EXPR_KIND_COUNT_] = {
	[EXPR_NUMBER]            = { print_number,         PRECEDENCE_PRIMARY },
	[EXPR_STRING]            = { print_string_literal, PRECEDENCE_PRIMARY },
	[EXPR_SYMBOL]            = { print_symbol,         PRECEDENCE_PRIMARY },
	[EXPR_INDEX]             = { print_index,          PRECEDENCE_POSTFIX },
	[EXPR_WILDCARD]          = { print_wildcard,       PRECEDENCE_PRIMARY },
	[EXPR_UNARY]             = { print_unary,          PRECEDENCE_UNARY },
	[EXPR_BINARY]            = { print_binary,         PRECEDENCE_ASSIGN },
	[EXPR_COMPARE]           = { print_binary,         PRECEDENCE_ASSIGN },
	[EXPR_LOGICAL]           = { print_binary,         PRECEDENCE_ASSIGN },
	[EXPR_CONCAT]            = { print_binary,         PRECEDENCE_ASSIGN },
	[EXPR_REGEX]             = { print_binary,         PRECEDENCE_ASSIGN },
	[EXPR_IN]                = { print_in,             PRECEDENCE_IN },
	[EXPR_CONDITIONAL]       = { print_conditional,    PRECEDENCE_CONDITIONAL },
	[EXPR_ASSIGN]            = { print_assign,         PRECEDENCE_ASSIGN },
	[EXPR_INCREMENT]         = { print_increment,      PRECEDENCE_UNARY },
	[EXPR_CALL]              = { print_call,           PRECEDENCE_POSTFIX },
	[EXPR_PRINT]             = { print_print,          PRECEDENCE_POSTFIX },
	[EXPR_STATISTIC]         = { print_named_operator, PRECEDENCE_POSTFIX },
	[EXPR_HISTOGRAM]         = { print_named_operator, PRECEDENCE_POSTFIX },
	[EXPR_TARGET]            = { print_target,         PRECEDENCE_POSTFIX },
	[EXPR_DEFINED]           = { print_defined,        PRECEDENCE_POSTFIX },
	[EXPR_ENTRY]             = { print_entry,          PRECEDENCE_POSTFIX },
	[EXPR_PERF]              = { print_perf,           PRECEDENCE_POSTFIX },
	[EXPR_CONST]             = { print_const,          PRECEDENCE_POSTFIX },
	[EXPR_ENUM]              = { print_enum,           PRECEDENCE_POSTFIX },
	[EXPR_PROBEWRITE]        = { print_probewrite,     PRECEDENCE_POSTFIX },
	[EXPR_REGISTER_OPERATOR] = { print_named_operator, PRECEDENCE_POSTFIX },
	[EXPR_SIZE_OPERATOR]     = { print_named_operator, PRECEDENCE_POSTFIX },
	[EXPR_EMBEDDED]          = { print_embedded,       PRECEDENCE_PRIMARY },
	[EXPR_LOAD]              = { print_load,           PRECEDENCE_POSTFIX },
	[EXPR_STORE]             = { print_store,          PRECEDENCE_ASSIGN },
	[EXPR_PROBE_REGISTER]    = { print_probe_register, PRECEDENCE_POSTFIX },
	[EXPR_ENTRY_REGISTER]    = { print_entry_register, PRECEDENCE_POSTFIX },
	[EXPR_ENTRY_KNOWN]       = { print_entry_known,    PRECEDENCE_POSTFIX },
	[EXPR_ADDRESS]           = { print_address,        PRECEDENCE_POSTFIX },
	[EXPR_THREAD_POINTER]    = { print_thread_pointer, PRECEDENCE_POSTFIX },
	[EXPR_ENTRY_VALUE]       = { print_entry_value,    PRECEDENCE_POSTFIX },
};
/* clang-format on */

static enum precedence precedence_of(const struct expr *e)
{
	const struct operator_info *info = operator_of(e);

	if (e->kind == EXPR_TARGET && e->address_of)
		return PRECEDENCE_UNARY;
	if (e->kind == EXPR_NUMBER && e->number < 0)
		return PRECEDENCE_UNARY;
	return info ? info->precedence : printers[e->kind].precedence;
}

/* Print an expression, in parentheses if its operator is looser than @least. */
static void print_at(FILE *out, const struct expr *e, enum precedence least)
{
	bool parentheses = precedence_of(e) < least;

	if (parentheses)
		fputc('(', out);
	printers[e->kind].print(out, e);
	if (parentheses)
		fputc(')', out);
}

void print_expr(FILE *out, const struct expr *expr)
{
	print_at(out, expr, PRECEDENCE_ASSIGN);
}

const char *expr_text(struct arena *arena, const struct expr *expr)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	const char *copy;

	print_expr(out, expr);
	fclose(out);
	copy = arena_strndup(arena, text, length);
	free(text);
	return copy;
}

/* Statements */

static void indentation(FILE *out, int indent)
{
	for (int i = 0; i < indent; i++)
		fputc('\t', out);
}

/* Print the body of another statement, on its own line. */
static void print_body(FILE *out, const struct statement *body, int indent)
{
	print_statement(out, body, body->kind == STATEMENT_BLOCK ? indent : indent + 1);
}

/* Would an "else" after the statement belong to an "if" inside it? */
static bool ends_in_if(const struct statement *s)
{
	while (s) {
		if (s->kind == STATEMENT_IF && !s->otherwise)
			return true;
		if (s->kind == STATEMENT_IF)
			s = s->otherwise;
		else if (s->kind == STATEMENT_WHILE || s->kind == STATEMENT_FOR || s->kind == STATEMENT_FOREACH)
			s = s->body;
		else
			return false;
	}
	return false;
}

static void print_if(FILE *out, const struct statement *s, int indent)
{
	bool braces = s->otherwise && ends_in_if(s->body);

	fputs("if (", out);
	print_expr(out, s->expr);
	fputs(braces ? ") {\n" : ")\n", out);
	print_body(out, s->body, indent);
	if (braces) {
		indentation(out, indent);
		fputs("}\n", out);
	}
	if (!s->otherwise)
		return;
	indentation(out, indent);
	if (s->otherwise->kind == STATEMENT_IF) {
		fputs("else ", out);
		print_if(out, s->otherwise, indent);
	} else {
		fputs("else\n", out);
		print_body(out, s->otherwise, indent);
	}
}

static void print_while(FILE *out, const struct statement *s, int indent)
{
	fputs("while (", out);
	print_expr(out, s->expr);
	fputs(")\n", out);
	print_body(out, s->body, indent);
}

static void print_for(FILE *out, const struct statement *s, int indent)
{
	const struct expr *parts[] = {s->init, s->expr, s->update};

	fputs("for (", out);
	for (int i = 0; i < 3; i++) {
		if (i)
			fputs("; ", out);
		if (parts[i])
			print_expr(out, parts[i]);
	}
	fputs(")\n", out);
	print_body(out, s->body, indent);
}

static void print_sort(FILE *out, const struct statement *s, int column)
{
	if (s->sort_direction != SORT_NONE && s->sort_column == column)
		fputc(s->sort_direction == SORT_ASCENDING ? '+' : '-', out);
}

static void print_foreach_keys(FILE *out, const struct statement *s)
{
	bool brackets = s->keys->len != 1;

	if (brackets)
		fputc('[', out);
	for (guint i = 0; i < s->keys->len; i++) {
		if (i)
			fputs(", ", out);
		print_expr(out, g_ptr_array_index(s->keys, i));
		print_sort(out, s, (int)i + 1);
	}
	if (brackets)
		fputc(']', out);
}

static void print_foreach(FILE *out, const struct statement *s, int indent)
{
	fputs("foreach (", out);
	if (s->value) {
		print_expr(out, s->value);
		fputs(" = ", out);
	}
	print_foreach_keys(out, s);
	fputs(" in ", out);
	print_expr(out, s->array);
	if (s->slice)
		print_keys(out, s->slice);
	if (s->sort_statistic)
		fprintf(out, " @%s", s->sort_statistic);
	print_sort(out, s, 0);
	if (s->limit) {
		fputs(" limit ", out);
		print_expr(out, s->limit);
	}
	fputs(")\n", out);
	print_body(out, s->body, indent);
}

static void print_try(FILE *out, const struct statement *s, int indent)
{
	fputs("try\n", out);
	print_body(out, s->body, indent);
	indentation(out, indent);
	fputs("catch", out);
	if (s->catch_variable) {
		fputs(" (", out);
		print_expr(out, s->catch_variable);
		fputc(')', out);
	}
	fputc('\n', out);
	print_body(out, s->otherwise, indent);
}

static void print_block(FILE *out, const struct statement *s, int indent)
{
	fputs("{\n", out);
	for_each_ptr(const struct statement *, child, s->statements)
		print_statement(out, child, indent + 1);
	indentation(out, indent);
	fputs("}\n", out);
}

/* Does the expression begin with %{ C %}? As a statement, it would parse as a statement of embedded C. */
static bool begins_with_code(const struct expr *e)
{
	if (!e)
		return false;
	switch (e->kind) {
	case EXPR_EMBEDDED:
		return true;
	case EXPR_CONDITIONAL:
		return begins_with_code(e->condition);
	case EXPR_INCREMENT:
		return e->postfix && begins_with_code(e->operand);
	case EXPR_IN:
		return false; /* the keys are in brackets */
	default:
		return begins_with_code(e->left);
	}
}

/* Print a keyword ("": none), and the expression if there is one. */
static void print_simple(FILE *out, const struct statement *s, const char *keyword)
{
	fputs(keyword, out);
	if (*keyword && s->expr)
		fputc(' ', out);
	if (!*keyword && begins_with_code(s->expr)) {
		fputc('(', out);
		print_expr(out, s->expr);
		fputc(')', out);
	} else if (s->expr) {
		print_expr(out, s->expr);
	}
	fputs(";\n", out);
}

void print_statement(FILE *out, const struct statement *statement, int indent)
{
	static const char *const keywords[STATEMENT_KIND_COUNT_] = {
		/* others: in `compound` */
		[STATEMENT_EMPTY] = "",	       [STATEMENT_EXPR] = "",	    [STATEMENT_RETURN] = "return",
		[STATEMENT_NEXT] = "next",     [STATEMENT_BREAK] = "break", [STATEMENT_CONTINUE] = "continue",
		[STATEMENT_DELETE] = "delete", [STATEMENT_EMBEDDED] = NULL,
	};
	static void (*const compound[STATEMENT_KIND_COUNT_])(FILE *, const struct statement *, int) = {
		[STATEMENT_BLOCK] = print_block, [STATEMENT_IF] = print_if,	      [STATEMENT_WHILE] = print_while,
		[STATEMENT_FOR] = print_for,	 [STATEMENT_FOREACH] = print_foreach, [STATEMENT_TRY] = print_try,
	};

	indentation(out, indent);
	if (statement->kind == STATEMENT_EMBEDDED)
		fprintf(out, "%%{%s%%}\n", statement->code);
	else if (keywords[statement->kind])
		print_simple(out, statement, keywords[statement->kind]);
	else
		compound[statement->kind](out, statement, indent);
}

/* Definitions */

static void print_component(FILE *out, const struct probe_component *c)
{
	fputs(c->name, out);
	if (!c->argument)
		return;
	fputc('(', out);
	if (c->argument->kind == EXPR_NUMBER && c->argument->text)
		fputs(c->argument->text, out);
	else
		print_expr(out, c->argument);
	fputc(')', out);
}

static void print_point(FILE *out, const struct probe_point *point, bool with_flags)
{
	const char *dot = "";

	for_each_ptr(const struct probe_component *, c, point->components) {
		fputs(dot, out);
		print_component(out, c);
		dot = ".";
	}
	if (!with_flags)
		return;
	if (point->optional)
		fputc('?', out);
	if (point->sufficient)
		fputc('!', out);
	if (point->condition) {
		fputs(" if (", out);
		print_expr(out, point->condition);
		fputc(')', out);
	}
}

const char *probe_point_text(struct arena *arena, const struct probe_point *point, bool with_flags)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	const char *copy;

	print_point(out, point, with_flags);
	fclose(out);
	copy = arena_strndup(arena, text, length);
	free(text);
	return copy;
}

static void print_points(FILE *out, const GPtrArray *points)
{
	const char *comma = "";

	for_each_ptr(const struct probe_point *, point, points) {
		fputs(comma, out);
		print_point(out, point, true);
		comma = ", ";
	}
}

static void print_private(FILE *out, bool is_private)
{
	if (is_private)
		fputs("private ", out);
}

static void print_global(FILE *out, const struct symbol *symbol)
{
	print_private(out, symbol->is_private);
	fprintf(out, "global %s%s", symbol->name, symbol->wraps ? "%" : "");
	if (symbol->declared_size)
		fprintf(out, "[%" PRId64 "]", symbol->declared_size);
	if (symbol->initializer) {
		fputs(" = ", out);
		print_expr(out, symbol->initializer);
	}
	if (symbol->unit || symbol->show)
		fputs(" # ", out);
	if (symbol->unit)
		fprintf(out, "unit: %s%s", symbol->unit, symbol->show ? ", " : "");
	if (symbol->show)
		fprintf(out, "show: %s", symbol->show);
	fputc('\n', out);
}

static void print_type(FILE *out, enum value_type type)
{
	if (type == TYPE_LONG || type == TYPE_STRING)
		fputs(type == TYPE_LONG ? ":long" : ":string", out);
}

static void print_function(FILE *out, const struct function_declaration *function)
{
	const char *comma = "";

	print_private(out, function->is_private);
	fprintf(out, "function %s", function->name);
	print_type(out, function->type);
	fputs(" (", out);
	for_each_ptr(const struct symbol *, symbol, function->parameters) {
		fprintf(out, "%s%s", comma, symbol->name);
		print_type(out, symbol->type);
		comma = ", ";
	}
	fputc(')', out);
	if (function->has_priority)
		fprintf(out, ":%" PRId64, function->priority);
	fputc('\n', out);
	print_statement(out, function->body, 0);
}

static void print_alias(FILE *out, const struct alias *alias)
{
	print_private(out, alias->is_private);
	fputs("probe ", out);
	print_points(out, alias->names);
	fputs(alias->prologue ? " = " : " += ", out);
	print_points(out, alias->points);
	fputc('\n', out);
	if (alias->prologue)
		print_statement(out, alias->prologue, 0);
	if (alias->prologue && alias->epilogue)
		fputs(",\n", out);
	if (alias->epilogue)
		print_statement(out, alias->epilogue, 0);
}

static void print_probe(FILE *out, const struct probe *probe)
{
	print_private(out, probe->is_private);
	fputs("probe ", out);
	print_points(out, probe->points);
	fputc('\n', out);
	print_statement(out, probe->body, 0);
}

void print_script(FILE *out, const struct script *script)
{
	for_each_ptr(const struct statement *, code, script->embeds)
		print_statement(out, code, 0);
	for_each_ptr(const struct symbol *, symbol, script->globals)
		print_global(out, symbol);
	for_each_ptr(const struct function_declaration *, function, script->functions)
		print_function(out, function);
	for_each_ptr(const struct alias *, alias, script->aliases)
		print_alias(out, alias);
	for_each_ptr(const struct probe *, probe, script->probes)
		print_probe(out, probe);
}
