// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JIT code: it is in no file, but a perf map (/tmp/perf-PID.map) may name it. A process that is forked shares the perf
 * maps of its parent, and may add its own.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/sched/task.h>

#include "runtime/abi/object_table.h"
#include "runtime/core/internal.h"
#include "runtime/user/stacks/jit_maps.h"
#include "runtime/user/stacks/map_files.h"
#include "runtime/user/stacks/maps.h"
#include "runtime/user/stacks/rt_pool.h"

enum {
	MOST_JIT_MAPS = 8192, /* limit for processes with JIT code */
	MOST_GENERATIONS = 4, /* limit for a chain of perf maps, each of a process forked from the next one's */
};

static unsigned int jit_map_count;

struct user_file *user_jit_map(const struct mm_struct *mm)
{
	const struct user_memory *memory = find_memory(mm);

	return memory ? smp_load_acquire(&memory->jit_map) : NULL;
}

/*
 * Return whether the area is for JIT code. Unlinked files (memfd) count too: JIT compilers map them twice, once to
 * write and once to execute.
 */
bool is_jit_code(const struct vm_area_struct *area)
{
	return area->vm_flags & VM_EXEC && !is_vdso(area) &&
	       (!area->vm_file || !READ_ONCE(file_inode(area->vm_file)->i_nlink));
}

/* Return whether the perf map is of the task's own process. One inherited by fork is of an ancestor. */
bool is_jit_map_of(const struct user_file *jit_map, struct task_struct *task)
{
	return jit_map && jit_map->maker == task_tgid(task);
}

static unsigned int generations_before(const struct user_file *jit_map)
{
	unsigned int count = 0;

	for (; jit_map; jit_map = jit_map->before)
		count++;
	return count;
}

/* Add the perf map of a task's process. Return false if it is not needed or there are too many. Needs the lock. */
static bool add_jit_map(struct user_file *file, struct task_struct *task, const struct mm_struct *mm)
{
	struct user_memory *memory = find_memory(mm);

	if (!memory || is_jit_map_of(memory->jit_map, task) || jit_map_count == MOST_JIT_MAPS ||
	    user_files_are_full() || generations_before(memory->jit_map) == MOST_GENERATIONS)
		return false;
	jit_map_count++;
	file->before = memory->jit_map;
	add_user_file(file);
	smp_store_release(&memory->jit_map, file); /* pairs with the acquire in user_jit_map() */
	return true;
}

/* Add a perf map for a process that has JIT code. Its mm must be known. */
void note_jit_code(struct task_struct *task, const struct mm_struct *mm, gfp_t flags)
{
	struct user_file *file = user_alloc(sizeof(*file), flags);
	bool is_used;

	if (!file)
		return;
	file->maker = get_task_pid(task, PIDTYPE_TGID);
	file->owner = task_cred_xxx(task, euid);
	file->patience = HZ;
	sprintf(file->short_name, "/tmp/perf-%d.map", task_tgid_nr_ns(task, task_active_pid_ns(task)));
	file->name = file->short_name;
	raw_spin_lock(&user_map_lock);
	/* Its maker is NULL if it has just ended. */
	is_used = file->maker && add_jit_map(file, task, mm);
	raw_spin_unlock(&user_map_lock);
	if (is_used)
		return;
	put_pid(file->maker);
	free_user_file(file, flags);
}

/* Needs the lock. */
void copy_jit_map(const struct mm_struct *mm, const struct user_memory *parent)
{
	struct user_memory *child = find_memory(mm);

	if (child)
		smp_store_release(&child->jit_map, parent->jit_map); /* the same */
}

const struct stp_object_table *user_jit_names(struct user_file **file, unsigned long address, bool is_own)
{
	struct user_file *jit_map;

	for (jit_map = *file; jit_map; jit_map = jit_map->before) {
		const struct stp_object_table *table = user_file_table(jit_map, is_own);

		if (table && address - table->base < table->extent && stp_find_symbol(table, address - table->base)) {
			*file = jit_map;
			return table;
		}
	}
	return NULL;
}

/* ---- names of JIT code ------------------------------------------------------------------------------------------- */

static const struct stp_object_table *names_in(const struct user_memory *memory, unsigned long address,
					       struct user_file **file)
{
	*file = smp_load_acquire(&memory->jit_map);
	return user_jit_names(file, address, !READ_ONCE(memory->is_others));
}

const struct stp_object_table *user_jit_names_anywhere(struct user_file **file, unsigned long address)
{
	const struct stp_object_table *table;
	const struct user_memory *memory;
	unsigned int i;

	hlist_for_each_entry_rcu(memory, &retired_memories, in_retired, true) {
		table = names_in(memory, address, file);
		if (table)
			return table;
	}
	for (i = 0; i < 1u << MEMORY_BITS; i++)
		hlist_for_each_entry_rcu(memory, &memory_buckets[i], in_bucket, true) {
			table = names_in(memory, address, file);
			if (table)
				return table;
		}
	return NULL;
}
