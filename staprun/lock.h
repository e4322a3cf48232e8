/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lock of all staprun processes of this system over loading and removing; see lock.c. */
#ifndef SPILE_STAPRUN_LOCK_H
#define SPILE_STAPRUN_LOCK_H

#include <signal.h>
#include <sys/types.h>

#include "translator/util/error.h"

struct lock {
	int fd;
	uid_t user; /* whose process this is without the lock */
	sigset_t signals; /* that were blocked without it */
};

/**
 * Take the lock, waiting a while for others: who holds it may load, remove what looks unused, and open the control file
 * of what was loaded. Until it is released, what the process says waits in memory (messages_hold()).
 */
struct error *lock_take(struct lock *lock);

/** Release it; the process is its user's again. */
void lock_release(struct lock *lock);

/**
 * For a process that has nothing left to do but to take the lock, to speak and to exit, and that has not kept the right
 * to become its user's again: it is root's from now on.
 */
struct error *lock_become_root(void);

#endif
