/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes that a probe of programs selects. */
#ifndef SPILE_RUNTIME_USER_PROCESS_TREE_H
#define SPILE_RUNTIME_USER_PROCESS_TREE_H

#include "runtime/core/internal.h"

struct mm_struct;

/** Start to follow target() and its descendants if a probe needs it. Pair each success with family_ignore(). */
int family_watch(void);
void family_ignore(void);
#ifdef STP_USER_SPACE
/** Return whether a process is target() or descends from it, if they are followed. Any context. */
HOT bool is_of_family(pid_t process);
#endif
/** Return the process that a probe is for, in the initial PID namespace: 0 for any, negative if it does not exist. */
pid_t probe_process(const struct stp_probe *probe);
/** Return whether a mm belongs to a process (0: any) and, with @p of_target, to target() or a descendant. */
bool memory_is_of(const struct mm_struct *memory, pid_t process, bool of_target);

#endif
