/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the user's rc file. */
#ifndef SPILE_RC_H
#define SPILE_RC_H

#include "common/arena.h"
#include "common/base/error.h"

/**
 * Insert the words of $SYSTEMTAP_DIR/rc (or ~/.systemtap/rc) before the arguments of the command line.
 *
 * @param[out] ret NULL-terminated, in the arena; @p argv itself if there is no rc file or other users can change it.
 * @return NULL, or an error: the file cannot be read, or its quotes do not match.
 */
struct error *rc_arguments(struct arena *arena, int argc, char **argv, int *ret_argc, char ***ret);

/** Return an error if the rc file has options that choose where a script runs, which @p program does itself. */
struct error *rc_check_hosts(const char *program);

#endif
