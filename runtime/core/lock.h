/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of globals. */
#ifndef SPILE_RUNTIME_CORE_LOCK_H
#define SPILE_RUNTIME_CORE_LOCK_H

#include "runtime/core/internal.h"

SHARED int locks_create(void);
SHARED void locks_destroy(void);
/**
 * Enter a global for aggregation, which many CPUs may do at once, but not while the global's lock is held. Interrupts
 * are off until unlock_shared(). Return false after too many attempts.
 */
HOT bool lock_shared(struct stp_context *c, unsigned int global, unsigned long *irq_flags);
/** Return whether the handler has exclusive access to the global: by a lock, or because it runs alone. */
HOT bool handler_holds(const struct stp_context *c, unsigned int global);
HOT void unlock_shared(struct stp_context *c, unsigned int global, unsigned long irq_flags);
/**
 * Lock a global to read it from task context. Handlers wait, and interrupts are off, until lock_look_end(). Return
 * false after too many attempts.
 */
SHARED bool lock_look(unsigned int global, unsigned long *irq_flags);
SHARED void lock_look_end(unsigned int global, unsigned long irq_flags);
/** Spin briefly for the right to insert, within lock_shared(). Return false after too many attempts. */
bool lock_insert(unsigned int global);
void unlock_insert(unsigned int global);

#endif
