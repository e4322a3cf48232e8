/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of the tapset directories; see library.c. The passes access the library with translation.h. */
#ifndef SPILE_LIBRARY_H
#define SPILE_LIBRARY_H

#include "translator/options.h"
#include "translator/translation.h"

/** Find the files of the tapset directories, and fill in t->library_files. */
struct error *find_library(struct translation *t, const struct options *options);
/** Return the number of library files that are scripts, not macros. */
unsigned int count_library_scripts(const struct translation *t);
/** Parse the library's macro files. Errors in them become diagnostics. */
struct error *parse_macros(struct translation *t);
/**
 * Read the library's scripts. Those of -I are parsed; those of the installed library are only searched for the names
 * they define, and skipped if there are errors already. Call after parse_macros() and parse_user_scripts().
 */
struct error *parse_library(struct translation *t);

#endif
