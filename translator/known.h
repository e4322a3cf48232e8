/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that were translated before; see known.c. */
#ifndef SPILE_KNOWN_H
#define SPILE_KNOWN_H

#include "translator/translation.h"

/** Begin the checksum of all that the outcome of a translation depends on, with the command line. */
void known_begin(struct translation *t, int argc, char **argv);
/** A source that is parsed. */
void known_add_source(struct translation *t, const struct source_file *source);
/** When pass 1 is over: the key of what passes 2 to 4 will make. To be freed; NULL: there can be no such key. */
char *known_key(struct translation *t);
/** May the outcome be kept under the key? After pass 3. */
bool known_may_keep(const struct translation *t);

#endif
