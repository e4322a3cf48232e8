/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks, and memory at addresses that a script gave. */
#ifndef SPILE_RUNTIME_LIBRARY_TASK_H
#define SPILE_RUNTIME_LIBRARY_TASK_H

#include "runtime/core/internal.h"

struct task_struct;

/** Copy from an address that a script gave. On a fault, set an error of the script and return false. */
bool load_field(struct stp_context *c, void *to, const void *from, size_t size);

/** Load a member of a struct at an address that a script gave; 0 with an error of the script on a fault. */
#define LOAD(c, pointer, member)                                                                                       \
	({                                                                                                             \
		typeof((pointer)->member) loaded;                                                                      \
		load_field(c, (void *)&loaded, (const void *)&(pointer)->member, sizeof(loaded));                      \
		loaded;                                                                                                \
	})

/** Return whether a task lives at this address; fail if it cannot be read. Under RCU. */
bool task_exists(struct stp_context *c, const struct task_struct *task);

#endif
