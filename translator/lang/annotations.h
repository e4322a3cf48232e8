/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comments that say how to show a global variable: "unit: ns", "show: heatmap" (staplang(3stap)).
 *
 * The lexer drops comments, except that it notes those of this form together with the tokens around them. The parser
 * gives each to the declaration that it belongs to. What is left at the end is reported, since it has no effect.
 */
#ifndef SPILE_LANG_ANNOTATIONS_H
#define SPILE_LANG_ANNOTATIONS_H

#include "translator/lang/lexer.h"

struct annotation {
	struct location location; /* of key and value */
	bool is_show; /* "show", not "unit" */
	const char *value; /* may be empty */
	const char *before, *after; /* beginnings of the tokens around the comment; `before` is NULL at the beginning */
	const char *end; /* of the value in the source text */
	bool continues_line; /* the token before is on the same line */
	bool ends_line; /* the token after is not */
	bool is_used;
};

/** Note what the text of a comment says, if it has this form. @p before: the last token, or NULL. */
void annotations_note(struct language_context *context, const struct location *location, const char *text,
		      size_t length, const struct token *before);
/** Set the token after all annotations of this file that have none yet. */
void annotations_set_next(struct language_context *context, const struct source_file *file, const char *next);

/**
 * Use the annotations of a declaration: those directly before its name, or after its first token on the same line.
 *
 * @param[in] first, last Its tokens, from its name.
 * @param[in] separator The "," or ";" after it, or NULL.
 */
void annotations_use(struct language_context *context, struct symbol *symbol, const struct token *first,
		     const struct token *last, const struct token *separator);
/** Use the annotations directly before a keyword of a declaration for all its variables that have none. */
void annotations_use_for_all(struct language_context *context, const struct token *keyword, const GPtrArray *symbols,
			     guint from);

/** Warn about annotations of a file that belong to no declaration among its tokens, which end with a TOKEN_END. */
void annotations_report_unused(struct language_context *context, const struct source_file *file,
			       const struct token *tokens);

#endif
