// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files in /proc/systemtap/MODULE. A read runs the script's read probes and returns the text that they put into $value.
 * A write passes its text to the write probes.
 *
 * Reading from offset 0 runs the probes once and keeps their text with the open file, so that a reader with a small
 * buffer gets a consistent text.
 *
 * The files belong to the user who started the script and to the group root. This user may thus change their modes, and
 * may make a read or a write last for ever, with a buffer in memory whose pages never arrive (FUSE). proc_remove()
 * waits for it. So the files are removed when no other probe is armed, and without the arming lock, for which modules
 * wait that are being loaded.
 *
 * All scripts share /proc/systemtap, which is never removed. The kernel cannot look up /proc entries and warns loudly
 * about duplicate names. So the directory is created under the lock of our debugfs directory.
 */
#include <linux/fs.h>
#include <linux/namei.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/core/session.h"
#include "runtime/core/target.h"
#include "runtime/probes/families.h"

#define PROC_DIRECTORY "systemtap"

struct proc_file {
	const char *path;
	umode_t mode;
	unsigned int size; /* of the contents for reading, including the NUL */
	struct mutex mutex; /* serializes reads and writes, which use an open file's position */
};

static struct proc_file *proc_files;
static unsigned int proc_file_count;
static struct proc_dir_entry *proc_directory;

static bool is_proc_probe(const struct stp_probe *probe)
{
	return probe->kind == STP_PROBE_PROCFS_READ || probe->kind == STP_PROBE_PROCFS_WRITE;
}

static void run_file_probes(const struct proc_file *file, enum stp_probe_kind kind, struct stp_file_value *value)
{
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++)
		if (stp_script.probes[i].kind == kind && !strcmp(stp_script.probes[i].details->path, file->path))
			context_run_event(&stp_script.probes[i], NULL, value, NULL);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static int proc_file_open(struct inode *inode, struct file *opened)
{
	const struct proc_file *file = compat_pde_data(inode);
	struct stp_file_value *value;

	if (!(opened->f_mode & FMODE_READ))
		return 0;
	value = checked(kvzalloc(sizeof(*value) + file->size, GFP_KERNEL_ACCOUNT));
	if (!value)
		return -ENOMEM;
	value->text = (char *)(value + 1);
	value->size = file->size;
	opened->private_data = value;
	return 0;
}

static int proc_file_release(struct inode *inode, struct file *opened)
{
	kvfree(opened->private_data);
	return 0;
}

static ssize_t proc_file_read(struct file *opened, char __user *to, size_t size, loff_t *position)
{
	struct proc_file *file = compat_pde_data(file_inode(opened));
	struct stp_file_value *value = opened->private_data;
	ssize_t count;

	if (mutex_lock_interruptible(&file->mutex))
		return -EINTR;
	if (*position == 0) {
		value->used = 0;
		value->text[0] = '\0';
		run_file_probes(file, STP_PROBE_PROCFS_READ, value);
	}
	count = simple_read_from_buffer(to, size, position, value->text, value->used);
	mutex_unlock(&file->mutex);
	return count;
}

/* Run the write probes. Text longer than a string is passed in pieces. */
static ssize_t proc_file_write(struct file *opened, const char __user *from, size_t size, loff_t *position)
{
	struct stp_file_value value = {.size = stp_script.string_size};
	struct proc_file *file = compat_pde_data(file_inode(opened));

	value.used = min_t(size_t, size, value.size - 1);
	value.text = memdup_user_nul(from, value.used);
	if (IS_ERR(value.text))
		return PTR_ERR(value.text);
	if (mutex_lock_interruptible(&file->mutex)) {
		kfree(value.text);
		return -EINTR;
	}
	run_file_probes(file, STP_PROBE_PROCFS_WRITE, &value);
	mutex_unlock(&file->mutex);
	kfree(value.text);
	return value.used;
}

static const struct proc_ops proc_file_operations = {
	.proc_open = proc_file_open,
	.proc_release = proc_file_release,
	.proc_read = proc_file_read,
	.proc_write = proc_file_write,
	.proc_lseek = default_llseek,
};

/* ---- $value ------------------------------------------------------------------------------------------------------ */

void stp_file_value(struct stp_context *c, char *to)
{
	strscpy(to, c->file_value ? c->file_value->text : "", stp_script.string_size);
}

void stp_file_value_add(struct stp_context *c, const char *text)
{
	struct stp_file_value *value = c->file_value;
	size_t length;

	if (!value)
		return;
	length = strnlen(text, value->size - 1 - value->used);
	memcpy(value->text + value->used, text, length);
	value->used += length;
	value->text[value->used] = '\0';
}

void stp_file_value_set(struct stp_context *c, const char *text)
{
	if (c->file_value)
		c->file_value->used = 0;
	stp_file_value_add(c, text);
}

/* ---- making the files -------------------------------------------------------------------------------------------- */

static bool proc_directory_exists(void)
{
	struct path path;

	if (kern_path("/proc/" PROC_DIRECTORY, LOOKUP_DIRECTORY, &path))
		return false;
	path_put(&path);
	return true;
}

/*
 * Entries inherit the user of their directory when they are created (__proc_create()), so nobody can look up one with
 * another user. Only this directory itself may have been looked up before its user was set, which shows in a listing.
 */
static struct proc_dir_entry *make_proc_directory(void)
{
	struct inode *lock = session_common_inode();
	struct proc_dir_entry *directory = NULL;
	char name[sizeof(PROC_DIRECTORY "/") + MODULE_NAME_LEN];

	snprintf(name, sizeof(name), PROC_DIRECTORY "/%s", THIS_MODULE->name);
	inode_lock(lock);
	if (proc_directory_exists() || proc_mkdir(PROC_DIRECTORY, NULL))
		directory = proc_mkdir(name, NULL);
	inode_unlock(lock);
	if (directory)
		proc_set_user(directory, own_process_user(), GLOBAL_ROOT_GID);
	return directory;
}

static struct proc_file *find_proc_file(const char *path)
{
	unsigned int i;

	for (i = 0; i < proc_file_count; i++)
		if (!strcmp(proc_files[i].path, path))
			return &proc_files[i];
	return NULL;
}

/* Add the file of a probe, or find it: one file serves all probes with its path. */
static void collect_proc_file(const struct stp_probe *probe)
{
	struct proc_file *file = find_proc_file(probe->details->path);

	if (!file) {
		file = &proc_files[proc_file_count++];
		file->path = probe->details->path;
		mutex_init(&file->mutex);
	}
	file->mode |= probe->details->mode;
	file->size = max(file->size, probe->details->size);
}

/* Return whether the path of an earlier file starts with these bytes. */
static bool directory_is_made(unsigned int before, const char *path, size_t length)
{
	unsigned int i;

	for (i = 0; i < before; i++)
		if (!strncmp(proc_files[i].path, path, length))
			return true;
	return false;
}

/* Create the directories on the path, then the file. */
static int make_proc_file(unsigned int index)
{
	struct proc_file *file = &proc_files[index];
	const char *slash = file->path;

	while ((slash = strchr(slash, '/'))) {
		size_t length = ++slash - file->path;
		char *name;

		if (directory_is_made(index, file->path, length))
			continue;
		name = checked(kstrndup(file->path, length - 1, GFP_KERNEL));
		if (!name || !proc_mkdir(name, proc_directory)) {
			kfree(name);
			return -ENOMEM;
		}
		kfree(name);
	}
	return proc_create_data(file->path, file->mode, proc_directory, &proc_file_operations, file) ? 0 : -ENOMEM;
}

static int arm_proc_files(void)
{
	unsigned int i, total = probe_count(STP_PROBE_PROCFS_READ) + probe_count(STP_PROBE_PROCFS_WRITE);
	int error = 0;

	if (!total)
		return 0;
	proc_files = checked(kvcalloc(total, sizeof(*proc_files), GFP_KERNEL));
	if (!proc_files)
		return -ENOMEM;
	for (i = 0; i < stp_script.probe_count; i++)
		if (is_proc_probe(&stp_script.probes[i]))
			collect_proc_file(&stp_script.probes[i]);
	proc_directory = make_proc_directory();
	if (!proc_directory)
		return -ENOMEM;
	for (i = 0; i < proc_file_count && !error; i++)
		error = make_proc_file(i);
	return error;
}

static void remove_proc_files(void)
{
	if (proc_directory)
		proc_remove(proc_directory);
	proc_directory = NULL;
	proc_file_count = 0;
	kvfree(proc_files);
	proc_files = NULL;
}

const struct probe_family procfs_family = {
	.name = "procfs",
	.arm = arm_proc_files,
	.finish = remove_proc_files,
};
