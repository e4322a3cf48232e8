/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tokens of D. A probe description such as "syscall::open*:entry" is one token, which only the parser knows to ask
 * for; therefore tokens are made on demand, and the parser can go back to any place.
 */
#ifndef SPILE_DLANG_LEXER_H
#define SPILE_DLANG_LEXER_H

#include "translator/dlang/dlang.h"
#include "translator/dlang/tree.h"

enum d_token_kind {
	D_TOKEN_END,
	D_TOKEN_WORD, /* identifiers and keywords; also "`" names, with module */
	D_TOKEN_NUMBER,
	D_TOKEN_CHARACTER, /* number is its value */
	D_TOKEN_STRING,
	D_TOKEN_AGGREGATION, /* @name: text is the name, perhaps "" */
	D_TOKEN_KERNEL, /* `name, module`name */
	D_TOKEN_OPERATOR,
	D_TOKEN_DESCRIPTION, /* of a probe; macro arguments are replaced */
	D_TOKEN_BAD, /* its error has been reported */
};

struct d_token {
	enum d_token_kind kind;
	struct location location;
	const char *text;
	size_t length;
	const char *module; /* of D_TOKEN_KERNEL, or NULL */
	int64_t number;
	bool is_unsigned, is_long;
};

struct d_lexer {
	struct language_context *context;
	const struct source_file *file; /* named by the last "# 12 file"; the text is that of `main` */
	const struct source_file *main;
	struct d_program *program; /* receives options of #pragma */
	const struct d_macros *macros;
	const char *cursor, *end, *line_start;
	int line;
};

void d_lexer_begin(struct d_lexer *lexer, struct language_context *context, const struct source_file *file,
		   const struct d_macros *macros, struct d_program *program);
/** Return the next token. After the last, return D_TOKEN_END again and again. */
struct d_token d_lexer_next(struct d_lexer *lexer);
/** Return the next token as a probe description. Its text is empty if none begins here. */
struct d_token d_lexer_description(struct d_lexer *lexer);
/** Return the next character that is neither space nor comment, without moving; 0 at the end. */
char d_lexer_peek(struct d_lexer *lexer);

static inline bool d_token_is(const struct d_token *token, const char *text)
{
	return (token->kind == D_TOKEN_OPERATOR || token->kind == D_TOKEN_WORD) && !strcmp(token->text, text);
}

#endif
