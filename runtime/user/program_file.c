// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file that a process runs. Perf events of a program (perf_program.c) and events of processes (process.c) select
 * the processes that run a certain file, whatever its name there: in a container, after chroot(), or by another link.
 *
 * A file in an overlayfs is identified by the underlying real file. Thus a program in an image is the same file in each
 * container of that image.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/namei.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "runtime/core/internal.h"
#include "runtime/user/program_file.h"

static const char *const directories[] = {"/usr/local/sbin/", "/usr/local/bin/", "/usr/sbin/",
					  "/usr/bin/",	      "/sbin/",		 "/bin/"};

/* Look up a program by path; search the usual directories for a name without a slash. */
static int look_up_program(const char *name, struct path *path)
{
	char full[256];
	unsigned int i;
	int error = -ENOENT;

	if (strchr(name, '/'))
		return kern_path(name, LOOKUP_FOLLOW, path);
	for (i = 0; i < ARRAY_SIZE(directories) && error == -ENOENT; i++) {
		if (snprintf(full, sizeof(full), "%s%s", directories[i], name) >= sizeof(full))
			return -ENAMETOOLONG;
		error = kern_path(full, LOOKUP_FOLLOW, path);
	}
	return error;
}

int find_program(const char *name, struct path *path)
{
	struct cred *kernel = prepare_kernel_cred(&init_task);
	const struct cred *before;
	int error;

	if (!kernel)
		return -ENOMEM;
	before = override_creds(kernel);
	error = look_up_program(name, path);
	revert_creds(before);
	put_cred(kernel);
	return error;
}

static struct program_file file_of_inode(const struct inode *inode)
{
	return (struct program_file){
		.inode = inode->i_ino, .device = inode->i_sb->s_dev, .generation = inode->i_generation};
}

struct program_file program_file_of(const struct path *path)
{
	return file_of_inode(d_real_inode(path->dentry));
}

int program_identify(const char *name, struct program_file *ret)
{
	struct path path;
	int error = find_program(name, &path);

	if (error)
		return error;
	*ret = file_of_inode(d_real_inode(path.dentry));
	path_put(&path);
	return 0;
}

/* Identify an open file. Return false without one. */
static bool identify_open_file(const struct file *file, struct program_file *ret)
{
	const struct inode *inode = file ? d_real_inode(file->f_path.dentry) : NULL;

	if (inode)
		*ret = file_of_inode(inode);
	return inode;
}

bool is_program_file(const struct program_file *program, const struct file *file)
{
	struct program_file other;

	return identify_open_file(file, &other) && !compare_program_files(program, &other);
}

int compare_program_files(const struct program_file *left, const struct program_file *right)
{
	if (left->inode != right->inode)
		return left->inode < right->inode ? -1 : 1;
	if (left->device != right->device)
		return left->device < right->device ? -1 : 1;
	return left->generation < right->generation ? -1 : left->generation > right->generation;
}

bool task_program_file(struct task_struct *task, struct program_file *ret)
{
	bool runs = false;

	if (task->flags & (PF_KTHREAD | PF_EXITING))
		return false;
	rcu_read_lock();
	task_lock(task);
	if (task->mm)
		runs = identify_open_file(rcu_dereference(task->mm->exe_file), ret);
	task_unlock(task);
	rcu_read_unlock();
	return runs;
}

bool task_runs_program(const struct program_file *program, struct task_struct *task)
{
	struct program_file other;

	return task_program_file(task, &other) && !compare_program_files(program, &other);
}

bool current_program_file(struct program_file *ret)
{
	bool runs = false;

	if (!current->mm || (current->flags & PF_KTHREAD))
		return false;
	rcu_read_lock();
	runs = identify_open_file(rcu_dereference(current->mm->exe_file), ret);
	rcu_read_unlock();
	return runs;
}
