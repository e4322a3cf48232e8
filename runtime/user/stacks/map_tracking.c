// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeping the maps of all processes up to date, without missing a change.
 *
 * The kernel calls perf_event_mmap() under the mmap lock for each area that is new or has a new protection; a kprobe
 * there reports these. A kprobe on exit_mmap() reports the end of an mm, and the tracepoint sched_process_fork its
 * copies, which share the array. An unmapped range stays in the array until something else is mapped there, because
 * nothing can be executed there until then. The mms that exist when the script starts are read one by one; the mmap
 * lock orders this with the kprobes. If no memory is left for an array (rt_pool.c), the mm counts as unread, and a work
 * item reads it again.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "runtime/abi/protocol.h"
#include "runtime/arch/syscall.h"
#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/core/pin_cpu.h"
#include "runtime/core/session.h"
#include "runtime/core/tracepoint_hook.h"
#include "runtime/core/transport.h"
#include "runtime/user/stacks/jit_maps.h"
#include "runtime/user/stacks/map_files.h"
#include "runtime/user/stacks/map_tracking.h"
#include "runtime/user/stacks/maps.h"
#include "runtime/user/stacks/rt_pool.h"
#include "runtime/user/stacks/tables.h"

enum { TASKS_AT_ONCE = 128 };

static bool follows_memories;

static void read_all_memories(struct work_struct *work);
static DECLARE_WORK(reading_work, read_all_memories);

/* ---- reading the mms that exist at the start --------------------------------------------------------------------- */

static struct user_range range_of(const struct vm_area_struct *area, struct user_file *file)
{
	u64 offset = area->vm_file ? (u64)area->vm_pgoff << PAGE_SHIFT : 0;

	return (struct user_range){area->vm_start, area->vm_end, offset, file};
}

/* Read the areas of an mm under the mmap lock. @p most is their number. Return NULL without memory. */
static struct user_map *read_areas(struct mm_struct *mm, unsigned int most)
{
	struct user_map *map = new_user_map(most, GFP_KERNEL);
	struct vm_area_struct *area;
	COMPAT_AREAS(areas, mm, 0);

	if (!map)
		return NULL;
	compat_for_each_area(areas, area) {
		struct user_file *file;

		if (!is_known_code(area))
			continue;
		file = code_of_area(area, GFP_KERNEL);
		if (!file || map->count == most)
			break;
		map->ranges[map->count++] = range_of(area, file);
	}
	return map;
}

static unsigned int count_code(struct mm_struct *mm, bool *has_jit_code)
{
	struct vm_area_struct *area;
	unsigned int count = 0;
	COMPAT_AREAS(areas, mm, 0);

	*has_jit_code = false;
	compat_for_each_area(areas, area) {
		count += is_known_code(area);
		*has_jit_code |= is_jit_code(area);
	}
	return count;
}

/* Read an mm. Its areas do not change in between, because changes need the mmap lock, too. */
static void read_memory(struct task_struct *task, struct mm_struct *mm)
{
	struct user_memory *spare = kzalloc(sizeof(*spare), GFP_KERNEL);
	struct user_map *map;
	bool has_jit_code;

	if (!spare)
		return;
	mmap_read_lock(mm);
	map = read_areas(mm, count_code(mm, &has_jit_code));
	if (map) {
		raw_spin_lock(&user_map_lock);
		if (set_map(mm, map, spare))
			spare = NULL;
		raw_spin_unlock(&user_map_lock);
	}
	mmap_read_unlock(mm);
	kfree(spare);
	if (has_jit_code)
		note_jit_code(task, mm, GFP_KERNEL);
}

static bool is_read(const struct mm_struct *mm)
{
	const struct user_memory *memory = find_memory(mm);

	return memory && READ_ONCE(memory->map);
}

/* Collect tasks whose mm is not read yet, with references. */
static unsigned int find_unread(struct task_struct **tasks)
{
	struct task_struct *process, *task;
	unsigned int count = 0;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		const struct mm_struct *mm = READ_ONCE(task->mm);

		if (mm && !(task->flags & PF_KTHREAD) && !is_read(mm) && count < TASKS_AT_ONCE) {
			get_task_struct(task);
			tasks[count++] = task;
		}
	}
	rcu_read_unlock();
	return count;
}

static bool read_memory_of(struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);
	bool was_read;

	if (!mm)
		return true; /* it has ended */
	rcu_read_lock();
	was_read = is_read(mm);
	rcu_read_unlock();
	if (!was_read)
		read_memory(task, mm);
	rcu_read_lock();
	was_read = is_read(mm);
	rcu_read_unlock();
	mmput(mm);
	return was_read;
}

/*
 * Repeat until every mm has been read. A process forked meanwhile inherits the map of its parent, or is found in the
 * next round.
 */
static void read_all_memories(struct work_struct *work)
{
	struct task_struct **tasks = kcalloc(TASKS_AT_ONCE, sizeof(*tasks), GFP_KERNEL);
	unsigned int count, i;
	bool is_done = true;

	while (tasks && is_done && (count = find_unread(tasks))) {
		for (i = 0; i < count; i++) {
			is_done &= read_memory_of(tasks[i]);
			put_task_struct(tasks[i]);
		}
		cond_resched();
	}
	if (tasks && is_done)
		WRITE_ONCE(all_memories_known, true);
	kfree(tasks);
}

/* ---- following changes ------------------------------------------------------------------------------------------ */

enum { MOST_ANCESTORS = 8 };

/* Return whether the current process is the target process or one of its close descendants. */
static bool is_of_target(void)
{
	const struct task_struct *task = current;
	unsigned int i;
	bool found = false;

	if (!session_target || !is_own_task(current))
		return false;
	rcu_read_lock();
	for (i = 0; i < MOST_ANCESTORS && task->pid && !found; i++) {
		found = task_tgid_nr_ns((struct task_struct *)task, session_pids) == session_target;
		task = rcu_dereference(task->real_parent);
	}
	rcu_read_unlock();
	return found;
}

/* Update the map for an area that is new or has a new protection. The caller holds the mmap lock for writing. */
static void note_area(const struct vm_area_struct *area)
{
	struct user_range range = range_of(area, NULL);
	const struct mm_struct *mm = area->vm_mm;
	struct user_memory *memory;
	bool is_new_maker;

	if (!mm)
		return;
	is_new_maker = is_jit_code(area) && current->mm == mm && !is_jit_map_of(user_jit_map(mm), current);
	if (is_known_code(area))
		range.file = code_of_area(area, GFP_ATOMIC);
	raw_spin_lock(&user_map_lock);
	memory = find_memory(mm);
	if (memory && memory->map) {
		if (range.file || has_range_in(memory->map, range.start, range.end))
			set_map(mm, changed_map(memory->map, range.start, range.end, range.file ? &range : NULL), NULL);
	} else if (range.file && !memory && all_memories_known) {
		/* The mm of a task in exec */
		struct user_map *map = new_user_map(1, GFP_ATOMIC);

		if (map)
			map->ranges[map->count++] = range;
		set_map(mm, map, NULL);
	}
	raw_spin_unlock(&user_map_lock);
	if (is_new_maker)
		note_jit_code(current, mm, GFP_ATOMIC);
	/* Request tables for the target early, so that its first stacks are not cut short. */
	if (range.file && is_of_target())
		user_table(&range, false, user_tables_are_for(current));
}

static int see_area(struct kprobe *probe, struct pt_regs *regs)
{
	note_area((const struct vm_area_struct *)regs_get_kernel_argument(regs, 0));
	return 0;
}

static int see_end(struct kprobe *probe, struct pt_regs *regs)
{
	forget_memory((const struct mm_struct *)regs_get_kernel_argument(regs, 0));
	return 0;
}

/* The child does not run yet. */
static void notrace see_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	PIN_CPU;
	const struct mm_struct *mm = child->mm;
	struct user_memory *memory;

	if (!mm || mm == parent->mm || !parent->mm)
		return;
	raw_spin_lock(&user_map_lock);
	memory = find_memory(parent->mm);
	if (memory && memory->map) {
		refcount_inc(&memory->map->users);
		set_map(mm, memory->map, NULL);
		copy_jit_map(mm, memory);
	}
	raw_spin_unlock(&user_map_lock);
}

/* ---- mremap(): it does not call perf_event_mmap() ---------------------------------------------------------------- */

struct user_move {
	unsigned long start, length, new_length;
};

/* Note the arguments of mremap(). Return 1, to ignore the call, if the range contains no known code. */
static int see_move_begin(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct pt_regs *call = (const struct pt_regs *)regs_get_kernel_argument(regs, 0);
	struct user_move *move = (struct user_move *)instance->data;
	unsigned long arguments[6];
	const struct user_map *map;
	int is_of_none;

	if (!call || !current->mm)
		return 1;
	syscall_get_arguments(current, (struct pt_regs *)call, arguments);
	*move = (struct user_move){arguments[0], arguments[1], arguments[2]};
	rcu_read_lock();
	map = user_map_of(current->mm);
	is_of_none = !map || !has_range_in(map, move->start, move->start + max(move->length, 1ul));
	rcu_read_unlock();
	return is_of_none;
}

/* Return the map after the move. Only the range at the start of the old place is moved. */
static struct user_map *moved_map(const struct user_map *old, const struct user_move *move, unsigned long to)
{
	const struct user_range *range = user_range_at(old, move->start);
	struct user_map *without, *map;
	struct user_range moved;

	if (!range)
		return changed_map(old, to, to + move->new_length, NULL);
	moved = (struct user_range){to, to + PAGE_ALIGN(move->new_length), range->offset + (move->start - range->start),
				    range->file};
	without = changed_map(old, move->start, move->start + PAGE_ALIGN(move->length), NULL);
	map = without ? changed_map(without, moved.start, moved.end, &moved) : NULL;
	put_user_map(without);
	return map;
}

static int see_move(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct user_move *move = (const struct user_move *)instance->data;
	unsigned long to = regs_return_value(regs);
	struct user_memory *memory;

	if (IS_ERR_VALUE(to) || !move->length)
		return 0;
	raw_spin_lock(&user_map_lock);
	memory = find_memory(current->mm);
	if (memory && memory->map)
		set_map(current->mm, moved_map(memory->map, move, to), NULL);
	raw_spin_unlock(&user_map_lock);
	return 0;
}

static struct kretprobe move_probe = {
	.kp.symbol_name = SYSCALL_FUNCTION("mremap"),
	.entry_handler = see_move_begin,
	.handler = see_move,
	.data_size = sizeof(struct user_move),
};
static bool follows_moves;

static struct kprobe area_probe = {.symbol_name = "perf_event_mmap", .pre_handler = see_area};
static struct kprobe end_probe = {.symbol_name = "exit_mmap", .pre_handler = see_end};
static struct tracepoint *fork_tracepoint;

static int follow_memories(void)
{
	int error;

	fork_tracepoint = find_kernel_tracepoint("sched_process_fork");
	error = fork_tracepoint ? tracepoint_probe_register(fork_tracepoint, see_fork, NULL) : -EOPNOTSUPP;
	if (error)
		return error;
	error = register_kprobe(&end_probe);
	if (!error) {
		error = register_kprobe(&area_probe);
		if (error)
			unregister_kprobe(&end_probe);
	}
	if (error) {
		tracepoint_probe_unregister(fork_tracepoint, see_fork, NULL);
		tracepoint_synchronize_unregister();
	}
	return error;
}

int user_map_start(void)
{
	int error = follow_memories();

	if (error) {
		transport_message(STP_RECORD_ERROR, true,
				  "cannot trace memory mappings, which stacks of programs need: error %d", error);
		return error;
	}
	follows_memories = true;
	user_maps_reread_by(&reading_work);
	/* Optional: code is rarely moved, and some kernels name the system call differently. */
	follows_moves = !register_kretprobe(&move_probe);
	read_all_memories(NULL);
	if (!READ_ONCE(all_memories_known))
		schedule_work(&reading_work);
	return 0;
}

void user_map_stop(void)
{
	if (!follows_memories)
		return;
	if (follows_moves)
		unregister_kretprobe(&move_probe);
	unregister_kprobe(&area_probe);
	unregister_kprobe(&end_probe);
	tracepoint_probe_unregister(fork_tracepoint, see_fork, NULL);
	tracepoint_synchronize_unregister();
	follows_memories = follows_moves = false;
	user_maps_reread_by(NULL);
	cancel_work_sync(&reading_work);
}

/* ---- creation and destruction ------------------------------------------------------------------------------------ */

int user_map_create(void)
{
	/* struct user_memory is smaller than the first. Most maps have fewer than 20 ranges. */
	static const struct rt_pool_class classes[RT_POOL_CLASSES] = {
		{.size = sizeof(struct user_file), .wanted = 256},
		{.size = offsetof(struct user_map, ranges[30]), .wanted = 256},
		{.size = offsetof(struct user_map, ranges[510]), .wanted = 32},
	};
	int error = user_maps_create();

	error = error ?: user_files_create();
	return error ?: rt_pool_create(classes);
}

void user_map_destroy(void)
{
	user_map_stop();
	rt_pool_destroy();
	user_maps_destroy();
	user_files_destroy();
}
