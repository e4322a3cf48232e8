/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scripts that come with Spile: --example, --list-examples. */
#ifndef SPILE_EXAMPLES_H
#define SPILE_EXAMPLES_H

#include "translator/util/arena.h"
#include "translator/util/error.h"

/**
 * Where an example is.
 *
 * @param[in] name Its name, with or without its ending.
 * @param[out] path Arena-owned.
 * @return NULL, or an error: ERROR_LOOKUP, with names that are near, if there is none of that name.
 */
struct error *examples_find(struct arena *arena, const char *name, const char **path);

/**
 * List them by topic, a line each. With a @p word, those that have it in their name, topic, title or question; if there
 * is none, that is an error.
 */
struct error *examples_list(struct arena *arena, const char *word);

#endif
