/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations shared by the files of the parser of D. Each rule of the grammar is a function that returns a node, or
 * NULL after a diagnostic. The first error of a text ends its parse.
 */
#ifndef SPILE_DLANG_PARSER_H
#define SPILE_DLANG_PARSER_H

#include "translator/dlang/lexer.h"

enum {
	D_MOST_DEPTH = 200, /* of nested expressions, statements and declarators */
	D_MOST_STEPS = 2000, /* of operators in a statement, since "a + b + …" makes a tree as deep as it is long */
};

struct d_parser {
	struct language_context *context;
	struct arena *arena;
	struct d_program *program;
	struct d_lexer lexer; /* after the token in `token`, if there is one */
	struct d_lexer before; /* before that token */
	struct d_token token;
	bool has_token;
	bool in_predicate; /* "/" before "{" ends the expression */
	bool names_keys; /* in the declarator of an inline, whose keys are parameters */
	int depth;
	int steps; /* operators in the current statement or declaration */
	GHashTable *types; /* set of names that are known to be types */
};

/* ---- parser.c: tokens and errors --------------------------------------------------------------------------------- */

const struct d_token *d_peek(struct d_parser *p);
struct d_token d_advance(struct d_parser *p);
bool d_at(struct d_parser *p, const char *text);
bool d_accept(struct d_parser *p, const char *text);
/** Consume @p text, or report that it was expected @p where (translated). */
bool d_expect(struct d_parser *p, const char *text, const char *where);
/** Consume an identifier and return it; NULL after a diagnostic that names @p what (translated). */
const char *d_identifier(struct d_parser *p, const char *what);
/** Report a syntax error at the current token: "@p message; saw …". Return NULL. */
void *d_syntax_error(struct d_parser *p, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** Report an error with a tag at a place. Return NULL. */
void *d_error_at(struct d_parser *p, const struct location *at, const char *tag, const char *format, ...)
	G_GNUC_PRINTF(4, 5);
/** Enter a level of nesting; false after a diagnostic. Always call d_leave() later. */
bool d_enter(struct d_parser *p);
void d_leave(struct d_parser *p);
/** Count an operator; false after a diagnostic if a statement has too many. */
bool d_step(struct d_parser *p);
/** Is the token a keyword, which cannot be a name? */
bool d_is_keyword(const struct d_token *token);
/** Return the token after the current one. */
struct d_token d_peek_second(struct d_parser *p);

/* ---- parse_type.c ------------------------------------------------------------------------------------------------ */

/** Can a type begin at the current token? */
bool d_at_type(struct d_parser *p);
/** specifiers := { "const" | "unsigned" | "int" | … | "struct" … | type name } */
struct d_written_type *d_specifiers(struct d_parser *p);
/** Report a storage class that D does not have. */
bool d_check_class(struct d_parser *p);
/** declarator := { "*" } ( name | "(" declarator ")" | ) { "[" … "]" | "(" … ")" } */
struct d_declarator *d_declarator(struct d_parser *p, struct d_written_type *base);
/** type name := specifiers abstract-declarator */
struct d_written_type *d_type_name(struct d_parser *p);

/* ---- parse_provider.c -------------------------------------------------------------------------------------------- */

/** provider := "provider" name "{" { probe } "}" ";" */
bool d_provider_declaration(struct d_parser *p);

/* ---- parse_expression.c ------------------------------------------------------------------------------------------ */

struct d_node *d_node_new(struct d_parser *p, enum d_node_kind kind, const struct location *at);
/** expression := assignment { "," assignment } */
struct d_node *d_expression(struct d_parser *p);
struct d_node *d_assignment(struct d_parser *p);
/** A conditional expression, as in sizes of arrays and values of enumerators. */
struct d_node *d_constant(struct d_parser *p);

#endif
