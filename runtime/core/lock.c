// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locks of globals.
 *
 * A handler takes the locks of its region in the order of the globals' numbers, so handlers cannot deadlock each other.
 * However, a handler in an interrupt may find a lock held by the code that it interrupted. Hence every wait is bounded:
 * after MAXTRYLOCK attempts at intervals of TRYLOCKDELAY microseconds, the handler is skipped and counted. Interrupts
 * are off while locks are held, so only an NMI can meet a lock held on its own CPU. These locks are plain atomics
 * because the kernel's locks do not work in NMIs, on PREEMPT_RT and inside lockdep.
 *
 * Each global has a reader-writer word: 0 free, -1 locked for writing, n locked by n readers. Aggregation with "<<<" is
 * the hot path and has a third mode, "shared": each CPU has its own count, and a writer waits until all counts are 0.
 * Thus CPUs that add to one aggregate share no modified cache line.
 */
#include <linux/delay.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "runtime/core/allocation.h"
#include "runtime/core/context.h"
#include "runtime/core/delay.h"
#include "runtime/core/internal.h"
#include "runtime/core/lock.h"

struct global_lock {
	atomic_t word;
	atomic_t inserting;
	int __percpu *shared; /* NULL unless it is an aggregate */
} ____cacheline_aligned;

static struct global_lock *locks;
/* The interrupt state from before the region. Regions nest only in NMIs, so each CPU needs two. */
struct saved_flags {
	unsigned long of_level[2];
};

static struct saved_flags __percpu *saved_flags;

static bool is_aggregate(const struct stp_global *global)
{
	return global->kind == STP_GLOBAL_STATISTIC || global->kind == STP_GLOBAL_MAP_STATISTIC;
}

int locks_create(void)
{
	unsigned int i;

	if (!stp_script.global_count)
		return 0;
	locks = checked(kvcalloc(stp_script.global_count, sizeof(*locks), GFP_KERNEL));
	saved_flags = checked(__alloc_percpu(sizeof(*saved_flags), __alignof__(*saved_flags)));
	if (!locks || !saved_flags)
		return -ENOMEM;
	for (i = 0; i < stp_script.global_count; i++) {
		if (!is_aggregate(&stp_script.globals[i]))
			continue;
		locks[i].shared = checked(alloc_percpu(int));
		if (!locks[i].shared)
			return -ENOMEM;
	}
	return 0;
}

void locks_destroy(void)
{
	unsigned int i;

	for (i = 0; locks && i < stp_script.global_count; i++)
		free_percpu(locks[i].shared);
	kvfree(locks);
	locks = NULL;
	free_percpu(saved_flags);
	saved_flags = NULL;
}

static __always_inline bool try_read(struct global_lock *lock)
{
	int word = atomic_read(&lock->word);

	return word >= 0 && atomic_cmpxchg_acquire(&lock->word, word, word + 1) == word;
}

static __always_inline bool try_write(struct global_lock *lock)
{
	return atomic_read(&lock->word) == 0 && atomic_cmpxchg_acquire(&lock->word, 0, -1) == 0;
}

/* Spin between two attempts. Safe in any context. */
static void pause_attempt(void)
{
	if (stp_script.trylock_delay)
		delay_by_clock(stp_script.trylock_delay);
	else
		cpu_relax();
}

static noinline bool attempt_again(bool (*try)(struct global_lock *), struct global_lock *lock)
{
	unsigned int tries;

	for (tries = 0; tries < stp_script.max_trylock; tries++) {
		pause_attempt();
		if (try(lock))
			return true;
	}
	return false;
}

/* Try once inline, which mostly succeeds. */
static __always_inline bool attempt(bool (*try)(struct global_lock *), struct global_lock *lock)
{
	return likely(try(lock)) || attempt_again(try, lock);
}

static bool no_sharers(struct global_lock *lock)
{
	int cpu;

	for_each_possible_cpu(cpu)
		/* Pairs with the barrier in unlock_shared(): what sharers have added is seen. */
		if (smp_load_acquire(per_cpu_ptr(lock->shared, cpu)))
			return false;
	return true;
}

static bool lock_global(const struct stp_lock_use *use)
{
	struct global_lock *lock = &locks[use->global];

	if (use->mode == STP_LOCK_READ)
		return attempt(try_read, lock);
	if (!attempt(try_write, lock))
		return false;
	if (!lock->shared)
		return true;
	smp_mb(); /* Pairs with enter_shared(): either that sees the word, or we see its count. */
	if (attempt(no_sharers, lock))
		return true;
	atomic_set_release(&lock->word, 0);
	return false;
}

static void unlock_global(const struct stp_lock_use *use)
{
	struct global_lock *lock = &locks[use->global];

	/* Pairs with the acquire of try_read() and try_write(). */
	if (use->mode == STP_LOCK_READ)
		atomic_dec_return_release(&lock->word);
	else
		atomic_set_release(&lock->word, 0);
}

int stp_lock(struct stp_context *c, const struct stp_lock_use *uses, unsigned int count)
{
	unsigned long flags;
	unsigned int i;

	/* Begin, end and error probes run alone, and need no locks. Long output may also make them sleep. */
	if (context_is_session(c))
		return 1;
	local_irq_save(flags);
	for (i = 0; i < count; i++) {
		if (likely(lock_global(&uses[i])))
			continue;
		while (i--)
			unlock_global(&uses[i]);
		local_irq_restore(flags);
		context_count_skip(SKIP_LOCK, 1);
		return 0;
	}
	this_cpu_ptr(saved_flags)->of_level[context_nmi_slot(c)] = flags;
	c->locks = uses;
	c->lock_count = count;
	return 1;
}

void stp_unlock(struct stp_context *c)
{
	unsigned int i;

	if (!c->locks)
		return;
	for (i = c->lock_count; i--;)
		unlock_global(&c->locks[i]);
	c->locks = NULL;
	local_irq_restore(this_cpu_ptr(saved_flags)->of_level[context_nmi_slot(c)]);
}

HOT bool handler_holds(const struct stp_context *c, unsigned int global)
{
	unsigned int i;

	if (context_is_session(c))
		return true;
	for (i = 0; c->locks && i < c->lock_count; i++)
		if (c->locks[i].global == global)
			return true;
	return false;
}

static void use_for_look(unsigned int global, struct stp_lock_use *use)
{
	use->global = global;
	use->mode = is_aggregate(&stp_script.globals[global]) ? STP_LOCK_WRITE : STP_LOCK_READ;
}

bool lock_look(unsigned int global, unsigned long *irq_flags)
{
	struct stp_lock_use use;

	use_for_look(global, &use);
	local_irq_save(*irq_flags);
	if (lock_global(&use))
		return true;
	local_irq_restore(*irq_flags);
	return false;
}

void lock_look_end(unsigned int global, unsigned long irq_flags)
{
	struct stp_lock_use use;

	use_for_look(global, &use);
	unlock_global(&use);
	local_irq_restore(irq_flags);
}

static __always_inline bool enter_shared(struct global_lock *lock)
{
	this_cpu_inc(*lock->shared);
	smp_mb(); /* pairs with lock_global() */
	/* Pairs with the release in unlock_global(): what the last writer has changed is seen. */
	if (likely(atomic_read_acquire(&lock->word) == 0))
		return true;
	this_cpu_dec(*lock->shared);
	return false;
}

HOT bool lock_shared(struct stp_context *c, unsigned int global, unsigned long *irq_flags)
{
	local_irq_save(*irq_flags);
	if (likely(attempt(enter_shared, &locks[global])))
		return true;
	local_irq_restore(*irq_flags);
	context_count_skip(SKIP_LOCK, 1);
	return false;
}

HOT void unlock_shared(struct stp_context *c, unsigned int global, unsigned long irq_flags)
{
	smp_mb(); /* Pairs with the acquire in no_sharers(). */
	this_cpu_dec(*locks[global].shared);
	local_irq_restore(irq_flags);
}

static bool try_insert(struct global_lock *lock)
{
	return !atomic_read(&lock->inserting) && !atomic_xchg_acquire(&lock->inserting, 1);
}

bool lock_insert(unsigned int global)
{
	return attempt(try_insert, &locks[global]);
}

void unlock_insert(unsigned int global)
{
	atomic_set_release(&locks[global].inserting, 0); /* pairs with the acquire in try_insert() */
}
