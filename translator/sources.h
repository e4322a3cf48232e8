/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts that pass 1 parses; see sources.c. */
#ifndef SPILE_SOURCES_H
#define SPILE_SOURCES_H

#include "translator/options.h"
#include "translator/translation.h"

/** The macros and scripts of the tapset folders. What they have wrong is a diagnostic. */
struct error *parse_library(struct translation *t, const struct options *options);
/** The user's script, whence ever it comes, and those of -E. */
struct error *parse_user_scripts(struct translation *t, const struct options *options);

#endif
