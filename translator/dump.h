/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the library and the translator offer: --dump-functions, --dump-probe-aliases, --dump-probe-types. */
#ifndef SPILE_DUMP_H
#define SPILE_DUMP_H

#include "translator/translation.h"

/** The public functions of the library with their types, a line each. */
void dump_functions(struct translation *t);
/** The public aliases of the library and what they stand for. */
void dump_aliases(struct translation *t);
/** The forms of probe points that are built in; only those for unprivileged users with --privilege=stapusr. */
void dump_probe_types(struct translation *t);

#endif
