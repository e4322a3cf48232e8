/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that are similar to a misspelled one; see nearest.c. */
#ifndef SPILE_COMMON_NEAREST_H
#define SPILE_COMMON_NEAREST_H

#include <glib.h>

#include "common/arena.h"

/**
 * Return at most @p most candidates that are similar to @p word by edit distance, joined with ", ", or NULL if none is.
 * @p prefix is put before each ("$" for context variables). Arena-owned.
 */
const char *nearest_matches(struct arena *arena, const char *word, const GPtrArray *candidates, const char *prefix,
			    unsigned int most);

/** Sort names (const char *) by their similarity to a word; those that are not similar come last, in their order. */
void nearest_sort(const char *word, GPtrArray *names);

#endif
