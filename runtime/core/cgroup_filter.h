/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control group whose tasks a session is restricted to. */
#ifndef SPILE_RUNTIME_CORE_CGROUP_FILTER_H
#define SPILE_RUNTIME_CORE_CGROUP_FILTER_H

#include "runtime/core/internal.h"

struct task_struct;

/**
 * Restrict the session to the tasks in a control group and in the groups below it. Task context, before the start.
 *
 * @param fd Descriptor of the calling process for the group's directory, of either version.
 * @return -EBADF if it is no such directory, -ENOENT if the group has been removed, -EOPNOTSUPP if the hierarchy has no
 *         controller.
 */
SHARED int cgroup_filter_set(int fd);
/** Drop the group. Call this when no handler can run. */
SHARED void cgroup_filter_clear(void);
/** Return whether the session's group has the task. Only if there is one; any context, with preemption off. */
bool cgroup_filter_has(const struct task_struct *task);

#endif
