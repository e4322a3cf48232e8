/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The built-in "@name" operators, which the preprocessor passes on to the parser. */
#ifndef SPILE_LANG_AT_OPERATORS_H
#define SPILE_LANG_AT_OPERATORS_H

#include "translator/lang/ast.h"

struct parser;

struct at_operator {
	const char *name;
	/* Parse the text after the name; @p location is that of "@name". Return NULL after a diagnostic. */
	struct expr *(*parse)(struct parser *parser, const struct at_operator *op, const struct location *location);
	enum expr_kind kind;
	unsigned int least, most; /* number of arguments, if parse() checks it */
};

/** Find an operator by its name without "@", or return NULL. */
const struct at_operator *at_operator_find(const char *name);

/** Append all names to @p names, as candidates for "did you mean". */
void at_operator_names(GPtrArray *names);

#endif
