/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that are similar to a misspelled one; see nearest.c. */
#ifndef SPILE_COMMON_NEAREST_H
#define SPILE_COMMON_NEAREST_H

#include <glib.h>

#include "common/arena.h"
#include "common/base/error.h"

/**
 * Return at most @p most candidates (const char *) that are similar to @p word by edit distance, or NULL if none is.
 * @p prefix is put before each ("$" for context variables). Arena-owned.
 */
GPtrArray *nearest_matches(struct arena *arena, const char *word, const GPtrArray *candidates, const char *prefix,
			   unsigned int most);

/** Sort names (const char *) by their similarity to a word; those that are not similar come last, in their order. */
void nearest_sort(const char *word, GPtrArray *names);

/** Return the names joined with ", ", or NULL if there are none. */
const char *names_join(struct arena *arena, const GPtrArray *names);
/** Make "did you mean: ..." the error's hint, with the names as its alternatives, and return the same error. */
struct error *error_with_names(struct error *error, struct arena *arena, const GPtrArray *names);
/** Return an array of one name. */
GPtrArray *names_one(struct arena *arena, const char *name);

#endif
