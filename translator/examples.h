/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scripts that come with Spile: --example, --list-examples. */
#ifndef SPILE_EXAMPLES_H
#define SPILE_EXAMPLES_H

#include "common/arena.h"
#include "common/base/error.h"

/**
 * Find an example.
 *
 * @param[in] name Its name, with or without ".stp".
 * @param[out] path Arena-owned.
 * @return NULL, or an error: ERROR_LOOKUP, with a hint of similar names, if there is no such example.
 */
struct error *examples_find(struct arena *arena, const char *name, const char **path);

/** Return the names of all examples (const char *), sorted. */
GPtrArray *examples_names(struct arena *arena);

/**
 * Print the examples by topic, one per line. With a @p word, only those whose name, topic, title or question contains
 * it; fail if there are none. @p json: print lines of JSON.
 */
struct error *examples_list(struct arena *arena, const char *word, bool json);

#endif
