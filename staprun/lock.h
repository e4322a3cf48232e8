/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system-wide lock that serializes loading and removing modules; see lock.c. */
#ifndef SPILE_STAPRUN_LOCK_H
#define SPILE_STAPRUN_LOCK_H

#include <signal.h>
#include <sys/types.h>

#include "common/base/error.h"

struct lock {
	int fd;
	uid_t user; /* real user id without the lock */
	sigset_t signals; /* signal mask without the lock */
};

/**
 * Take the lock; wait at most ten minutes for it. The holder may load a module, remove unused ones, and open the
 * control file of the loaded one. Messages are held in memory until the lock is released (messages_hold()).
 */
struct error *lock_take(struct lock *lock);

/** Release the lock and restore the real user id. */
void lock_release(struct lock *lock);

/**
 * Change the real user id to root for good, so that the user cannot stop the process. For a process that can no longer
 * change back to the user, and only takes the lock, reports and exits.
 */
struct error *lock_become_root(void);

#endif
