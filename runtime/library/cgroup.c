// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Control groups of tasks, and the container and pod that a group's path names.
 *
 * A task is in one group of the unified hierarchy, and of each hierarchy of version 1. The group meant here is that of
 * the unified hierarchy, or if that is the root, as on systems that use version 1 only, the first one of a controller
 * that is not a root. As for paths of files (path.c), every field is loaded without faults and without locks.
 */
#include <linux/cgroup-defs.h>
#include <linux/ctype.h>
#include <linux/kernfs.h>
#include <linux/sched.h>

#include "runtime/compat/compat.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/library/path_text.h"
#include "runtime/library/task.h"

/* ---- the group of a task ----------------------------------------------------------------------------------------- */

#ifdef CONFIG_CGROUPS
enum { MOST_GROUPS_ABOVE = 64 };

static const struct kernfs_node *parent_of(struct stp_context *c, const struct kernfs_node *node)
{
	return (__force const struct kernfs_node *)LOAD(c, node, COMPAT_KERNFS_PARENT);
}

static bool is_root(struct stp_context *c, const struct kernfs_node *node)
{
	return !node || !parent_of(c, node);
}

/* Return the directory of a task's group. NULL with an error of the script: something cannot be read. */
static const struct kernfs_node *group_of(struct stp_context *c, const struct task_struct *task)
{
	const struct css_set *set = (__force const struct css_set *)LOAD(c, task, cgroups);
	const struct cgroup *group = c->error ? NULL : LOAD(c, set, dfl_cgrp);
	const struct kernfs_node *node = c->error ? NULL : LOAD(c, group, kn);
	int i;

	for (i = 0; i < CGROUP_SUBSYS_COUNT && !c->error && is_root(c, node); i++) {
		const struct cgroup_subsys_state *state = LOAD(c, set, subsys[i]);

		if (!state || c->error)
			continue;
		group = LOAD(c, state, cgroup);
		node = c->error ? NULL : LOAD(c, group, kn);
	}
	return c->error ? NULL : node;
}

/* Put "/NAME" before the path. Return false on an error. */
static bool put_name(struct stp_context *c, struct path_text *path, const struct kernfs_node *node)
{
	const char *from = (__force const char *)LOAD(c, node, name);
	char name[NAME_MAX + 1];

	if (c->error || !path_text_load(c, name, from, sizeof(name)))
		return false;
	path_text_put(path, name, strlen(name));
	path_text_put(path, "/", 1);
	return true;
}

static void put_group(struct stp_context *c, struct path_text *path, const struct kernfs_node *node)
{
	const struct kernfs_node *parent = node ? parent_of(c, node) : NULL;
	int step;

	if (!parent)
		path_text_put(path, "/", 1);
	for (step = 0; step < MOST_GROUPS_ABOVE && parent && !c->error && !path->full; step++) {
		if (!put_name(c, path, node))
			return;
		node = parent;
		parent = parent_of(c, node);
	}
}
#endif

void stp_cgroup_path(struct stp_context *c, char *to, unsigned long task)
{
	to[0] = '\0';
#ifdef CONFIG_CGROUPS
	{
		const struct kernfs_node *node = group_of(c, (const struct task_struct *)task);
		struct path_text path;

		path_text_begin(&path, to);
		if (!c->error)
			put_group(c, &path, node);
		path_text_end(c, &path);
	}
#endif
}

stp_long stp_cgroup_id(struct stp_context *c, unsigned long task)
{
	stp_long id = 0;

#ifdef CONFIG_CGROUPS
	const struct kernfs_node *node = group_of(c, (const struct task_struct *)task);

	if (node)
		id = LOAD(c, node, id);
#endif
	return c->error ? 0 : id;
}

/* ---- names in a path --------------------------------------------------------------------------------------------- */

enum { CONTAINER_ID_SIZE = 64 };

/* Keep a part of a string. */
static void keep_part(char *text, const char *part, size_t length)
{
	memmove(text, part, length);
	text[length] = '\0';
}

/*
 * Find the last run of exactly 64 hexadecimal digits: the id that Docker, containerd, CRI-O and Podman give to a
 * container. Podman gives pods such ids, too, after "pod_".
 */
static const char *find_container_id(const char *path)
{
	static const char of_pod[] = "pod_";
	const char *found = NULL, *at = path;

	while (*at) {
		size_t length = 0;

		while (isxdigit(at[length]))
			length++;
		if (length == CONTAINER_ID_SIZE &&
		    (at - path < (long)strlen(of_pod) || strncmp(at - strlen(of_pod), of_pod, strlen(of_pod))))
			found = at;
		at += length ?: 1;
	}
	return found;
}

void stp_container_id(struct stp_context *c, char *to, unsigned long task)
{
	static const char lxc[] = "/lxc.payload.";
	const char *found;

	stp_cgroup_path(c, to, task);
	found = find_container_id(to);
	if (found) {
		keep_part(to, found, CONTAINER_ID_SIZE);
		return;
	}
	found = strstr(to, lxc);
	if (found)
		found += strlen(lxc);
	keep_part(to, found ?: to, found ? strcspn(found, "/") : 0);
}

/* Return how many characters at the beginning of a text can be of a pod's UID, in which systemd's slices have '_'. */
static size_t uid_length(const char *text)
{
	size_t length = 0;

	while (isxdigit(text[length]) || text[length] == '-' || text[length] == '_')
		length++;
	return length;
}

void stp_pod_uid(struct stp_context *c, char *to, unsigned long task)
{
	/* Pods from files have a UID of 32 digits, the others one with four dashes. */
	enum { SHORTEST_UID = 32 };
	const char *at, *found = NULL;
	char *dash;

	stp_cgroup_path(c, to, task);
	for (at = to; (at = strstr(at, "pod")); at += strlen("pod"))
		if (at > to && (at[-1] == '/' || at[-1] == '-') && uid_length(at + strlen("pod")) >= SHORTEST_UID)
			found = at + strlen("pod");
	keep_part(to, found ?: to, found ? uid_length(found) : 0);
	while ((dash = strchr(to, '_')))
		*dash = '-';
}
