/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reuse the values of "stable" functions within a handler; see call_cache.c. */
#ifndef SPILE_EMIT_CALL_CACHE_H
#define SPILE_EMIT_CALL_CACHE_H

#include "translator/translation.h"

struct stable_functions;

/** Find the stable functions that the script uses. */
struct stable_functions *find_stable_functions(struct translation *t);
/** Emit the type `struct kept`, if there are any. */
void emit_kept_type(const struct stable_functions *stable, GString *out);
/** Return the maximal size of a `struct kept` in a handler's frame, in bytes. */
unsigned int kept_bytes(const struct stable_functions *stable);

/** Can a handler call a stable function more than once, directly or through other functions? */
bool handler_repeats_stable(const struct stable_functions *stable, struct statement *body);
/** The same for the entry values of a return probe (of struct expr *). */
bool values_repeat_stable(const struct stable_functions *stable, GPtrArray *values);

/** Return the number of a stable function whose value is kept, or -1. */
int stable_number(const struct stable_functions *stable, const struct expr *call);

#endif
