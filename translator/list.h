/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap -l and -L: which probe points match, and what can be read there. */
#ifndef SPILE_LIST_H
#define SPILE_LIST_H

#include "translator/translation.h"

/** Print the points of the parsed script, sorted, one per line; with their variables if asked. */
void list_probes(struct translation *t, bool with_variables);

#endif
