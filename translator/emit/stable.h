/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of "stable" functions, kept for the handler under way; see stable.c. */
#ifndef SPILE_EMIT_STABLE_H
#define SPILE_EMIT_STABLE_H

#include "translator/emit/writer.h"

struct stable_functions;

/** The stable functions that the script uses. */
struct stable_functions *find_stable_functions(struct translation *t);
/** The type `struct kept`, if there are any. */
void emit_kept_type(const struct stable_functions *stable, GString *out);
/** Bytes of a `struct kept` in a handler's frame, at the most. */
unsigned int kept_bytes(const struct stable_functions *stable);

/** May a handler call a stable function more than once, itself or by the functions that it calls? */
bool handler_repeats_stable(const struct stable_functions *stable, struct statement *body);
/** The same of what is evaluated at a function's entry: of struct expr *. */
bool values_repeat_stable(const struct stable_functions *stable, GPtrArray *values);

/** The number of a stable function whose value is to be kept; -1 for others. */
int stable_number(const struct stable_functions *stable, const struct expr *call);

#endif
