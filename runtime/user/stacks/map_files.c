// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files that processes map executable. A file is identified by device, inode and modification time, not by name. No
 * reference keeps it in use.
 */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "runtime/abi/protocol.h"
#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/internal.h"
#include "runtime/user/stacks/map_files.h"
#include "runtime/user/stacks/rt_pool.h"

enum { FILE_BITS = 8, MOST_USER_FILES = 16384 };

DEFINE_RAW_SPINLOCK(user_map_lock);
static struct hlist_head *file_buckets;
static struct user_file **user_files;
static unsigned int user_files_count;
static const char unknown_name[] = "(unknown)";

static struct user_file_id user_file_id(const struct inode *inode)
{
	struct timespec64 changed = compat_inode_mtime(inode);

	return (struct user_file_id){.device = inode->i_sb->s_dev,
				     .inode = inode->i_ino,
				     .generation = inode->i_generation,
				     .changed = changed.tv_sec,
				     .changed_ns = changed.tv_nsec};
}

static bool is_same_file(const struct user_file_id *a, const struct user_file_id *b)
{
	return a->device == b->device && a->inode == b->inode && a->generation == b->generation &&
	       a->changed == b->changed && a->changed_ns == b->changed_ns;
}

static struct hlist_head *user_file_bucket(const struct user_file_id *id)
{
	return &file_buckets[hash_long(id->inode ^ id->device, FILE_BITS)];
}

static struct user_file *find_user_file(const struct user_file_id *id)
{
	struct user_file *file;

	hlist_for_each_entry_rcu(file, user_file_bucket(id), in_bucket, true)
		if (is_same_file(&file->id, id))
			return file;
	return NULL;
}

/* Find the file's path as perf_event_mmap() does. Return false without memory. @p flags are for the allocations. */
static bool name_user_file(struct user_file *named, struct file *file, gfp_t flags)
{
	char *page = (char *)__get_free_page(flags | __GFP_NOWARN);
	const char *path = page ? d_path(compat_user_path(file), page, PAGE_SIZE) : NULL;
	const char *name = IS_ERR(path) ? strcpy(named->short_name, unknown_name) : NULL;

	if (path && !name)
		name = kstrdup(path, flags | __GFP_NOWARN);
	smp_store_release(&named->name, name); /* pairs with the acquire in user_file_name() */
	free_page((unsigned long)page);
	return name;
}

const char *user_file_name(const struct user_file *file)
{
	return smp_load_acquire(&file->name) ?: unknown_name;
}

/* Free a file. @p flags must be those of its allocation. */
void free_user_file(struct user_file *file, gfp_t flags)
{
	if (file->name != file->short_name)
		kfree(file->name);
	user_free(file, sizeof(*file), flags);
}

/* Find the paths that handlers could not, because these must not sleep. */
void user_files_name(void)
{
	static DEFINE_MUTEX(naming_mutex);
	static unsigned int named_count;

	mutex_lock(&naming_mutex);
	for (; named_count < user_file_count(); named_count++) {
		struct user_file *file = user_file(named_count);

		if (file->name)
			continue;
		if (!name_user_file(file, file->unnamed, GFP_KERNEL))
			break;
		fput(file->unnamed);
		file->unnamed = NULL;
	}
	mutex_unlock(&naming_mutex);
}

static void name_user_files(struct kthread_work *work)
{
	user_files_name();
}

static DEFINE_KTHREAD_WORK(naming_work, name_user_files);

/* Needs the lock. The caller has checked the limit. */
void add_user_file(struct user_file *made)
{
	made->number = user_files_count;
	user_files[made->number] = made;
	smp_store_release(&user_files_count, user_files_count + 1); /* pairs with the acquire in user_file() */
}

/* Add a file, unless another CPU has added it first; then return that one. Return NULL if there are too many. */
static struct user_file *add_mapped_file(struct user_file *made, struct file *file)
{
	struct user_file *known;

	raw_spin_lock(&user_map_lock);
	known = find_user_file(&made->id);
	if (!known && user_files_count < MOST_USER_FILES) {
		if (!made->name)
			made->unnamed = get_file(file);
		add_user_file(made);
		hlist_add_head_rcu(&made->in_bucket, user_file_bucket(&made->id));
		known = made;
	}
	raw_spin_unlock(&user_map_lock);
	return known;
}

struct user_file *user_file_for(struct file *file, gfp_t flags)
{
	struct user_file_id id = user_file_id(file_inode(file));
	struct user_file *known = find_user_file(&id), *made;

	if (known)
		return known;
	made = user_alloc(sizeof(*made), flags);
	if (!made)
		return NULL;
	made->id = id;
	if (user_may_allocate(flags))
		name_user_file(made, file, flags);
	known = add_mapped_file(made, file);
	if (known != made)
		free_user_file(made, flags);
	else if (!user_may_allocate(flags))
		rt_worker_queue(&naming_work);
	return known;
}

struct user_file *user_file_of(struct file *file)
{
	return user_file_for(file, GFP_KERNEL);
}

struct user_file *user_file(unsigned int number)
{
	return number < smp_load_acquire(&user_files_count) ? user_files[number] : NULL;
}

unsigned int user_file_count(void)
{
	return smp_load_acquire(&user_files_count);
}

bool user_file_is(const struct user_file *file, const struct inode *inode)
{
	struct user_file_id id = user_file_id(inode);

	return is_same_file(&id, &file->id);
}

bool user_files_are_full(void)
{
	return user_files_count == MOST_USER_FILES;
}

/* ---- the file of an area ----------------------------------------------------------------------------------------- */

/* Return whether the area is the vDSO of a 64-bit process. Those of 32-bit processes are below 4 GB. */
bool is_vdso(const struct vm_area_struct *area)
{
	const char *name =
		area->vm_ops && area->vm_ops->name ? area->vm_ops->name((struct vm_area_struct *)area) : NULL;

	return name && !strcmp(name, "[vdso]") && area->vm_start > U32_MAX;
}

bool is_known_code(const struct vm_area_struct *area)
{
	return area->vm_flags & VM_EXEC && (area->vm_file || is_vdso(area));
}

struct user_file *code_of_area(const struct vm_area_struct *area, gfp_t flags)
{
	return area->vm_file ? user_file_for(area->vm_file, flags) : user_files[STP_OBJECT_VDSO];
}

/* ---- creation and destruction ------------------------------------------------------------------------------------ */

int user_files_create(void)
{
	struct user_file *vdso;

	file_buckets = checked(kvcalloc(1u << FILE_BITS, sizeof(*file_buckets), GFP_KERNEL));
	user_files = checked(kvcalloc(MOST_USER_FILES, sizeof(*user_files), GFP_KERNEL));
	if (!file_buckets || !user_files)
		return -ENOMEM;
	vdso = checked(kzalloc(sizeof(*vdso), GFP_KERNEL));
	if (!vdso)
		return -ENOMEM;
	strcpy(vdso->short_name, "[vdso]");
	vdso->name = vdso->short_name;
	user_files[STP_OBJECT_VDSO] = vdso;
	user_files_count = STP_OBJECT_VDSO + 1;
	return 0;
}

void user_files_destroy(void)
{
	unsigned int i;

	for (i = 0; i < user_files_count; i++) {
		if (user_files[i]->owns_table)
			vfree(user_files[i]->table);
		vfree(user_files[i]->users_table);
		put_pid(user_files[i]->maker);
		if (user_files[i]->unnamed)
			fput(user_files[i]->unnamed);
		free_user_file(user_files[i], GFP_KERNEL);
	}
	kvfree(file_buckets);
	kvfree(user_files);
}
