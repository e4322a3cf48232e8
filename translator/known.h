/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that were translated before; see known.c. */
#ifndef SPILE_KNOWN_H
#define SPILE_KNOWN_H

#include "translator/translation.h"

/** Begin the checksum of all that the outcome of a translation depends on, with the command line. */
void known_begin(struct translation *t, int argc, char **argv);
/** A text that is parsed. */
void known_add_source(struct translation *t, const struct source_file *source);
/** The files of the library, which have been found. */
void known_add_library(struct translation *t);
/** When all of that is added: the key of what passes 1 to 4 will make. To be freed; NULL: there can be no such key. */
char *known_key(struct translation *t);
/**
 * What is to be kept with the outcome, which begins with a line of the caller's; NULL: it may not be kept. To be called
 * after pass 3, and freed.
 */
char *known_note(const struct translation *t, const char *line);
/** Is what such a note says of files so still? */
bool known_holds(const char *note);

#endif
