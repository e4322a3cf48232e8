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
struct user_piece {
	struct user_piece *next;
};

struct user_reserve {
	size_t size;
	unsigned int wanted, count;
	struct user_piece *first;
};

/* Sorted by size. Starting a program changes its map about ten times. */
static struct user_reserve user_reserves[RT_POOL_CLASSES];

static DEFINE_RAW_SPINLOCK(user_reserve_lock);
static struct kthread_worker *user_keeper;

static void fill_reserves(struct kthread_work *work);
static DEFINE_KTHREAD_WORK(filling_work, fill_reserves);

static void give_piece(struct user_reserve *reserve, struct user_piece *piece)
{
	raw_spin_lock(&user_reserve_lock);
	piece->next = reserve->first;
	reserve->first = piece;
	reserve->count++;
	raw_spin_unlock(&user_reserve_lock);
}

static bool fill_reserve(struct user_reserve *reserve)
{
	while (READ_ONCE(reserve->count) < reserve->wanted) {
		struct user_piece *piece = checked(kzalloc(reserve->size, GFP_KERNEL | __GFP_NOWARN));

		if (!piece)
			return false;
		give_piece(reserve, piece);
	}
	return true;
}

static bool fill_all_reserves(void)
{
	bool is_full = true;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(user_reserves); i++)
		is_full &= fill_reserve(&user_reserves[i]);
	return is_full;
}

static void fill_reserves(struct kthread_work *work)
{
	fill_all_reserves();
}

/* Needs the lock, or exclusive access. */
static void *take_piece(struct user_reserve *reserve)
{
	struct user_piece *piece = reserve->first;

	if (!piece)
		return NULL;
	reserve->first = piece->next;
	reserve->count--;
	piece->next = NULL;
	return piece;
}

static void *take_from_reserves(size_t size)
{
	bool is_low = false;
	void *piece = NULL;
	unsigned int i;

	raw_spin_lock(&user_reserve_lock);
	for (i = 0; i < ARRAY_SIZE(user_reserves) && !piece; i++) {
		if (size > user_reserves[i].size)
			continue;
		piece = take_piece(&user_reserves[i]);
		is_low |= user_reserves[i].count < user_reserves[i].wanted / 2;
	}
	raw_spin_unlock(&user_reserve_lock);
	if (is_low)
		user_keeper_does(&filling_work);
	return piece;
}

static void give_to_reserves(void *piece, size_t size)
{
	unsigned int i = 0;

	while (size > user_reserves[i].size)
		i++;
	give_piece(&user_reserves[i], memset(piece, 0, size));
}

void *user_room(size_t size, gfp_t flags)
{
	return user_may_allocate(flags) ? kzalloc(size, flags | __GFP_NOWARN) : take_from_reserves(size);
}

void user_room_free(void *room, size_t size, gfp_t flags)
{
	if (user_may_allocate(flags))
		kfree(room);
	else
		give_to_reserves(room, size);
}

void user_keeper_does(struct kthread_work *work)
{
	kthread_queue_work(user_keeper, work);
}

static struct kthread_worker *new_keeper(void)
{
	/* A separate function, because the macro of newer kernels ends in a semicolon. */
	struct kthread_worker *keeper = kthread_create_worker(0, "%s", THIS_MODULE->name);

	return IS_ERR(keeper) ? NULL : keeper;
}

int user_reserve_create(const struct rt_pool_class classes[RT_POOL_CLASSES])
{
	unsigned int i;

	if (user_may_allocate(GFP_ATOMIC))
		return 0;
	for (i = 0; i < RT_POOL_CLASSES; i++) {
		user_reserves[i].size = classes[i].size;
		user_reserves[i].wanted = classes[i].wanted;
	}
	user_keeper = checked(new_keeper());
	if (!user_keeper)
		return -ENOMEM;
	sched_set_fifo_low(user_keeper->task);
	wake_up_process(user_keeper->task); /* since Linux 6.14 it does not start by itself */
	return fill_all_reserves() ? 0 : -ENOMEM;
}

void user_reserve_destroy(void)
{
	unsigned int i;

	if (user_keeper)
		kthread_destroy_worker(user_keeper);
	for (i = 0; i < ARRAY_SIZE(user_reserves); i++) {
		struct user_piece *piece;

		while ((piece = take_piece(&user_reserves[i])))
			kfree(piece);
	}
}
