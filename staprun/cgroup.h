/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control group of --cgroup. */
#ifndef SPILE_STAPRUN_CGROUP_H
#define SPILE_STAPRUN_CGROUP_H

#include "common/base/error.h"

/**
 * Open the directory of a control group, with the rights of the calling process.
 *
 * @param[in] path The directory, or its path below /sys/fs/cgroup, as in /proc/PID/cgroup of systems with version 2.
 * @param[out] ret The descriptor, which programs that the caller executes do not inherit.
 */
struct error *cgroup_open(const char *path, int *ret);

/** Have the module ignore tasks outside the group. Called before the script starts. */
struct error *cgroup_send(int control, int group, const char *path);

#endif
