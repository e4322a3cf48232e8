/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists for --dump-functions, --dump-probe-aliases and --dump-probe-types. */
#ifndef SPILE_DUMP_H
#define SPILE_DUMP_H

#include "translator/translation.h"

/** Print the public functions of the library with their types, one per line. */
void dump_functions(struct translation *t);
/** Print the public aliases of the library and the probe points they stand for. */
void dump_aliases(struct translation *t);
/** Print the built-in forms of probe points; with --privilege=stapusr, only those that such users may use. */
void dump_probe_types(struct translation *t);

#endif
