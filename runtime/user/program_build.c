// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files by build-id. A script can name a program by its build-id alone, because its path is different in each
 * container, or not known where the script was translated. Its file is then found among those that processes map when
 * the script starts.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/namei.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "runtime/compat/compat.h"
#include "runtime/user/program_build.h"

bool is_build(const struct path *path, const struct stp_target *target)
{
	u8 found[64], wanted[64];
	size_t size = strlen(target->build_id) / 2;
	loff_t position = target->id_offset;
	struct file *file;
	bool same;

	/* Without a build-id there is nothing to compare. */
	if (!size || !position || size > sizeof(found))
		return true;
	file = dentry_open(path, O_RDONLY | O_LARGEFILE, current_cred());
	if (IS_ERR(file))
		return false;
	same = kernel_read(file, found, size, &position) == size && !hex2bin(wanted, target->build_id, size) &&
	       !memcmp(found, wanted, size);
	fput(file);
	return same;
}

/*
 * Return the file of the lowest executable mapping at or after an address, with references, and move the address past
 * the mapping. Reading a file under the mmap lock could deadlock, so the caller reads it later.
 */
static bool next_code_file(struct mm_struct *memory, unsigned long *from, struct path *ret)
{
	const struct vm_area_struct *area;
	bool found = false;
	COMPAT_AREAS(areas, memory, *from);

	mmap_read_lock(memory);
	compat_for_each_area(areas, area) {
		if (area->vm_start < *from || !area->vm_file || !(area->vm_flags & VM_EXEC))
			continue;
		*ret = area->vm_file->f_path;
		path_get(ret);
		*from = area->vm_end;
		found = true;
		break;
	}
	mmap_read_unlock(memory);
	return found;
}

static bool memory_maps_build(struct mm_struct *memory, const struct stp_target *target, struct path *ret)
{
	unsigned long from = 0;

	while (next_code_file(memory, &from, ret)) {
		if (S_ISREG(d_real_inode(ret->dentry)->i_mode) && is_build(ret, target))
			return true;
		path_put(ret);
	}
	return false;
}

struct task_struct **all_processes(unsigned int *count)
{
	struct task_struct **tasks, *process;
	unsigned int space = 0;

	*count = 0;
	rcu_read_lock();
	for_each_process(process)
		space++;
	rcu_read_unlock();
	tasks = kvcalloc(space, sizeof(*tasks), GFP_KERNEL);
	if (!tasks)
		return NULL;
	rcu_read_lock();
	for_each_process(process) {
		if (*count == space)
			break;
		if (!(process->flags & PF_KTHREAD))
			tasks[(*count)++] = get_task_struct(process);
	}
	rcu_read_unlock();
	return tasks;
}

int find_mapped_build(const struct stp_target *target, struct path *ret)
{
	unsigned int count, i;
	struct task_struct **tasks = all_processes(&count);
	int error = -ENOENT;

	if (!tasks)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		struct mm_struct *memory = error ? get_task_mm(tasks[i]) : NULL;

		if (memory) {
			if (memory_maps_build(memory, target, ret))
				error = 0;
			mmput(memory);
		}
		put_task_struct(tasks[i]);
		cond_resched();
	}
	kvfree(tasks);
	return error;
}

/* Open the file at the target's path. Return 1 if it is another build. */
static int open_by_path(const struct stp_target *target, struct path *path)
{
	int error = *target->name == '/' ? kern_path(target->name, LOOKUP_FOLLOW, path) : -ENOENT;

	if (error)
		return error;
	if (S_ISREG(d_real_inode(path->dentry)->i_mode) && is_build(path, target))
		return 0;
	path_put(path);
	return 1;
}

int find_build_file(const struct stp_target *target, struct path *ret)
{
	int error = open_by_path(target, ret);

	return error && target->any_place ? find_mapped_build(target, ret) : error;
}
