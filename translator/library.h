/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of the tapset folders; see library.c. What passes ask of the library is in translation.h. */
#ifndef SPILE_LIBRARY_H
#define SPILE_LIBRARY_H

#include "translator/options.h"
#include "translator/translation.h"

/** Which files there are in the tapset folders. */
struct error *find_library(struct translation *t, const struct options *options);
/** How many of them are scripts, and not macros. */
unsigned int count_library_scripts(const struct translation *t);
/** The macros of those files, which any script may use. What they have wrong is a diagnostic. */
struct error *parse_macros(struct translation *t);
/**
 * Their scripts, after the macros and the user's, of which some may have been read: parses them, or sees which names
 * they define. After an error, only those that may have something wrong as well.
 */
struct error *parse_library(struct translation *t);

#endif
