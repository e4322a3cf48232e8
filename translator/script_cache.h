/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognize scripts that were translated before; see script_cache.c. */
#ifndef SPILE_SCRIPT_CACHE_H
#define SPILE_SCRIPT_CACHE_H

#include "translator/translation.h"

/** Begin the checksum over everything that the module depends on, with the command line. */
void known_begin(struct translation *t, int argc, char **argv);
/** Let the key depend on a text, or on the file at a path. */
void known_add_text(struct translation *t, const char *text);
void known_add_file(struct translation *t, const char *path);
/** Add the text of a user's script. */
void known_add_source(struct translation *t, const struct source_file *source);
/** Add the files of the library, after find_library(). */
void known_add_library(struct translation *t);
/** Return the key of the module that passes 1 to 4 will make; the caller frees. NULL: this script is not cached. */
char *known_key(struct translation *t);
/**
 * Return the note to store with the module: the caller's line, then facts about files. Return NULL if the module must
 * not be reused. Call after pass 3; the caller frees.
 */
char *known_note(const struct translation *t, const char *line);
/** Are the facts about files in the note still true? */
bool known_holds(const char *note);

#endif
