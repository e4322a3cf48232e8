/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts that pass 1 parses; see sources.c. */
#ifndef SPILE_SOURCES_H
#define SPILE_SOURCES_H

#include "translator/options.h"
#include "translator/translation.h"

/** Which files there are in the tapset folders. */
struct error *find_library(struct translation *t, const struct options *options);
/** How many of them are scripts, and not macros. */
unsigned int count_library_scripts(const struct translation *t);
/** The macros of those files, which any script may use. What they have wrong is a diagnostic. */
struct error *parse_macros(struct translation *t);
/** Their scripts, after the macros. */
struct error *parse_library(struct translation *t);
/** The text of the user's script, whence ever it comes, and those of -E. */
struct error *find_user_scripts(struct translation *t, const struct options *options);
/** Those texts, after the macros. What they have wrong is a diagnostic. */
void parse_user_scripts(struct translation *t, const struct options *options);

#endif
