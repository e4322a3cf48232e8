/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stability of probes and of programs, and the types of arguments, for dtrace -v; see attributes.c. */
#ifndef SPILE_DLANG_ATTRIBUTES_H
#define SPILE_DLANG_ATTRIBUTES_H

#include <glib.h>

#include "translator/dlang/dlang.h"

struct d_place;
struct d_lowering;
struct location;

/** Return the stability of the probe's description: the least of its parts. */
struct d_stability d_probe_stability(const struct d_place *place);

/** Return the stability of the probe's arguments. */
struct d_stability d_argument_stability(const struct d_place *place);

/** Record the stability of the clause's probe. Return false after an error if it is lower than allowed. */
bool d_use_probe(struct d_lowering *l);

/* Whose attributes a variable has. */
enum d_owner { D_OWNER_LANGUAGE, D_OWNER_THREAD, D_OWNER_ARGUMENTS, D_OWNER_KERNEL, D_OWNER_COUNT_ };

/** The same for a variable that the clause uses. */
bool d_use_name(struct d_lowering *l, const struct location *at, const char *name, enum d_owner owner);

/** Return the types of args[] (const char *, in the translation's arena), NULL for an index that the probe lacks. */
GPtrArray *d_argument_types(struct d_translation *d, const struct d_place *place);

#endif
