/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes that a script with --privilege=stapusr may see. */
#ifndef SPILE_RUNTIME_CORE_OWN_PROCESS_H
#define SPILE_RUNTIME_CORE_OWN_PROCESS_H

#include <linux/uidgid.h>

#include "runtime/core/internal.h"

struct mm_struct;
struct task_struct;

/* Whether the script sees only processes of its user. */
SHARED extern bool session_is_restricted;
/** Record the user of the current task, which is the staprun process with the rights of its user. */
SHARED void own_process_begin(void);
/** Return the recorded user, or root if own_process_begin() has not been called. */
SHARED kuid_t own_process_user(void);
/** Return whether the script may see a process: the current one, or one whose mm the caller holds. */
SHARED bool is_own_task(struct task_struct *task);
/** Do the same for a mm, by its owner. */
SHARED bool is_own_memory(struct mm_struct *memory);
/**
 * Return whether the session's user may ptrace() the process, also in a session that is not restricted. Any context;
 * root's processes are root's.
 */
SHARED bool is_users_task(struct task_struct *task);
/** Do the same for a mm, by its owner. Return false if the kernel does not record owners. */
SHARED bool is_users_memory(struct mm_struct *memory);

#endif
