// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory for handlers on PREEMPT_RT. Probe handlers run with preemption off, where such a kernel can neither allocate
 * nor take a sleeping lock. There, user/stacks/ takes memory from reserves. A kernel thread of the session refills
 * them and does work that may sleep. On other kernels, handlers allocate, and there are neither reserves nor a thread.
 *
 * The thread has the lowest real-time priority. It thus runs before the program that caused its work continues, but
 * before no real-time task.
 */
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "runtime/core/allocation.h"
#include "runtime/core/internal.h"
#include "runtime/user/stacks/rt_pool.h"

/* An unused piece is zero, except for this. */
struct rt_piece {
	struct rt_piece *next;
};

struct rt_reserve {
	size_t size;
	unsigned int wanted, count;
	struct rt_piece *first;
};

/* Sorted by size. Starting a program changes its map about ten times. */
static struct rt_reserve rt_reserves[RT_POOL_CLASSES];

static DEFINE_RAW_SPINLOCK(rt_pool_lock);
static struct kthread_worker *rt_worker;

static void fill_reserves(struct kthread_work *work);
static DEFINE_KTHREAD_WORK(filling_work, fill_reserves);

static void put_piece(struct rt_reserve *reserve, struct rt_piece *piece)
{
	raw_spin_lock(&rt_pool_lock);
	piece->next = reserve->first;
	reserve->first = piece;
	reserve->count++;
	raw_spin_unlock(&rt_pool_lock);
}

static bool fill_reserve(struct rt_reserve *reserve)
{
	while (READ_ONCE(reserve->count) < reserve->wanted) {
		struct rt_piece *piece = checked(kzalloc(reserve->size, GFP_KERNEL | __GFP_NOWARN));

		if (!piece)
			return false;
		put_piece(reserve, piece);
	}
	return true;
}

static bool fill_all_reserves(void)
{
	bool is_full = true;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rt_reserves); i++)
		is_full &= fill_reserve(&rt_reserves[i]);
	return is_full;
}

static void fill_reserves(struct kthread_work *work)
{
	fill_all_reserves();
}

/* Needs the lock, or exclusive access. */
static void *get_piece(struct rt_reserve *reserve)
{
	struct rt_piece *piece = reserve->first;

	if (!piece)
		return NULL;
	reserve->first = piece->next;
	reserve->count--;
	piece->next = NULL;
	return piece;
}

static void *rt_pool_get(size_t size)
{
	bool is_low = false;
	void *piece = NULL;
	unsigned int i;

	raw_spin_lock(&rt_pool_lock);
	for (i = 0; i < ARRAY_SIZE(rt_reserves) && !piece; i++) {
		if (size > rt_reserves[i].size)
			continue;
		piece = get_piece(&rt_reserves[i]);
		is_low |= rt_reserves[i].count < rt_reserves[i].wanted / 2;
	}
	raw_spin_unlock(&rt_pool_lock);
	if (is_low)
		rt_worker_queue(&filling_work);
	return piece;
}

static void rt_pool_put(void *piece, size_t size)
{
	unsigned int i = 0;

	while (size > rt_reserves[i].size)
		i++;
	put_piece(&rt_reserves[i], memset(piece, 0, size));
}

void *user_alloc(size_t size, gfp_t flags)
{
	return user_may_allocate(flags) ? kzalloc(size, flags | __GFP_NOWARN) : rt_pool_get(size);
}

void user_free(void *room, size_t size, gfp_t flags)
{
	if (user_may_allocate(flags))
		kfree(room);
	else
		rt_pool_put(room, size);
}

void rt_worker_queue(struct kthread_work *work)
{
	kthread_queue_work(rt_worker, work);
}

static struct kthread_worker *new_rt_worker(void)
{
	/* A separate function, because the macro of newer kernels ends in a semicolon. */
	struct kthread_worker *worker = kthread_create_worker(0, "%s", THIS_MODULE->name);

	return IS_ERR(worker) ? NULL : worker;
}

int rt_pool_create(const struct rt_pool_class classes[RT_POOL_CLASSES])
{
	unsigned int i;

	if (user_may_allocate(GFP_ATOMIC))
		return 0;
	for (i = 0; i < RT_POOL_CLASSES; i++) {
		rt_reserves[i].size = classes[i].size;
		rt_reserves[i].wanted = classes[i].wanted;
	}
	rt_worker = checked(new_rt_worker());
	if (!rt_worker)
		return -ENOMEM;
	sched_set_fifo_low(rt_worker->task);
	wake_up_process(rt_worker->task); /* since Linux 6.14 it does not start by itself */
	return fill_all_reserves() ? 0 : -ENOMEM;
}

void rt_pool_destroy(void)
{
	unsigned int i;

	if (rt_worker)
		kthread_destroy_worker(rt_worker);
	for (i = 0; i < ARRAY_SIZE(rt_reserves); i++) {
		struct rt_piece *piece;

		while ((piece = get_piece(&rt_reserves[i])))
			kfree(piece);
	}
}
