/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tokens of the language. The lexer makes them; the preprocessor and the parser read them. */
#ifndef SPILE_LANG_LEXER_H
#define SPILE_LANG_LEXER_H

#include "translator/lang/lang.h"

enum token_kind {
	TOKEN_END,
	TOKEN_IDENTIFIER, /* text */
	TOKEN_KEYWORD, /* text: one of the reserved words */
	TOKEN_NUMBER, /* number; text as written */
	TOKEN_STRING, /* text, length: escapes already replaced */
	TOKEN_TARGET, /* "$name", "$$name", also a lone "$" or "$$"; text with the dollars */
	TOKEN_AT, /* "@name": operator, macro or macro parameter; text without "@" */
	TOKEN_ARGUMENT, /* $1 @1 $# @# $* @*: text is the part after the sign; gone after preprocessing */
	TOKEN_EMBEDDED, /* %{ text %} */
	TOKEN_OPERATOR, /* text */
	TOKEN_BAD, /* in place of text whose error has been reported */
};

struct token {
	enum token_kind kind;
	struct location location;
	const char *text; /* NUL-terminated */
	size_t length;
	int64_t number;
	const char *source; /* its beginning in the source text */
};

/**
 * Split a source text into tokens and append them to @p tokens (a GArray of struct token, without a TOKEN_END).
 *
 * @param[in] expanded_from Becomes part of every token's place; NULL for a whole file.
 * @param[out] end Place just after the last token, for "end of file" messages.
 * @return False after a diagnostic, if the text is not a script (binary data, unterminated comment).
 */
bool lex_source(struct language_context *context, const struct source_file *file, const struct location *expanded_from,
		GArray *tokens, struct location *end);

/** Is the token this operator or this keyword? */
bool token_is(const struct token *token, const char *text);

/** Return the token's description for messages: "identifier 'x'", "end of file"… */
const char *token_description(struct arena *arena, const struct token *token);

/**
 * Decode one character of a string literal.
 *
 * @param[in,out] cursor Next source byte; moves past the character.
 * @param[out] byte The decoded byte; for an escape that C does not have, the character after the backslash.
 * @return 1, or 0 for a backslash at the end of a line (which continues the literal).
 */
int decode_string_character(const char **cursor, char *byte);

/** Does the token begin with a quote in the source? False for strings from script arguments. */
static inline bool token_is_quoted(const struct token *token)
{
	return token->source && *token->source == '"';
}

#endif
