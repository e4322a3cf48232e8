/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that a script declares with the macros of tapset/options.stpm; see script_options.c. */
#ifndef SPILE_LANG_SCRIPT_OPTIONS_H
#define SPILE_LANG_SCRIPT_OPTIONS_H

#include "common/base/script_option.h"
#include "translator/lang/lexer.h"

struct declared_option {
	struct script_option option;
	struct location location; /* of its name */
	bool is_given; /* the translation has a value for it; otherwise its default applies */
	int64_t number;
	const char *text; /* of a string or a choice */
};

/**
 * Find the declarations among the tokens of a script, before preprocessing, and append them to context->script_options
 * with the values of context->option_values. Errors become diagnostics.
 */
void script_options_note(struct language_context *context, const GArray *tokens);

/** The same for a text. Only for a context whose diagnostics are not printed, because parse_script() does it, too. */
void script_options_scan(struct language_context *context, const struct source_file *file);

/** Find an option by its name in an array of struct declared_option *, which may be NULL. */
const struct declared_option *script_options_find(const GPtrArray *options, const char *name, size_t length);

/** Does an option initialize the global of this name? */
bool script_options_have_global(const GPtrArray *options, const char *global);

#endif
