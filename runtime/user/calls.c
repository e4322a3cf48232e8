// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data of calls in programs, from the entry of a function to its return: the values of @entry and of parameters for
 * return probes. (The kernel keeps only the return address.) Also the registers at the entry, for probes inside
 * functions in which the compiler has left arguments nowhere else; the end of these calls is not observed.
 *
 * A call in progress is identified by its task, its probe, and the stack address of its return address. If several have
 * the same key (after a tail call of the function by itself), the last one returns first. System calls have no stack
 * address: a task has only one at a time for each probe.
 *
 * A longjmp() or an exception may leave stale entries, which must not be taken for another call. So each call adds its
 * own entry before its return is looked up; if it cannot, it removes all entries with its key. Stale entries are also
 * removed when memory is needed, and when the thread calls exec or exits. A forked child gets copies of its parent's
 * entries, because it returns from these calls, too.
 *
 * Memory is allocated when the script starts. A task changes only its own entries, but a bucket holds entries of
 * several tasks, so it has a lock, which is held for a few instructions. Task context, preemption off.
 */
#include <linux/hash.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#include "runtime/core/allocation.h"
#include "runtime/core/context.h"
#include "runtime/core/entry.h"
#include "runtime/core/internal.h"
#include "runtime/core/pin_cpu.h"
#include "runtime/core/tracepoint_hook.h"
#include "runtime/user/calls.h"
#include "runtime/user/exec.h"

enum { CALL_BUCKET_BITS = 10, LEAST_CALLS = 2048 };

struct call_bucket {
	raw_spinlock_t lock;
	struct user_call *first;
};

static struct call_bucket *call_buckets; /* NULL: nothing is kept */
static void *call_room;
static unsigned int calls_holders;
static size_t call_size;
static struct user_call *free_calls;
static DEFINE_RAW_SPINLOCK(free_calls_lock);
static struct process_hook calls_fork, calls_exit;

static struct call_bucket *calls_of(const struct task_struct *task)
{
	return &call_buckets[hash_ptr(task, CALL_BUCKET_BITS)];
}

static void call_pool_put(struct user_call *call)
{
	raw_spin_lock(&free_calls_lock);
	call->next = free_calls;
	free_calls = call;
	raw_spin_unlock(&free_calls_lock);
}

static struct user_call *call_pool_get(void)
{
	struct user_call *call;

	raw_spin_lock(&free_calls_lock);
	call = free_calls;
	if (call)
		free_calls = call->next;
	raw_spin_unlock(&free_calls_lock);
	return call;
}

static bool is_any(const struct user_call *call, const void *unused, unsigned long unused_too)
{
	return true;
}

static bool is_call_of(const struct user_call *call, const void *probe, unsigned long place)
{
	return call->probe == probe && call->place == place;
}

/* Return whether the call's frame no longer exists, unless the thread has several stacks. */
static bool is_left(const struct user_call *call, const void *unused, unsigned long place)
{
	return call->place < place;
}

/* Drop the calls of a task that match. */
static void drop_calls(const struct task_struct *task,
		       bool (*is_so)(const struct user_call *call, const void *probe, unsigned long place),
		       const void *probe, unsigned long place)
{
	struct call_bucket *bucket = calls_of(task);
	struct user_call **link = &bucket->first, *call;

	raw_spin_lock(&bucket->lock);
	while ((call = *link)) {
		if (call->task == task && is_so(call, probe, place)) {
			*link = call->next;
			call_pool_put(call);
		} else {
			link = &call->next;
		}
	}
	raw_spin_unlock(&bucket->lock);
}

struct user_call *user_call_begin(const struct stp_probe *probe, unsigned long place)
{
	struct user_call *call = call_pool_get();

	if (unlikely(!call) && place != USER_CALL_NO_PLACE) {
		drop_calls(current, is_left, NULL, place);
		call = call_pool_get();
	}
	if (unlikely(!call)) {
		context_count_skip(SKIP_MISSED_RETURN, 1);
		drop_calls(current, is_call_of, probe, place);
		return NULL;
	}
	call->task = current;
	call->probe = probe;
	call->place = place;
	call->data.valid = 0;
	return call;
}

static void add_call(struct user_call *call)
{
	struct call_bucket *bucket = calls_of(call->task);

	raw_spin_lock(&bucket->lock);
	call->next = bucket->first;
	bucket->first = call;
	raw_spin_unlock(&bucket->lock);
}

void user_call_begun(struct user_call *call)
{
	if (likely(call->data.valid)) {
		add_call(call);
		return;
	}
	drop_calls(current, is_call_of, call->probe, call->place);
	call_pool_put(call);
}

/* Return the link to the current task's latest call with this key, or to NULL. The bucket is locked. */
static struct user_call **link_of_call(struct call_bucket *bucket, const struct stp_probe *probe, unsigned long place)
{
	struct user_call **link = &bucket->first;

	while (*link && ((*link)->task != current || !is_call_of(*link, probe, place)))
		link = &(*link)->next;
	return link;
}

struct user_call *user_call_end(const struct stp_probe *probe, unsigned long place)
{
	struct call_bucket *bucket = calls_of(current);
	struct user_call **link, *call;

	raw_spin_lock(&bucket->lock);
	link = link_of_call(bucket, probe, place);
	call = *link;
	if (call)
		*link = call->next;
	raw_spin_unlock(&bucket->lock);
	return call;
}

void user_call_done(struct user_call *call)
{
	call_pool_put(call);
}

/* ---- recorders --------------------------------------------------------------------------------------------------- */

void user_call_record(const struct stp_probe *probe, unsigned long place, const struct pt_regs *regs)
{
	struct user_call *call;

	/* The previous call at this place has ended, which was not observed. */
	drop_calls(current, is_call_of, probe, place);
	call = user_call_begin(probe, place);
	if (!call)
		return;
	memcpy(call->data.values, regs, sizeof(*regs));
	add_call(call);
}

static int find_register(unsigned int recorder, unsigned long place, unsigned int word, stp_ulong *value)
{
	struct call_bucket *bucket = call_buckets ? calls_of(current) : NULL;
	const struct user_call *call;

	if (!bucket)
		return 0;
	raw_spin_lock(&bucket->lock);
	call = *link_of_call(bucket, recorder_probe(recorder), place);
	if (call)
		*value = ((const unsigned long *)call->data.values)[word];
	raw_spin_unlock(&bucket->lock);
	return call != NULL;
}

stp_ulong stp_user_entry_register(unsigned int recorder, unsigned long place, unsigned int word, int *fault)
{
	stp_ulong value = 0;

	*fault |= !find_register(recorder, place, word, &value);
	return value;
}

int stp_user_entry_known(unsigned int recorder, unsigned long place)
{
	stp_ulong value;

	return find_register(recorder, place, 0, &value);
}

/* ---- exit, exec and fork ----------------------------------------------------------------------------------------- */

static void notrace calls_end(void *data, struct task_struct *task)
{
	PIN_CPU;

	drop_calls(task, is_any, NULL, 0);
}

static bool is_on_stack(const struct user_call *call, const void *unused, unsigned long unused_too)
{
	return call->place != USER_CALL_NO_PLACE;
}

/* Keep the system call in progress, which is exec itself. */
static void notrace calls_end_at_exec(struct task_struct *task, const struct file *file)
{
	drop_calls(task, is_on_stack, NULL, 0);
}

static struct exec_watcher calls_exec = {.is_done = calls_end_at_exec};

/* Copy the parent's calls in the same order. Both may be in one bucket, so collect the copies before adding them. */
static void notrace calls_fork_too(void *data, struct task_struct *parent, struct task_struct *child)
{
	PIN_CPU;
	struct call_bucket *from = calls_of(parent), *to = calls_of(child);
	const struct user_call *call;
	struct user_call *copy, *copies = NULL, **end = &copies;

	/* A thread has its own stack. */
	if (child->tgid == parent->tgid)
		return;
	raw_spin_lock(&from->lock);
	for (call = from->first; call; call = call->next) {
		if (call->task != parent)
			continue;
		copy = call_pool_get();
		if (!copy)
			break;
		memcpy(copy, call, call_size);
		copy->task = child;
		copy->next = NULL;
		*end = copy;
		end = &copy->next;
	}
	raw_spin_unlock(&from->lock);
	if (!copies)
		return;
	raw_spin_lock(&to->lock);
	*end = to->first;
	to->first = copies;
	raw_spin_unlock(&to->lock);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void make_free_calls(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct user_call *call = call_room + i * call_size;

		call->next = free_calls;
		free_calls = call;
	}
}

static int make_user_calls(size_t values_size, unsigned int maxactive)
{
	unsigned int i, count = max_t(unsigned int, LEAST_CALLS, maxactive);
	int error;

	call_size = ALIGN(sizeof(struct user_call) + values_size, sizeof(u64));
	call_room = checked(vzalloc(array_size(count, call_size)));
	call_buckets = checked(kvcalloc(1 << CALL_BUCKET_BITS, sizeof(*call_buckets), GFP_KERNEL));
	if (!call_room || !call_buckets)
		return -ENOMEM;
	for (i = 0; i < 1 << CALL_BUCKET_BITS; i++)
		raw_spin_lock_init(&call_buckets[i].lock);
	make_free_calls(count);
	error = hook_process(&calls_fork, "sched_process_fork", calls_fork_too);
	error = error ?: hook_process(&calls_exit, "sched_process_exit", calls_end);
	return error ?: exec_watch(&calls_exec);
}

enum { RECORDED_CALLS = 4096 }; /* for one function: ended calls stay until their memory is needed */

/*
 * Shared by probes of programs and of system calls. A program may have more calls in progress than there are entries.
 */
int user_calls_hold(void)
{
	unsigned int i, maxactive = 0;
	size_t size = 0;

	if (calls_holders++)
		return 0;
	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];

		if (probe->flags & STP_PROBE_RECORDS) {
			size = max(size, sizeof(struct pt_regs));
			maxactive += RECORDED_CALLS;
			continue;
		}
		if (!probe->entry_handler || (probe->kind != STP_PROBE_URETPROBE && probe->kind != STP_PROBE_SYSCALL))
			continue;
		size = max_t(size_t, size, probe->entry_size);
		maxactive += max(probe->maxactive, 0);
	}
	return make_user_calls(size, maxactive);
}

void user_calls_release(void)
{
	if (--calls_holders)
		return;
	exec_ignore(&calls_exec);
	unhook_process(&calls_fork);
	unhook_process(&calls_exit);
	if (call_buckets)
		tracepoint_synchronize_unregister();
	kvfree(call_buckets);
	vfree(call_room);
	call_buckets = NULL;
	call_room = NULL;
	free_calls = NULL;
}
