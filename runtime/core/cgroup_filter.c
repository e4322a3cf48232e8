// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The control group that a session is restricted to (staprun --cgroup).
 *
 * Hits of tasks outside the group are ignored before a handler runs. The test may run in any context, including NMIs:
 * task->cgroups is protected by RCU, and each group has a table of its ancestors, so one comparison suffices for any
 * depth. A reference keeps the group's address from being used for another group after the group was removed; from
 * then on no task is in it.
 *
 * A task is in one group of each hierarchy. The hierarchy is that of the group: the unified one (version 2), or one of
 * version 1, which is found by a controller that is attached to it. Named hierarchies of version 1 have no controller.
 * The kernel finds a task's group there through a list, under a lock that handlers must not take.
 */
#include <linux/cgroup.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernfs.h>
#include <linux/magic.h>
#include <linux/sched.h>

#include "runtime/core/cgroup_filter.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"

#ifdef CONFIG_CGROUPS
enum { UNIFIED_HIERARCHY = -1 };

static struct {
	struct cgroup *group; /* with a reference; NULL: the session is not restricted */
	int controller; /* a controller of the group's hierarchy, or UNIFIED_HIERARCHY */
} cgroup_filter;

/* Return the group of a directory, with a reference. NULL: it was removed. */
static struct cgroup *group_of_directory(const struct inode *inode)
{
	const struct kernfs_node *node = inode->i_private;
	struct cgroup *group;

	rcu_read_lock();
	group = rcu_dereference(*(void __rcu *__force *)&node->priv);
	if (group && !css_tryget_online(&group->self))
		group = NULL;
	rcu_read_unlock();
	return group;
}

static int restrict_to(const struct inode *inode)
{
	bool is_unified = inode->i_sb->s_magic == CGROUP2_SUPER_MAGIC;
	struct cgroup *group;

	if ((!is_unified && inode->i_sb->s_magic != CGROUP_SUPER_MAGIC) || !S_ISDIR(inode->i_mode))
		return -EBADF;
	group = group_of_directory(inode);
	if (!group)
		return -ENOENT;
	if (!is_unified && !group->root->subsys_mask) {
		cgroup_put(group);
		return -EOPNOTSUPP;
	}
	cgroup_filter_clear();
	cgroup_filter.controller = is_unified ? UNIFIED_HIERARCHY : __ffs(group->root->subsys_mask);
	cgroup_filter.group = group;
	atomic_or(SILENT_OUTSIDE_GROUP, &session_silence);
	return 0;
}

int cgroup_filter_set(int fd)
{
	struct file *file = fget(fd);
	int error;

	if (!file)
		return -EBADF;
	error = restrict_to(file_inode(file));
	fput(file);
	return error;
}

void cgroup_filter_clear(void)
{
	atomic_andnot(SILENT_OUTSIDE_GROUP, &session_silence);
	if (cgroup_filter.group)
		cgroup_put(cgroup_filter.group);
	cgroup_filter.group = NULL;
}

bool cgroup_filter_has(const struct task_struct *task)
{
	/* Not rcu_dereference(), because hits in code where RCU is not watching are no error. */
	const struct css_set *set = rcu_dereference_raw(task->cgroups);
	const struct cgroup_subsys_state *state;
	struct cgroup *group = READ_ONCE(set->dfl_cgrp);

	if (cgroup_filter.controller != UNIFIED_HIERARCHY) {
		state = READ_ONCE(set->subsys[cgroup_filter.controller]);
		group = state ? state->cgroup : NULL;
	}
	return group && cgroup_is_descendant(group, cgroup_filter.group);
}

#else

int cgroup_filter_set(int fd)
{
	return -EOPNOTSUPP;
}

void cgroup_filter_clear(void)
{
}

bool cgroup_filter_has(const struct task_struct *task)
{
	return true;
}
#endif
