// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parser: statements.
 *
 * Statements need no separators. A ";" after a simple statement belongs to it; any other ";" is an empty statement.
 * After an error, a block skips to the likely beginning of the next statement: after a ";", before a "}", or at the
 * beginning of a line outside of parentheses. So one run reports several independent errors.
 *
 * The trap: almost any sequence of words is a valid sequence of expression statements. "int x", "esle { … }" and
 * "foraech (x in y) { … }" would all parse. looks_foreign() recognizes these by the token after the word.
 */
#include <string.h>

#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/lang/parser.h"

static struct statement *statement(struct parser *p);

/* Return the keyword that a word resembles, or NULL. */
static const char *near_keyword(struct parser *p, const char *word)
{
	static const char *const words[] = {"if",     "else",	  "while", "for",    "foreach", "break",
					    "return", "continue", "next",  "delete", "try",	"catch"};
	g_autoptr(GPtrArray) candidates = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		/* Short words resemble every keyword. */
		if (strlen(word) > 3)
			g_ptr_array_add(candidates, (char *)words[i]);
	}
	return nearest_word(p, word, candidates);
}

static bool is_c_type(const char *word)
{
	static const char *const types[] = {"int",  "long",   "char",	"short", "unsigned", "signed",
					    "void", "string", "struct", "bool",	 "float",    "double",
					    "var",  "let",    "local",	"const"};

	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		if (strcmp(types[i], word) == 0)
			return true;
	}
	return false;
}

/* Report a statement that begins with an unknown keyword or a C declaration. Return false if it does not. */
static bool looks_foreign(struct parser *p)
{
	const struct token *word = peek(p), *next = peek_ahead(p, 1);
	bool value_follows = next->kind == TOKEN_IDENTIFIER || next->kind == TOKEN_NUMBER || next->kind == TOKEN_STRING;
	bool block_follows = token_is(next, "{");
	const char *near;

	if (word->kind != TOKEN_IDENTIFIER || !same_line(word, next))
		return false;
	if (next->kind == TOKEN_IDENTIFIER && is_c_type(word->text)) {
		parse_error(p, word, _("variables are not declared: '%s %s'"), word->text, next->text);
		parse_hint(p,
			   _("assign a value and the type follows from it; 'global %s' outside of the handler makes it "
			     "global"),
			   next->text);
		return true;
	}
	if (token_is(next, "("))
		block_follows = token_is(&p->tokens[matching_bracket(p, p->position + 1)], ")") &&
				token_is(&p->tokens[matching_bracket(p, p->position + 1) + 1], "{");
	if (!value_follows && !block_follows)
		return false;
	near = near_keyword(p, word->text);
	if (!near)
		return false;
	parse_error(p, word, _("unknown statement '%s'"), word->text);
	hint_near(p, near);
	return true;
}

static bool is_top_level(const struct token *token)
{
	return token_is(token, "probe") || token_is(token, "function") || token_is(token, "global") ||
	       token_is(token, "private");
}

/* Return the number of parentheses and square brackets that are opened between two tokens and not closed. */
static int open_brackets(const struct parser *p, size_t from, size_t to)
{
	int open = 0;

	for (size_t i = from; i < to; i++) {
		const struct token *t = &p->tokens[i];

		open += token_is(t, "(") || token_is(t, "[");
		open -= token_is(t, ")") || token_is(t, "]");
	}
	return open;
}

/* After an error in the statement at @start, skip to the likely beginning of the next one. */
static void resynchronize(struct parser *p, size_t start)
{
	int braces = 0, open = open_brackets(p, start, p->position);
	bool moved = p->position > start;

	for (; !at_kind(p, TOKEN_END); advance_token(p), moved = true) {
		const struct token *token = peek(p);
		bool new_line = moved && !same_line(previous_token(p), token);

		if (is_top_level(token))
			return;
		if (braces == 0 && (at(p, "}") || (new_line && (open <= 0 || token->kind == TOKEN_KEYWORD))))
			return;
		if (braces == 0 && open <= 0 && accept(p, ";"))
			return;
		braces += token_is(token, "{") - token_is(token, "}");
		open += (token_is(token, "(") || token_is(token, "[")) - (token_is(token, ")") || token_is(token, "]"));
	}
}

/* Consume the "}" of a block, or report an error with a note at the "{". */
static bool close_block(struct parser *p, const struct token *opening, unsigned int errors_before)
{
	if (accept(p, "}"))
		return true;
	/* After an earlier error, the "}" may have been skipped: do not report it. */
	if (p->errors == errors_before)
		expect_closing(p, "}", opening, _("at the end of the block"));
	return false;
}

/* block := "{" { statement } "}" */
struct statement *block(struct parser *p, const char *where)
{
	const struct token *opening = peek(p);
	unsigned int errors_before = p->errors;
	struct statement *result;

	if (!expect(p, "{", where))
		return NULL;
	if (!enter(p))
		return NULL;
	result = statement_new(p->arena, STATEMENT_BLOCK, &opening->location);
	result->statements = arena_ptr_array(p->arena);
	while (!at(p, "}") && !at_kind(p, TOKEN_END) && !is_top_level(peek(p))) {
		size_t start = p->position;
		struct statement *next = statement(p);

		if (next)
			g_ptr_array_add(result->statements, next);
		else
			resynchronize(p, start);
		if (p->position == start)
			advance_token(p);
	}
	leave(p);
	return close_block(p, opening, errors_before) || p->context->keeps_damaged ? result : NULL;
}

/* condition := "(" expression ")" ; missing parentheses are reported, and the expression is parsed anyway */
static struct expr *condition(struct parser *p, const char *keyword)
{
	const struct token *opening = peek(p);
	bool parenthesized = accept(p, "("), doubled = at(p, "(");
	struct expr *e;

	if (!parenthesized) {
		expected(p, arena_printf(p->arena, _("'(' after '%s'"), keyword));
		parse_hint(p, _("enclose the condition in parentheses: %s (...)"), keyword);
	}
	e = expression(p);
	if (!e || !parenthesized)
		return e;
	if (!expect_closing(p, ")", opening, _("after the condition")) && !at(p, "{"))
		return NULL;
	if (e->kind == EXPR_ASSIGN && e->op == OP_NONE && !doubled) {
		parse_warning(p, &e->location, _("assignment used as a condition"));
		parse_hint(p, _("use '==' to compare, or a second pair of parentheses to assign"));
	}
	return e;
}

static struct statement *loop_body(struct parser *p)
{
	struct statement *body;

	p->loops++;
	body = statement(p);
	p->loops--;
	return body;
}

/* if := "if" "(" expression ")" statement [ "else" statement ] */
static struct statement *if_statement(struct parser *p)
{
	struct statement *s = statement_new(p->arena, STATEMENT_IF, &advance_token(p)->location);

	s->expr = condition(p, "if");
	s->body = s->expr ? statement(p) : NULL;
	if (!s->body)
		return NULL;
	if (!accept(p, "else"))
		return s;
	s->otherwise = statement(p);
	return s->otherwise ? s : NULL;
}

/* while := "while" "(" expression ")" statement */
static struct statement *while_statement(struct parser *p)
{
	struct statement *s = statement_new(p->arena, STATEMENT_WHILE, &advance_token(p)->location);

	s->expr = condition(p, "while");
	s->body = s->expr ? loop_body(p) : NULL;
	return s->body ? s : NULL;
}

/* Parse one of the three expressions of a for; each may be missing. */
static bool for_part(struct parser *p, const char *end, struct expr **part)
{
	if (at(p, end))
		return true;
	*part = expression(p);
	return *part != NULL;
}

/* for := "for" "(" [ expression ] ";" [ expression ] ";" [ expression ] ")" statement */
static struct statement *for_statement(struct parser *p)
{
	struct statement *s = statement_new(p->arena, STATEMENT_FOR, &advance_token(p)->location);
	const struct token *opening = peek(p);

	if (!expect(p, "(", _("after 'for'")) || !for_part(p, ";", &s->init))
		return NULL;
	if (s->init && s->init->kind == EXPR_IN && at(p, ")")) {
		expected(p, _("';' after the start of the loop"));
		parse_hint(p, _("use 'foreach' to iterate over the elements of an array"));
		return NULL;
	}
	if (!expect(p, ";", _("after the start of the loop")) || !for_part(p, ";", &s->expr))
		return NULL;
	if (!expect(p, ";", _("after the condition of the loop")) || !for_part(p, ")", &s->update))
		return NULL;
	if (!expect_closing(p, ")", opening, _("after the step of the loop")))
		return NULL;
	s->body = loop_body(p);
	return s->body ? s : NULL;
}

/* sort := "+" | "-" ; @column is the number of the key, 0 for the value. A second sort is an error. */
static bool sort_suffix(struct parser *p, struct statement *s, int column)
{
	const struct token *sign = peek(p);

	if (!at(p, "+") && !at(p, "-"))
		return true;
	advance_token(p);
	if (s->sort_direction != SORT_NONE) {
		parse_error(p, sign, _("foreach can sort by one thing only"));
		return false;
	}
	s->sort_direction = token_is(sign, "+") ? SORT_ASCENDING : SORT_DESCENDING;
	s->sort_column = column;
	return true;
}

static bool foreach_key(struct parser *p, struct statement *s)
{
	struct expr *name = symbol_expression(p, _("the name of a variable for the key"));

	if (!name)
		return false;
	g_ptr_array_add(s->keys, name);
	if (s->keys->len > MAX_KEYS) {
		parse_error(p, previous_token(p), _("more than %d keys"), MAX_KEYS);
		return false;
	}
	return sort_suffix(p, s, (int)s->keys->len);
}

/* keys := name [ sort ] | "[" name [ sort ] { "," name [ sort ] } "]" */
static bool foreach_keys(struct parser *p, struct statement *s)
{
	const struct token *opening = peek(p);

	s->keys = arena_ptr_array(p->arena);
	if (!accept(p, "["))
		return foreach_key(p, s);
	do {
		if (!foreach_key(p, s))
			return false;
	} while (accept(p, ","));
	return expect_closing(p, "]", opening, _("after the keys"));
}

/* value := name [ sort ] "=" ; the sort and "=" may have been read as one token */
static bool foreach_value(struct parser *p, struct statement *s)
{
	const struct token *next = peek_ahead(p, 1);
	bool glued = token_is(next, "+=") || token_is(next, "-=");
	bool spaced = (token_is(next, "+") || token_is(next, "-")) && token_is(peek_ahead(p, 2), "=");

	if (!at_kind(p, TOKEN_IDENTIFIER) || (!glued && !spaced && !token_is(next, "=")))
		return true;
	s->value = symbol_expression(p, "");
	if (glued) {
		s->sort_direction = token_is(advance_token(p), "+=") ? SORT_ASCENDING : SORT_DESCENDING;
		return true;
	}
	return sort_suffix(p, s, 0) && expect(p, "=", _("after the value"));
}

/* statistic := "@count" | "@sum" | "@min" | "@max" | "@avg" | "@variance", before a sort */
static bool sort_statistic(struct parser *p, struct statement *s)
{
	static const char *const names[] = {"count", "sum", "min", "max", "avg", "variance"};
	const struct token *token = peek(p);

	if (token->kind != TOKEN_AT)
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(names[i], token->text) == 0)
			s->sort_statistic = names[i];
	}
	if (!s->sort_statistic) {
		expected(p, _("a statistic to sort by"));
		parse_hint(p, _("the operators are @count, @sum, @min, @max, @avg and @variance"));
		return false;
	}
	advance_token(p);
	if (at(p, "+") || at(p, "-"))
		return true;
	expected(p, _("'+' or '-' after the statistic to sort by"));
	return false;
}

/* array := histogram | name [ [ statistic ] sort ] [ slice ] [ [ statistic ] sort ] */
static bool foreach_array(struct parser *p, struct statement *s)
{
	if (at_histogram(p)) {
		s->array = histogram_expression(p);
		return s->array && sort_suffix(p, s, 0);
	}
	s->array = symbol_expression(p, _("the name of an array after 'in'"));
	if (!s->array || !sort_statistic(p, s) || !sort_suffix(p, s, 0))
		return false;
	if (at(p, "[")) {
		s->slice = keys(p);
		if (!s->slice || !sort_statistic(p, s) || !sort_suffix(p, s, 0))
			return false;
	}
	return true;
}

/* limit := "limit" expression */
static bool foreach_limit(struct parser *p, struct statement *s)
{
	if (!at_kind(p, TOKEN_IDENTIFIER) || strcmp(peek(p)->text, "limit") != 0)
		return true;
	advance_token(p);
	s->limit = expression(p);
	return s->limit != NULL;
}

/* foreach := "foreach" "(" [ value "=" ] keys "in" array [ sort ] [ "limit" expression ] ")" statement */
static struct statement *foreach_statement(struct parser *p)
{
	struct statement *s = statement_new(p->arena, STATEMENT_FOREACH, &advance_token(p)->location);
	const struct token *opening = peek(p);

	if (!expect(p, "(", _("after 'foreach'")) || !foreach_value(p, s) || !foreach_keys(p, s))
		return NULL;
	if (!accept(p, "in")) {
		expected(p, _("'in' after the keys of foreach"));
		if (at(p, ","))
			parse_hint(p, _("enclose several keys in brackets: foreach ([a, b] in array)"));
		return NULL;
	}
	if (!foreach_array(p, s) || !foreach_limit(p, s))
		return NULL;
	if (!expect_closing(p, ")", opening, _("after the array of foreach")))
		return NULL;
	s->body = loop_body(p);
	return s->body ? s : NULL;
}

/* return := "return" [ expression ] [ ";" ] */
static struct statement *return_statement(struct parser *p)
{
	const struct token *keyword = advance_token(p);
	struct statement *s = statement_new(p->arena, STATEMENT_RETURN, &keyword->location);

	if (!p->in_function) {
		parse_error(p, keyword, _("'return' outside of a function"));
		parse_hint(p, _("a probe handler ends early with 'next'"));
	}
	if (starts_expression(peek(p))) {
		s->expr = expression(p);
		if (!s->expr)
			return NULL;
	}
	accept(p, ";");
	return s;
}

/* next := "next" [ ";" ] */
static struct statement *next_statement(struct parser *p)
{
	struct statement *s = statement_new(p->arena, STATEMENT_NEXT, &advance_token(p)->location);

	accept(p, ";");
	return s;
}

/* jump := ( "break" | "continue" ) [ ";" ] */
static struct statement *jump_statement(struct parser *p)
{
	const struct token *keyword = advance_token(p);
	bool is_break = token_is(keyword, "break");

	if (!p->loops) {
		parse_error(p, keyword, _("'%s' outside of a loop"), keyword->text);
		parse_hint(p, _("a probe handler ends early with 'next', a function with 'return'"));
	}
	accept(p, ";");
	return statement_new(p->arena, is_break ? STATEMENT_BREAK : STATEMENT_CONTINUE, &keyword->location);
}

/* delete := "delete" ( name | name keys ) [ ";" ] */
static struct statement *delete_statement(struct parser *p)
{
	const struct token *keyword = advance_token(p);
	struct statement *s = statement_new(p->arena, STATEMENT_DELETE, &keyword->location);

	s->expr = expression(p);
	if (!s->expr)
		return NULL;
	if (s->expr->kind != EXPR_SYMBOL && !(s->expr->kind == EXPR_INDEX && s->expr->left->kind == EXPR_SYMBOL)) {
		parse_error(p, keyword + 1, _("'delete' takes a variable, an array or an array element"));
		return NULL;
	}
	accept(p, ";");
	return s;
}

/* try := "try" block "catch" [ "(" name ")" ] block */
static struct statement *try_statement(struct parser *p)
{
	struct statement *s = statement_new(p->arena, STATEMENT_TRY, &advance_token(p)->location);
	const struct token *opening;

	s->body = block(p, _("after 'try'"));
	if (!s->body || !expect(p, "catch", _("after the block of 'try'")))
		return NULL;
	opening = peek(p);
	if (accept(p, "(")) {
		s->catch_variable = symbol_expression(p, _("the name of a variable for the error message"));
		if (!s->catch_variable || !expect_closing(p, ")", opening, _("after the variable")))
			return NULL;
	}
	s->otherwise = block(p, _("after 'catch'"));
	return s->otherwise ? s : NULL;
}

/* embedded := "%{" C code "%}" */
static struct statement *embedded_statement(struct parser *p)
{
	const struct token *code = advance_token(p);
	struct statement *s = statement_new(p->arena, STATEMENT_EMBEDDED, &code->location);

	s->code = code->text;
	check_embedded(p, code);
	return s;
}

/* expression-statement := expression [ ";" ] */
static struct statement *expression_statement(struct parser *p)
{
	struct statement *s = statement_new(p->arena, STATEMENT_EXPR, &peek(p)->location);

	if (looks_foreign(p))
		return NULL;
	s->expr = expression(p);
	if (!s->expr)
		return NULL;
	if (s->expr->kind == EXPR_COMPARE && s->expr->op == OP_EQUAL) {
		parse_warning(p, &s->expr->location, _("the result of '==' is not used"));
		parse_hint(p, _("assignment is written '='"));
	}
	accept(p, ";");
	return s;
}

static struct statement *empty_statement(struct parser *p)
{
	return statement_new(p->arena, STATEMENT_EMPTY, &advance_token(p)->location);
}

static struct statement *stray_keyword(struct parser *p)
{
	const struct token *keyword = peek(p);

	parse_error(p, keyword, _("unexpected '%s'"), keyword->text);
	if (token_is(keyword, "else"))
		parse_hint(p, _("'else' must follow the statement of an 'if'; enclose several statements in braces"));
	else if (token_is(keyword, "catch"))
		parse_hint(p, _("'catch' follows the block of a 'try'"));
	return NULL;
}

static struct statement *inner_block(struct parser *p)
{
	return block(p, "");
}

/* statement := the keyword decides; anything else is an expression */
static struct statement *statement_nested(struct parser *p)
{
	static const struct {
		const char *text;
		struct statement *(*parse)(struct parser *p);
	} table[] = {
		{"{", inner_block},	      {";", empty_statement},	{"if", if_statement},
		{"while", while_statement},   {"for", for_statement},	{"foreach", foreach_statement},
		{"return", return_statement}, {"next", next_statement}, {"break", jump_statement},
		{"continue", jump_statement}, {"try", try_statement},	{"delete", delete_statement},
		{"else", stray_keyword},      {"catch", stray_keyword},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		if (at(p, table[i].text))
			return table[i].parse(p);
	}
	return at_kind(p, TOKEN_EMBEDDED) ? embedded_statement(p) : expression_statement(p);
}

static struct statement *statement(struct parser *p)
{
	struct statement *s;

	p->operators = 0;
	if (!enter(p))
		return NULL;
	s = statement_nested(p);
	leave(p);
	return s;
}
