// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Handlers that wait for memory.
 *
 * The handler of a hit in a program may sleep until a page of the program's memory is read in (context_sleep_begin()).
 * It takes its context along and leaves a spare one to the CPU. When it continues, perhaps on another CPU, it exchanges
 * the two again, so that each CPU looks as if the running handler had started there. A handler does not sleep while it
 * holds locks of globals, because others spin for them. Nor does it sleep after a part of its output was sent, because
 * all parts of a record must come from one CPU. If it holds locks but has done nothing visible (stp_probe.restarts), a
 * pending error ends it, which releases the locks. It then waits for the page and starts again.
 */
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "runtime/core/full_context.h"
#include "runtime/core/handler_sleep.h"
#include "runtime/core/internal.h"
#include "runtime/core/stack_space.h"
#include "runtime/core/target.h"

#ifdef STP_USER_SPACE

enum {
	MOST_SLEEPS = 64, /* of a handler */
	PAGE_IN_STACK = 7168, /* bytes of stack for a page fault that a file system handles */
};

static atomic_t sleeping_handlers;
static atomic_t sleeps_begun;
static struct full_context *spare_contexts;
static DEFINE_RAW_SPINLOCK(spare_contexts_lock);

static struct full_context *spare_pool_get(void)
{
	struct full_context *spare;

	raw_spin_lock(&spare_contexts_lock);
	spare = spare_contexts;
	if (spare)
		spare_contexts = spare->next_spare;
	raw_spin_unlock(&spare_contexts_lock);
	return spare;
}

static void spare_pool_put(struct full_context *spare)
{
	raw_spin_lock(&spare_contexts_lock);
	spare->next_spare = spare_contexts;
	spare_contexts = spare;
	raw_spin_unlock(&spare_contexts_lock);
}

/* Return the running handler if it may sleep: it is of a hit in a program and was entered with preemption on. */
static struct full_context *waiting_handler(const struct cpu_contexts *cpu)
{
	struct full_context *f = cpu->level[LEVEL_TASK];
	enum stp_probe_kind kind;

	if (preempt_count() != PREEMPT_DISABLE_OFFSET || !cpu->busy[LEVEL_TASK])
		return NULL;
	kind = f->script.probe->kind;
	return (kind == STP_PROBE_UPROBE || kind == STP_PROBE_URETPROBE) && f->sleeps < MOST_SLEEPS ? f : NULL;
}

struct full_context *context_sleep_begin(void)
{
	struct cpu_contexts *cpu = this_cpu_ptr(&contexts);
	struct full_context *f = waiting_handler(cpu), *spare = NULL;

	/* A handler with too little stack left may still restart: run_again() waits after its frames are gone. */
	if (f && !f->script.locks && !irqs_disabled() && !f->record.part && !is_stack_short(PAGE_IN_STACK))
		spare = spare_pool_get();
	if (!spare)
		return NULL;
	atomic_inc(&sleeping_handlers);
	atomic_inc(&sleeps_begun);
	smp_mb__after_atomic(); /* are_idle() must not find the level free and no sleeper */
	cpu->level[LEVEL_TASK] = spare;
	barrier(); /* an interrupt must find the spare before the level is free */
	cpu->busy[LEVEL_TASK] = 0;
	f->sleeps++;
	f->attention = true;
	preempt_enable();
	return f;
}

void context_sleep_end(struct full_context *f)
{
	struct cpu_contexts *cpu;

	preempt_disable();
	cpu = this_cpu_ptr(&contexts);
	cpu->busy[LEVEL_TASK] = 1;
	barrier();
	spare_pool_put(cpu->level[LEVEL_TASK]);
	cpu->level[LEVEL_TASK] = f;
	smp_mb__before_atomic(); /* the same */
	atomic_dec(&sleeping_handlers);
}

static bool bring_in(unsigned long address, unsigned int flags)
{
	bool unlocked, done;

	if (mmap_read_lock_killable(current->mm))
		return false;
	done = !fixup_user_fault(current->mm, address, flags, &unlocked);
	mmap_read_unlock(current->mm);
	return done;
}

bool user_page_in(unsigned long address, unsigned int flags)
{
	struct full_context *f = address < TASK_SIZE_MAX ? context_sleep_begin() : NULL;
	bool done = f && bring_in(address, flags);

	if (f)
		context_sleep_end(f);
	return done;
}

bool no_handler_sleeps(unsigned int *begun)
{
	*begun = atomic_read(&sleeps_begun);
	smp_rmb(); /* Pairs with context_sleep_begin(), which counts the sleeper first. */
	return !atomic_read(&sleeping_handlers);
}

void context_restart(unsigned long address)
{
	struct full_context *f = waiting_handler(this_cpu_ptr(&contexts));

	if (!f || !f->script.probe->restarts || f->script.error)
		return;
	f->restarts = true;
	f->missing = address;
	f->script.error = missing_mark;
	f->attention = true;
}

/* Run the handler again after reading in the page that it needs. If that fails, this is the last time. */
noinline void run_again(struct full_context *f, void (*handler)(struct stp_context *))
{
	while (f->restarts) {
		f->restarts = false;
		if (!user_page_in(f->missing, 0))
			f->sleeps = MOST_SLEEPS;
		f->script.frame = f->frames;
		f->attention = true;
		if (runs_slow)
			run_slow(f, handler);
		else
			stp_run_handler(handler, &f->script);
		finish_if_needed(f);
	}
}

/* The number of spares limits how many handlers sleep at once. */
int spares_create(void)
{
	unsigned int count = probe_count(STP_PROBE_UPROBE) || probe_count(STP_PROBE_URETPROBE);

	for (count *= 8 + num_online_cpus(); count; count--) {
		struct full_context *spare = context_create(NUMA_NO_NODE, LEVEL_TASK);

		if (!spare)
			return -ENOMEM;
		spare_pool_put(spare);
	}
	return 0;
}

void spares_destroy(void)
{
	struct full_context *spare;

	while ((spare = spare_pool_get()))
		kvfree(spare);
}

#else

bool no_handler_sleeps(unsigned int *begun)
{
	*begun = 0;
	return true;
}

int spares_create(void)
{
	return 0;
}

void spares_destroy(void)
{
}

#endif
