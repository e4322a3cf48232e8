// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * File paths, for the tapset's functions.
 *
 * The kernel's d_path() waits for locks that the probed code may hold, so a handler cannot call it. This file makes the
 * same walk from the file up to the root, across mounts, without locks. Every field, including the names, is loaded
 * without faults as by copy_from_kernel_nofault(), and the number of steps is limited. If a file is renamed during the
 * walk, the result may at worst mix both names.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/mount.h>
#include <linux/path.h>

#include "runtime/compat/compat.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/library/path_text.h"
#include "runtime/library/task.h"

enum { MOST_STEPS = 256 };

struct entry_name {
	char text[NAME_MAX + 1];
	unsigned int length;
};

static bool load_name(struct stp_context *c, const struct dentry *dentry, struct entry_name *name)
{
	const char *from = (const char *)LOAD(c, dentry, d_name.name);
	unsigned int length = LOAD(c, dentry, d_name.len);

	/* During a rename, the length may be that of the other name, so look for the NUL as well. */
	name->length = 0;
	name->text[0] = '\0';
	length = min_t(unsigned int, length, NAME_MAX);
	if (c->error || !load_field(c, name->text, from, length))
		return false;
	name->text[length] = '\0';
	name->length = strlen(name->text);
	return true;
}

/* ---- files that are in no directory ------------------------------------------------------------------------------ */

/* Write the name as in /proc/PID/fd. The file systems generate these names in functions that we cannot call. */
static void put_nameless(struct stp_context *c, struct path_text *path, const struct dentry *dentry)
{
	const struct inode *inode = (const struct inode *)LOAD(c, dentry, d_inode);
	const struct super_block *super = (const struct super_block *)LOAD(c, dentry, d_sb);
	const struct file_system_type *type = c->error ? NULL : LOAD(c, super, s_type);
	const char *type_name = type && !c->error ? LOAD(c, type, name) : NULL;
	char kind[16] = "", text[48];
	struct entry_name name;

	if (!type_name || c->error || !path_text_load(c, kind, type_name, sizeof(kind)) || !load_name(c, dentry, &name))
		return;
	if (!strcmp(kind, "pipefs") || !strcmp(kind, "sockfs")) {
		path_text_put(path, text,
			      scnprintf(text, sizeof(text), "%s:[%lu]", kind[0] == 'p' ? "pipe" : "socket",
					(unsigned long)LOAD(c, inode, i_ino)));
		return;
	}
	if (strcmp(kind, "anon_inodefs"))
		path_text_put(path, " (deleted)", strlen(" (deleted)"));
	path_text_put(path, name.text, name.length);
	path_text_put(path, strcmp(kind, "anon_inodefs") ? "/" : "anon_inode:",
		      strlen(strcmp(kind, "anon_inodefs") ? "/" : "anon_inode:"));
}

static bool makes_up_name(struct stp_context *c, const struct dentry *dentry)
{
	const struct dentry_operations *operations = (const struct dentry_operations *)LOAD(c, dentry, d_op);

	return operations && !c->error && LOAD(c, operations, d_dname);
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

/* Go from the root of a mount to its mount point. Return false at the topmost root. */
static bool leave_mount(struct stp_context *c, const struct dentry **dentry, const struct vfsmount **mount)
{
	const struct compat_mount *inner = compat_mount_of(*mount);
	const struct compat_mount *outer = (const struct compat_mount *)LOAD(c, inner, mnt_parent);

	if (c->error || outer == inner)
		return false;
	*dentry = (const struct dentry *)LOAD(c, inner, mnt_mountpoint);
	*mount = &outer->mnt;
	return !c->error;
}

/* Walk up to @p root, or within a single file system if @p mount is NULL. */
static void walk_up(struct stp_context *c, struct path_text *path, const struct dentry *dentry,
		    const struct vfsmount *mount, const struct path *root)
{
	struct entry_name name;
	int step;

	for (step = 0; step < MOST_STEPS && !c->error && !path->full; step++) {
		const struct dentry *parent;

		if (root && dentry == root->dentry && mount == root->mnt)
			return;
		parent = (const struct dentry *)LOAD(c, dentry, d_parent);
		if (c->error)
			return;
		if (parent == dentry || (mount && dentry == LOAD(c, mount, mnt_root))) {
			if (!mount || !leave_mount(c, &dentry, &mount))
				return;
			continue;
		}
		if (!load_name(c, dentry, &name))
			return;
		path_text_put(path, name.text, name.length);
		path_text_put(path, "/", 1);
		dentry = parent;
	}
}

static bool is_deleted(struct stp_context *c, const struct dentry *dentry)
{
	return !LOAD(c, dentry, d_hash.pprev) && LOAD(c, dentry, d_parent) != dentry;
}

static void put_path(struct stp_context *c, char *to, const struct dentry *dentry, const struct vfsmount *mount,
		     const struct path *root)
{
	struct path_text path;
	unsigned int end;

	path_text_begin(&path, to);
	if (LOAD(c, dentry, d_parent) == dentry && makes_up_name(c, dentry)) {
		put_nameless(c, &path, dentry);
	} else if (!c->error) {
		if (is_deleted(c, dentry))
			path_text_put(&path, " (deleted)", strlen(" (deleted)"));
		end = path.start;
		walk_up(c, &path, dentry, mount, root);
		if (path.start == end)
			path_text_put(&path, "/", 1);
	}
	path_text_end(c, &path);
}

/* Get the root directory of a task. Return false if it has none because it is exiting. */
static bool task_root(struct stp_context *c, const struct task_struct *task, struct path *root)
{
	const struct fs_struct *fs = LOAD(c, task, fs);

	return fs && !c->error && load_field(c, root, &fs->root, sizeof(*root));
}

void stp_path(struct stp_context *c, char *to, unsigned long task, unsigned long dentry, unsigned long mount)
{
	const struct task_struct *viewer = task ? (const struct task_struct *)task : context_task();
	struct path root;
	bool has_root = task_root(c, viewer, &root);

	to[0] = '\0';
	if (!c->error)
		put_path(c, to, (const struct dentry *)dentry, (const struct vfsmount *)mount, has_root ? &root : NULL);
}

void stp_path_of(struct stp_context *c, char *to, unsigned long task, unsigned long address)
{
	struct path path;

	to[0] = '\0';
	if (load_field(c, &path, (const void *)address, sizeof(path)))
		stp_path(c, to, task, (unsigned long)path.dentry, (unsigned long)path.mnt);
}

void stp_file_path(struct stp_context *c, char *to, unsigned long task, unsigned long file)
{
	stp_path_of(c, to, task, file ? (unsigned long)&((const struct file *)file)->f_path : 0);
}

void stp_inner_path(struct stp_context *c, char *to, unsigned long dentry)
{
	struct path_text path;

	path_text_begin(&path, to);
	walk_up(c, &path, (const struct dentry *)dentry, NULL, NULL);
	path_text_end(c, &path);
}

void stp_entry_name(struct stp_context *c, char *to, unsigned long dentry)
{
	struct entry_name name;

	load_name(c, (const struct dentry *)dentry, &name);
	stp_copy(to, c->error ? "" : name.text);
}

unsigned long stp_inode_entry(struct stp_context *c, unsigned long address)
{
	const struct inode *inode = (const struct inode *)address;
	const struct hlist_node *first = LOAD(c, inode, i_dentry.first);

	return first && !c->error ? (unsigned long)compat_dentry_of_alias(first) : 0;
}

unsigned long stp_mount(unsigned long mount)
{
	return mount ? (unsigned long)compat_mount_of((const struct vfsmount *)mount) : 0;
}

unsigned long stp_task_directory(struct stp_context *c, unsigned long address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	const struct fs_struct *fs = LOAD(c, task, fs);

	return fs && !c->error ? (unsigned long)&fs->pwd : 0;
}
