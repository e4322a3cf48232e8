/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find a macro by its name. A file whose embedded C is not trusted must not provide macros for a file whose C is. */
#ifndef SPILE_LANG_PREPROCESSOR_H
#define SPILE_LANG_PREPROCESSOR_H

#include "translator/lang/lexer.h"

/**
 * Lex and preprocess a file.
 *
 * @param[in] library The file is a macro library: its macros join context->library_macros.
 * @param[out] tokens GArray of struct token that ends with a TOKEN_END; free with g_array_unref().
 * @return False if there is nothing to parse. There may be diagnostics even if true.
 */
bool preprocess(struct language_context *context, const struct source_file *file, bool library, GArray **tokens);

#endif
