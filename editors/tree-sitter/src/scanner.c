// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * External scanner of the grammar for tree-sitter: tokens that depend on more than their own characters.
 *
 * A postfix "++" or "--" is on the line of its operand, and so is the "[" after a call or an index. Otherwise they
 * begin the next statement (translator/lang/parse_expression.c: postfix_increment_follows(), index_follows()). A "%("
 * continues an expression if an operator follows its condition. C code ends at the first "%}".
 *
 * The scanner has no state. While tree-sitter recovers from an error, it offers all tokens at once; then C code is not
 * tried, because it would match anything.
 */
#include "tree_sitter/parser.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum external_token { POSTFIX_INCREMENT, POSTFIX_DECREMENT, INDEX_BRACKET, OPERATION_BRACKET, C_CODE };
enum space { NO_SPACE, SPACE, SPACE_WITH_LINE_END };

void *tree_sitter_systemtap_external_scanner_create(void);
void tree_sitter_systemtap_external_scanner_destroy(void *payload);
unsigned tree_sitter_systemtap_external_scanner_serialize(void *payload, char *buffer);
void tree_sitter_systemtap_external_scanner_deserialize(void *payload, const char *buffer, unsigned length);
bool tree_sitter_systemtap_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid);

void *tree_sitter_systemtap_external_scanner_create(void)
{
	return NULL;
}

void tree_sitter_systemtap_external_scanner_destroy(void *payload)
{
	(void)payload;
}

unsigned tree_sitter_systemtap_external_scanner_serialize(void *payload, char *buffer)
{
	(void)payload;
	(void)buffer;
	return 0;
}

void tree_sitter_systemtap_external_scanner_deserialize(void *payload, const char *buffer, unsigned length)
{
	(void)payload;
	(void)buffer;
	(void)length;
}

static void take(TSLexer *lexer)
{
	lexer->advance(lexer, false);
}

/* Read up to "%}". Return false if there is no code before it. */
static bool scan_c_code(TSLexer *lexer)
{
	bool any = false;

	while (!lexer->eof(lexer)) {
		bool percent = lexer->lookahead == '%';

		lexer->mark_end(lexer);
		take(lexer);
		if (percent && lexer->lookahead == '}')
			break;
		any = true;
	}
	lexer->result_symbol = C_CODE;
	return any;
}

/* Skip the space before a token. */
static enum space skip_space(TSLexer *lexer)
{
	enum space space = NO_SPACE;

	while (lexer->lookahead && lexer->lookahead < 128 && strchr(" \t\r\n", (int)lexer->lookahead)) {
		if (lexer->lookahead == '\n')
			space = SPACE_WITH_LINE_END;
		else if (space == NO_SPACE)
			space = SPACE;
		lexer->advance(lexer, true);
	}
	return space;
}

static bool begins_name(int32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

/* "a ++b" is "a" and "++b"; all else on a line is a postfix. */
static bool scan_postfix(TSLexer *lexer, const bool *valid, bool after_space)
{
	int32_t sign = lexer->lookahead;
	enum external_token token = sign == '+' ? POSTFIX_INCREMENT : POSTFIX_DECREMENT;

	if (!valid[token])
		return false;
	take(lexer);
	if (lexer->lookahead != sign)
		return false;
	take(lexer);
	lexer->mark_end(lexer);
	lexer->result_symbol = token;
	return !after_space || !begins_name(lexer->lookahead);
}

/* Does an operator follow that cannot begin a statement? A sign is taken for an operator. */
static bool at_operation(TSLexer *lexer)
{
	int32_t first = lexer->lookahead;

	if (!first || first > 127 || !strchr("|&^=!<>.+-*/%?[", first))
		return false;
	take(lexer);
	switch (first) {
	case '+':
	case '-':
		return lexer->lookahead != first;
	case '!':
		return lexer->lookahead == '=' || lexer->lookahead == '~';
	case '/':
		return lexer->lookahead != '/' && lexer->lookahead != '*';
	case '%':
		return !lexer->lookahead || lexer->lookahead > 127 || !strchr("({:)", lexer->lookahead);
	default:
		return true;
	}
}

/* "%(" condition "%?" operator */
static bool scan_operation_bracket(TSLexer *lexer)
{
	bool percent = false;

	take(lexer);
	if (lexer->lookahead != '(')
		return false;
	take(lexer);
	lexer->mark_end(lexer);
	for (; !lexer->eof(lexer); take(lexer)) {
		if (percent && lexer->lookahead == '?')
			break;
		percent = lexer->lookahead == '%';
	}
	take(lexer);
	while (lexer->lookahead && lexer->lookahead <= ' ')
		take(lexer);
	lexer->result_symbol = OPERATION_BRACKET;
	return at_operation(lexer);
}

bool tree_sitter_systemtap_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid)
{
	enum space space;

	(void)payload;
	if (valid[C_CODE])
		return !valid[POSTFIX_INCREMENT] && scan_c_code(lexer);
	space = skip_space(lexer);
	if (lexer->lookahead == '%')
		return valid[OPERATION_BRACKET] && scan_operation_bracket(lexer);
	if (space == SPACE_WITH_LINE_END)
		return false;
	if (lexer->lookahead == '+' || lexer->lookahead == '-')
		return scan_postfix(lexer, valid, space != NO_SPACE);
	if (lexer->lookahead != '[' || !valid[INDEX_BRACKET])
		return false;
	take(lexer);
	lexer->mark_end(lexer);
	lexer->result_symbol = INDEX_BRACKET;
	return true;
}
