/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of programs and libraries by build-id; see program_build.c. */
#ifndef SPILE_RUNTIME_USER_PROGRAM_BUILD_H
#define SPILE_RUNTIME_USER_PROGRAM_BUILD_H

#include <linux/path.h>
#include <linux/types.h>

#include "runtime/core/internal.h"

/** Return whether a file has the target's build-id, or nothing is known to compare. Sleeps. */
SHARED bool is_build(const struct path *path, const struct stp_target *target);
/**
 * Find a file with the target's build-id from which some process runs code. Sleeps.
 *
 * @param[out] ret With references; the caller releases them with path_put().
 * @return -ENOENT: no process maps such a file.
 */
SHARED int find_mapped_build(const struct stp_target *target, struct path *ret);

#endif
