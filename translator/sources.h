/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts that pass 1 parses; see sources.c. */
#ifndef SPILE_SOURCES_H
#define SPILE_SOURCES_H

#include "translator/options.h"
#include "translator/translation.h"

/** Make a source file of a text. It does not copy the text, which must live as long as the translation. */
struct source_file *source_new(struct translation *t, const char *name, char *text, size_t length);
/** Read a file, or standard input if @p path is "-". */
struct error *source_read(struct translation *t, const char *path, struct source_file **ret);
/** Read the user's script from a file, standard input, -e or a listing option, and the texts of -E. */
struct error *find_user_scripts(struct translation *t, const struct options *options);
/** Parse those texts, after parse_macros(). Errors in them become diagnostics. */
void parse_user_scripts(struct translation *t, const struct options *options);

#endif
