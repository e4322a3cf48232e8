/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The binary and assignment operators with their precedence; the parser and the printer share the table. */
#ifndef SPILE_LANG_OPERATORS_H
#define SPILE_LANG_OPERATORS_H

#include "translator/lang/ast.h"

/*
 * From loose to tight, as in C. As in awk, "." binds looser than "+", and "in" looser than comparisons. (The language
 * reference promises the precedence of C and awk.)
 */
enum precedence {
	PRECEDENCE_ASSIGN,
	PRECEDENCE_CONDITIONAL,
	PRECEDENCE_LOGICAL_OR,
	PRECEDENCE_LOGICAL_AND,
	PRECEDENCE_OR,
	PRECEDENCE_XOR,
	PRECEDENCE_AND,
	PRECEDENCE_IN,
	PRECEDENCE_EQUALITY,
	PRECEDENCE_RELATIONAL,
	PRECEDENCE_SHIFT,
	PRECEDENCE_CONCAT,
	PRECEDENCE_ADDITIVE,
	PRECEDENCE_MULTIPLICATIVE,
	PRECEDENCE_UNARY,
	PRECEDENCE_POSTFIX,
	PRECEDENCE_PRIMARY,
};

struct operator_info {
	const char *text;
	enum expr_kind kind;
	enum expr_operator op;
	enum precedence precedence;
	bool negated; /* "!~" */
};

/** Find the binary (left-associative) operator spelled @p text, or return NULL. */
const struct operator_info *binary_operator(const char *text);
/** Find the assignment operator spelled @p text ("=", "+=", "<<<"), or return NULL. */
const struct operator_info *assignment_operator(const char *text);
/** Return the operator of a node, or NULL if the node is neither a binary operation nor an assignment. */
const struct operator_info *operator_of(const struct expr *expr);

#endif
