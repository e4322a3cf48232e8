/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options from the user's rc file. */
#ifndef SPILE_RC_H
#define SPILE_RC_H

#include "translator/util/arena.h"
#include "translator/util/error.h"

/**
 * The command line with the words of $SYSTEMTAP_DIR/rc (or ~/.systemtap/rc) put in front of the user's own.
 *
 * @param[out] ret NULL-terminated, in the arena; the given one if there is no such file.
 * @return NULL, or an error: the file cannot be read, or its quotes do not match.
 */
struct error *rc_arguments(struct arena *arena, int argc, char **argv, int *ret_argc, char ***ret);

#endif
