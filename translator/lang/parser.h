/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations shared by the files of the parser. Every grammar rule is a function that returns a node, or NULL after a
 * diagnostic. NULL is passed up to the statement or top-level definition, which skips to the beginning of the next one.
 */
#ifndef SPILE_LANG_PARSER_H
#define SPILE_LANG_PARSER_H

#include "translator/lang/lexer.h"

enum {
	MOST_PARSE_ERRORS = 20,
	MOST_DEPTH = 400, /* of nested statements and expressions */
	MOST_OPERATORS = 2000, /* in one expression, since "a + b + …" makes a tree as deep as it is long */
};

struct parser {
	struct language_context *context;
	struct arena *arena;
	struct script *script;
	const struct token *tokens; /* ends with TOKEN_END */
	const struct token *end; /* the TOKEN_END */
	size_t position;
	int depth;
	int operators; /* in the current expression */
	int loops; /* enclosing the current statement */
	bool in_function; /* rather than in a probe */
	unsigned int errors;
	const struct token *last_error; /* further errors at this token are dropped */
	bool reported; /* the last error was not dropped, so add notes and hints to it */
	bool give_up; /* too many errors or too deep: peek() returns the end of the file */
};

/* Tokens */
const struct token *peek(const struct parser *p);
const struct token *peek_ahead(const struct parser *p, size_t distance);
const struct token *previous_token(const struct parser *p);
const struct token *advance_token(struct parser *p);
bool at(const struct parser *p, const char *text);
bool at_kind(const struct parser *p, enum token_kind kind);
bool accept(struct parser *p, const char *text);
/** Are two tokens on the same line of the same file? */
bool same_line(const struct token *a, const struct token *b);
/** Does @p token follow @p before without space? */
bool adjacent(const struct token *before, const struct token *token);
/** Return the index of the bracket that closes the one at @p opening, or of the final token. */
size_t matching_bracket(const struct parser *p, size_t opening);

/* Diagnostics */
/** Report an error at a token. Return false if it was dropped because the token already has one. */
bool parse_error(struct parser *p, const struct token *token, const char *format, ...) G_GNUC_PRINTF(3, 4);
void parse_warning(struct parser *p, const struct location *location, const char *format, ...) G_GNUC_PRINTF(3, 4);
/** Report "expected @p what, saw …" at the current token. Return false, for callers to return. */
bool expected(struct parser *p, const char *what);
/** Consume @p text, or report that it was expected @p where ("after the condition", translated). */
bool expect(struct parser *p, const char *text, const char *where);
/** The same for a closing bracket; the error has a note at the opening one. */
bool expect_closing(struct parser *p, const char *text, const struct token *opening, const char *where);
/** Enter a level of nesting. Return false after a diagnostic if it is too deep; else call leave() later. */
bool enter(struct parser *p);
void leave(struct parser *p);
/* Add a hint or note to the last error, unless that was dropped. */
#define parse_hint(p, ...) ((p)->reported ? diagnose_hint((p)->context->diagnostics, __VA_ARGS__) : (void)0)
#define parse_note(p, place, ...)                                                                                      \
	((p)->reported ? diagnose_note((p)->context->diagnostics, place, __VA_ARGS__) : (void)0)
/** Return the candidate that is nearest to a word, or NULL. */
const char *nearest_word(const struct parser *p, const char *word, const GPtrArray *candidates);
/** Add the hint "did you mean" with a name to the reported error. */
void hint_near(struct parser *p, const char *name);

/* parse_expression.c */
struct expr *expression(struct parser *p);
struct expr *symbol_expression(struct parser *p, const char *what);
struct expr *string_literal(struct parser *p, const char *what);
struct expr *number_literal(struct parser *p, const char *what);
struct expr *histogram_expression(struct parser *p);
bool at_histogram(const struct parser *p);
bool starts_expression(const struct token *token);
/** keys := "[" key { "," key } "]" ; a key is an expression or "*" */
GPtrArray *keys(struct parser *p);
/** Return true if embedded C is allowed here, else report an error. */
bool check_embedded(struct parser *p, const struct token *token);

/* parse_print.c */
struct print_function;
const struct print_function *print_function_find(const char *name);
struct expr *print_expression(struct parser *p, const struct print_function *function);

/* parse_statement.c */
struct statement *block(struct parser *p, const char *where);

/* parse_probe.c */
GPtrArray *probe_points(struct parser *p, const char *after);

#endif
