/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of programs and libraries by build-id; see program_build.c. */
#ifndef SPILE_RUNTIME_USER_PROGRAM_BUILD_H
#define SPILE_RUNTIME_USER_PROGRAM_BUILD_H

#include <linux/path.h>
#include <linux/types.h>

#include "runtime/core/internal.h"

struct task_struct;

/** Return whether a file has the target's build-id, or nothing is known to compare. Sleeps. */
SHARED bool is_build(const struct path *path, const struct stp_target *target);
/**
 * Find a file with the target's build-id from which some process runs code. Sleeps.
 *
 * @param[out] ret With references; the caller releases them with path_put().
 * @return -ENOENT: no process maps such a file.
 */
SHARED int find_mapped_build(const struct stp_target *target, struct path *ret);

/**
 * Find the file of a target: at its path, or if the script names it by build-id, wherever processes map it. Sleeps.
 *
 * @param[out] ret With references.
 * @return 1: the file at its path is another build.
 */
SHARED int find_build_file(const struct stp_target *target, struct path *ret);
/** Return all processes with references, except those that begin meanwhile; NULL without memory. Free with kvfree(). */
SHARED struct task_struct **all_processes(unsigned int *count);

#endif
