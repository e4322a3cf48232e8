/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts that pass 1 parses; see sources.c. */
#ifndef SPILE_SOURCES_H
#define SPILE_SOURCES_H

#include "translator/options.h"
#include "translator/translation.h"

/** A text of that name, which belongs to the translation's arena. */
struct source_file *source_new(struct translation *t, const char *name, char *text, size_t length);
/** The text of a file, or with "-" of standard input. */
struct error *source_read(struct translation *t, const char *path, struct source_file **ret);
/** The text of the user's script, whence ever it comes, and those of -E. */
struct error *find_user_scripts(struct translation *t, const struct options *options);
/** Those texts, after the macros. What they have wrong is a diagnostic. */
void parse_user_scripts(struct translation *t, const struct options *options);

#endif
