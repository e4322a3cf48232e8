/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens of the language, as the lexer makes them and the preprocessor and the parser read them. */
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
	TOKEN_BAD, /* stands where something wrong was that has already been reported */
};

struct token {
	enum token_kind kind;
	struct location location;
	const char *text; /* NUL-terminated */
	size_t length;
	int64_t number;
	const char *source; /* where it begins in the source text */
};

/** Class of all diagnostics of pass 1. */
extern const char *const parse_error_kind;

/**
 * Cut a source text into tokens and append them to @p tokens (a GArray of struct token, without a TOKEN_END).
 *
 * @param[in] expanded_from Becomes part of every token's place; NULL for a whole file.
 * @param[out] end Place just after the last token, for "end of file" messages.
 * @return False if the text is not a script at all (binary data, unterminated comment); a diagnostic says so.
 */
bool lex_source(struct language_context *context, const struct source_file *file, const struct location *expanded_from,
		GArray *tokens, struct location *end);

/** Is the token this operator or this keyword? */
bool token_is(const struct token *token, const char *text);

/** "identifier 'x'", "end of file"…: the token as messages name it. */
const char *token_description(struct arena *arena, const struct token *token);

/**
 * Decode one character of a string literal.
 *
 * @param[in,out] cursor Next source byte; moves behind the character.
 * @param[out] byte What it is; of an escape that C does not know, the character behind the backslash.
 * @return 1, or 0 for a backslash at the end of a line (which continues the literal).
 */
int decode_string_character(const char **cursor, char *byte);

/** Start of a string literal's text: is the byte at @p source an opening quote? False for pasted arguments. */
static inline bool token_is_quoted(const struct token *token)
{
	return token->source && *token->source == '"';
}

#endif
