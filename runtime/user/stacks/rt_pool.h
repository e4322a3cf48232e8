/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for handlers on PREEMPT_RT. */
#ifndef SPILE_RUNTIME_USER_STACKS_RT_POOL_H
#define SPILE_RUNTIME_USER_STACKS_RT_POOL_H

#include <linux/gfp.h>
#include <linux/types.h>

#include "runtime/core/internal.h"

struct kthread_work;

/**
 * Return whether memory may be allocated with these flags. PREEMPT_RT cannot allocate where it must not sleep, as in
 * handlers.
 */
static inline bool user_may_allocate(gfp_t flags)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || gfpflags_allow_blocking(flags);
}

/* Pieces of one size. */
struct rt_pool_class {
	size_t size;
	unsigned int wanted; /* how many to keep */
};

enum { RT_POOL_CLASSES = 3 };

/**
 * Return zeroed memory for kfree(), or NULL. Where nothing may be allocated it comes from the reserves, at most the
 * size of the last class.
 */
void *user_alloc(size_t size, gfp_t flags);
/** Free unused memory. @p flags must be those of the allocation. */
void user_free(void *room, size_t size, gfp_t flags);
/** On PREEMPT_RT: let a high-priority thread do work that a handler must not. Called by handlers. */
void rt_worker_queue(struct kthread_work *work);
/** Fill the reserves of the classes, which are sorted by size. */
int rt_pool_create(const struct rt_pool_class classes[RT_POOL_CLASSES]);
/** Finish the queued work and free the reserves. Called after the last handler. */
void rt_pool_destroy(void);

#endif
