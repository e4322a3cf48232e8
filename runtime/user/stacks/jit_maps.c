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
	MOST_MADE = 8192, /* limit for processes with JIT code */
	MOST_GENERATIONS = 4, /* limit for a chain of perf maps, each of a process forked from the next one's */
};

static unsigned int made_count;

struct user_file *user_made_code(const struct mm_struct *mm)
{
	const struct user_memory *memory = find_memory(mm);

	return memory ? smp_load_acquire(&memory->made) : NULL;
}

/*
 * Return whether the area is for JIT code. Unlinked files (memfd) count too: JIT compilers map them twice, once to
 * write and once to execute.
 */
bool is_made_code(const struct vm_area_struct *area)
{
	return area->vm_flags & VM_EXEC && !is_vdso(area) &&
	       (!area->vm_file || !READ_ONCE(file_inode(area->vm_file)->i_nlink));
}

/* Return whether the perf map is of the task's own process. One inherited by fork is of an ancestor. */
bool is_made_by(const struct user_file *made, struct task_struct *task)
{
	return made && made->maker == task_tgid(task);
}

static unsigned int generations_before(const struct user_file *made)
{
	unsigned int count = 0;

	for (; made; made = made->before)
		count++;
	return count;
}

/* Add the perf map of a task's process. Return false if it is not needed or there are too many. Needs the lock. */
static bool add_made_code(struct user_file *file, struct task_struct *task, const struct mm_struct *mm)
{
	struct user_memory *memory = find_memory(mm);

	if (!memory || is_made_by(memory->made, task) || made_count == MOST_MADE || user_files_are_full() ||
	    generations_before(memory->made) == MOST_GENERATIONS)
		return false;
	made_count++;
	file->before = memory->made;
	add_user_file(file);
	smp_store_release(&memory->made, file);
	return true;
}

/* Add a perf map for a process that has JIT code. Its mm must be known. */
void note_made_code(struct task_struct *task, const struct mm_struct *mm, gfp_t flags)
{
	struct user_file *file = user_room(sizeof(*file), flags);
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
	is_used = file->maker && add_made_code(file, task, mm);
	raw_spin_unlock(&user_map_lock);
	if (is_used)
		return;
	put_pid(file->maker);
	free_user_file(file, flags);
}

/* Needs the lock. */
void copy_made_code(const struct mm_struct *mm, const struct user_memory *parent)
{
	struct user_memory *child = find_memory(mm);

	if (child)
		smp_store_release(&child->made, parent->made);
}

const struct stp_object_table *user_made_names(struct user_file **file, unsigned long address)
{
	struct user_file *made;

	for (made = *file; made; made = made->before) {
		const struct stp_object_table *table = smp_load_acquire(&made->table);

		if (table && address - table->base < table->extent && stp_find_symbol(table, address - table->base)) {
			*file = made;
			return table;
		}
	}
	return NULL;
}

/* ---- names of JIT code ------------------------------------------------------------------------------------------- */

/* Return the perf map of this mm that names the address, or NULL. */
static struct user_file *made_in(const struct user_memory *memory, unsigned long address)
{
	struct user_file *file = smp_load_acquire(&memory->made);

	return user_made_names(&file, address) ? file : NULL;
}

struct user_file *user_made_anywhere(unsigned long address)
{
	const struct user_memory *memory;
	struct user_file *file = NULL;
	unsigned int i;

	hlist_for_each_entry_rcu(memory, &retired_memories, in_retired, true)
	{
		file = made_in(memory, address);
		if (file)
			return file;
	}
	for (i = 0; i < 1u << MEMORY_BITS; i++)
		hlist_for_each_entry_rcu(memory, &memory_buckets[i], in_bucket, true)
		{
			file = made_in(memory, address);
			if (file)
				return file;
		}
	return NULL;
}
