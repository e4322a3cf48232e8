/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From source text to the tokens that the parser sees: macros, conditionals and script arguments are resolved. */
#ifndef SPILE_LANG_PREPROCESSOR_H
#define SPILE_LANG_PREPROCESSOR_H

#include "translator/lang/lexer.h"

/**
 * Lex and preprocess a file.
 *
 * @param[in] library The file is a macro library: its macros join context->library_macros.
 * @param[out] tokens GArray of struct token that ends with a TOKEN_END; to be freed with g_array_unref().
 * @return False if there is nothing that could sensibly be parsed. A diagnostic may have been reported even on true.
 */
bool preprocess(struct language_context *context, const struct source_file *file, bool library, GArray **tokens);

#endif
