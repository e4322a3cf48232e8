// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening a file for stap-tables: one that a process maps, even if it was deleted or replaced, or a perf map.
 */
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/mm.h>
#include <linux/path.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>

#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/user/stacks/jit_maps.h"
#include "runtime/user/stacks/map_files.h"
#include "runtime/user/stacks/maps.h"
#include "runtime/user/stacks/open_file.h"

/* Find an mm that maps the file, and take a reference. While the mm is in the list, exit_mmap() has not been called. */
static struct mm_struct *memory_with(const struct user_file *file, bool trusted)
{
	struct mm_struct *found = NULL;
	struct user_memory *memory;
	unsigned int bucket, i;

	raw_spin_lock(&user_map_lock);
	for (bucket = 0; bucket < 1u << MEMORY_BITS && !found; bucket++) {
		hlist_for_each_entry(memory, &memory_buckets[bucket], in_bucket) {
			for (i = 0; memory->map && i < memory->map->count && !found; i++)
				if (memory->map->ranges[i].file == file &&
				    (trusted ? is_own_memory((struct mm_struct *)memory->mm)
					     : is_users_memory((struct mm_struct *)memory->mm)) &&
				    mmget_not_zero((struct mm_struct *)memory->mm))
					found = (struct mm_struct *)memory->mm;
			if (found)
				break;
		}
	}
	raw_spin_unlock(&user_map_lock);
	return found;
}

static struct file *open_mapped(const struct user_file *file, bool trusted)
{
	struct mm_struct *mm = memory_with(file, trusted);
	struct vm_area_struct *area;
	struct file *found = NULL;

	if (!mm)
		return NULL;
	mmap_read_lock(mm);
	{
		COMPAT_AREAS(areas, mm, 0);

		compat_for_each_area(areas, area) {
			if (!area->vm_file || !is_known_code(area) || !user_file_is(file, file_inode(area->vm_file)))
				continue;
			found = get_file(area->vm_file);
			break;
		}
	}
	mmap_read_unlock(mm);
	mmput(mm);
	return found;
}

/* Return whether the task's mm still has this perf map, and the caller may see the task. */
static bool is_maker(struct task_struct *task, const struct user_file *file, bool trusted)
{
	struct mm_struct *mm = get_task_mm(task);
	bool is_same;

	if (!mm)
		return false;
	rcu_read_lock();
	is_same = user_jit_map(mm) == file && (trusted ? is_own_task(task) : is_users_task(task));
	rcu_read_unlock();
	mmput(mm);
	return is_same;
}

/* Return the process that the perf map belongs to, or NULL if it has ended. */
static struct task_struct *maker_of(const struct user_file *file, bool trusted)
{
	struct task_struct *task = get_pid_task(file->maker, PIDTYPE_TGID);

	if (!task || is_maker(task, file, trusted))
		return task;
	put_task_struct(task);
	return NULL;
}

/* Return false if the task is exiting. */
static bool get_root_of(struct task_struct *task, struct path *root)
{
	bool is_there;

	task_lock(task);
	is_there = task->fs;
	if (is_there)
		get_fs_root(task->fs, root);
	task_unlock(task);
	return is_there;
}

/*
 * Open a path with the root directory and the credentials of the task. Thus the reader of "objects" sees nothing that
 * the process could not have shown it.
 */
static struct file *open_as(struct task_struct *task, const char *path)
{
	const struct cred *its, *own;
	struct file *opened;
	struct path root;

	if (!get_root_of(task, &root))
		return NULL;
	its = get_task_cred(task);
	own = override_creds(its);
	/* Devices and pipes must not block the open. */
	opened = compat_open_in(&root, path, O_RDONLY | O_LARGEFILE | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	revert_creds(own);
	put_cred(its);
	path_put(&root);
	return IS_ERR(opened) ? NULL : opened;
}

/*
 * Return whether a perf map may be passed on. Anyone can create a file of that name: a hard link to a file that only
 * the process may read would show its content to the caller.
 */
static bool is_sound_perf_map(struct file *opened, const struct user_file *file, bool trusted)
{
	const struct inode *inode = file_inode(opened);

	return S_ISREG(inode->i_mode) && inode->i_nlink == 1 &&
	       (uid_eq(inode->i_uid, file->owner) || uid_eq(inode->i_uid, GLOBAL_ROOT_UID)) &&
	       (trusted || !file_permission(opened, MAY_READ));
}

static struct file *open_names_of(const struct user_file *file, bool trusted)
{
	struct task_struct *task = maker_of(file, trusted);
	struct file *opened;

	if (!task)
		return NULL;
	opened = open_as(task, user_file_name(file));
	put_task_struct(task);
	if (!opened || is_sound_perf_map(opened, file, trusted))
		return opened;
	fput(opened);
	return NULL;
}

struct file *user_file_open(const struct user_file *file, bool trusted)
{
	return file->maker ? open_names_of(file, trusted) : open_mapped(file, trusted);
}
