/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stability of probes, and the types of their arguments, for dtrace -lv. */
#ifndef SPILE_DLANG_ATTRIBUTES_H
#define SPILE_DLANG_ATTRIBUTES_H

#include <glib.h>

#include "translator/dlang/dlang.h"

struct d_place;

/** Return the stability of the probe's description: the least of its parts. */
struct d_stability d_probe_stability(const struct d_place *place);

/** Return the stability of the probe's arguments. */
struct d_stability d_argument_stability(const struct d_place *place);

/** Return the types of args[] (const char *, in the translation's arena), NULL for an index that the probe lacks. */
GPtrArray *d_argument_types(struct d_translation *d, const struct d_place *place);

#endif
