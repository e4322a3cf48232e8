// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which file is mapped where in each process, readable in any context, including NMI.
 *
 * The kernel's own map of a process is protected by a lock that may be held, and its nodes and areas may be freed while
 * it is read. So we keep a copy per mm_struct, of the executable file mappings only. A copy is an array under RCU that
 * is replaced, never changed.
 *
 * The copies are updated without missing a change. The kernel calls perf_event_mmap() under the mmap lock for each area
 * that is new or has a new protection; a kprobe there reports these. A kprobe on exit_mmap() reports the end of an mm,
 * and the tracepoint sched_process_fork its copies, which share the array. An unmapped range stays in the array until
 * something else is mapped there, because nothing can be executed there until then. The mms that exist when the script
 * starts are read one by one; the mmap lock orders this with the kprobes. If no memory is left for an array
 * (user/stacks/rt_pool.c), the mm counts as unread, and a work item reads it again.
 *
 * Files are identified by device, inode and modification time, not by name. No reference keeps a file in use.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/path.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "runtime/core/internal.h"
#include "runtime/compat/compat.h"
#include "runtime/user/stacks/stacks.h"

enum {
	MEMORY_BITS = 10,
	FILE_BITS = 8,
	MOST_USER_FILES = 16384,
	MOST_MADE = MOST_USER_FILES / 2, /* limit for processes with JIT code */
	MOST_GENERATIONS = 4, /* limit for a chain of perf maps, each of a process forked from the next one's */
	MOST_RETIRED = 4096, /* maps of ended processes, kept for symbols of their stacks */
	TASKS_AT_ONCE = 128,
};

/* A process's mm. */
struct user_memory {
	struct hlist_node in_bucket, in_retired;
	struct rcu_head rcu;
	const struct mm_struct *mm;
	struct user_map *map; /* NULL: not read yet */
	struct user_file *made; /* perf map of its JIT code; NULL: it has none, or too many exist */
	bool is_walked;
};

/*
 * Protects all of the following for writers; readers use RCU. Only taken in task context, so interrupts stay enabled.
 */
static DEFINE_RAW_SPINLOCK(user_map_lock);
static struct hlist_head *memory_buckets, *file_buckets, retired_memories;
static struct user_file **user_files;
static unsigned int user_files_count, made_count, retired_count;
static const char unknown_name[] = "(unknown)";
static bool all_memories_known;
static bool follows_memories;
static atomic64_t walked_changes; /* number of changes to what user_range_anywhere() reads */

/* ---- files ------------------------------------------------------------------------------------------------------- */

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

	hlist_for_each_entry_rcu(file, user_file_bucket(id), in_bucket,
				 true) if (is_same_file(&file->id, id)) return file;
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
	smp_store_release(&named->name, name);
	free_page((unsigned long)page);
	return name;
}

const char *user_file_name(const struct user_file *file)
{
	return smp_load_acquire(&file->name) ?: unknown_name;
}

/* Free a file. @p flags must be those of its allocation. */
static void free_user_file(struct user_file *file, gfp_t flags)
{
	if (file->name != file->short_name)
		kfree(file->name);
	user_room_free(file, sizeof(*file), flags);
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
static void add_user_file(struct user_file *made)
{
	made->number = user_files_count;
	user_files[made->number] = made;
	smp_store_release(&user_files_count, user_files_count + 1);
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

static struct user_file *user_file_for(struct file *file, gfp_t flags)
{
	struct user_file_id id = user_file_id(file_inode(file));
	struct user_file *known = find_user_file(&id), *made;

	if (known)
		return known;
	made = user_room(sizeof(*made), flags);
	if (!made)
		return NULL;
	made->id = id;
	if (user_may_allocate(flags))
		name_user_file(made, file, flags);
	known = add_mapped_file(made, file);
	if (known != made)
		free_user_file(made, flags);
	else if (!user_may_allocate(flags))
		user_keeper_does(&naming_work);
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

/* ---- maps -------------------------------------------------------------------------------------------------------- */

static struct user_map *new_user_map(unsigned int most, gfp_t flags)
{
	static atomic64_t last_number = ATOMIC64_INIT(0);
	struct user_map *map = user_room(struct_size(map, ranges, most), flags);

	if (map) {
		map->number = atomic64_inc_return(&last_number);
		refcount_set(&map->users, 1);
	}
	return map;
}

static void put_user_map(struct user_map *map)
{
	if (map && refcount_dec_and_test(&map->users))
		kfree_rcu(map, rcu);
}

/* Return a copy of the map without [start, end), and with one range added. Return NULL without memory. */
static struct user_map *changed_map(const struct user_map *old, unsigned long start, unsigned long end,
				    const struct user_range *added)
{
	/* a range may be split in two */
	struct user_map *map = new_user_map(old->count + 2, GFP_ATOMIC);
	bool is_added = !added;
	unsigned int i;

	for (i = 0; map && i < old->count; i++) {
		struct user_range range = old->ranges[i];

		if (range.start < start) {
			map->ranges[map->count] = range;
			map->ranges[map->count].end = min(range.end, start);
			map->count++;
		}
		if (range.end <= end)
			continue;
		if (!is_added) {
			map->ranges[map->count++] = *added;
			is_added = true;
		}
		if (range.start < end) {
			range.offset += end - range.start;
			range.start = end;
		}
		if (range.start >= end)
			map->ranges[map->count++] = range;
	}
	if (map && !is_added)
		map->ranges[map->count++] = *added;
	return map;
}

static bool has_range_in(const struct user_map *map, unsigned long start, unsigned long end)
{
	unsigned int i;

	for (i = 0; i < map->count && map->ranges[i].start < end; i++)
		if (map->ranges[i].end > start)
			return true;
	return false;
}

static struct hlist_head *memory_bucket(const struct mm_struct *mm)
{
	return &memory_buckets[hash_ptr(mm, MEMORY_BITS)];
}

static struct user_memory *find_memory(const struct mm_struct *mm)
{
	struct user_memory *memory;

	hlist_for_each_entry_rcu(memory, memory_bucket(mm), in_bucket, true) if (memory->mm == mm) return memory;
	return NULL;
}

static void read_all_memories(struct work_struct *work);
static DECLARE_WORK(reading_work, read_all_memories);

/* Invalidate the results of user_range_anywhere(), after a change of the mm. */
static void count_walked_change(const struct user_memory *memory)
{
	if (memory->is_walked)
		atomic64_inc(&walked_changes);
}

/* Add an mm, using @p spare if it is not NULL. Needs the lock. */
static struct user_memory *new_memory(const struct mm_struct *mm, struct user_memory *spare)
{
	struct user_memory *memory = spare ?: user_room(sizeof(*memory), GFP_ATOMIC);

	if (memory) {
		memory->mm = mm;
		hlist_add_head_rcu(&memory->in_bucket, memory_bucket(mm));
	}
	return memory;
}

/*
 * Set the map of an mm and take over its reference. If it is NULL, there was no memory for it, and the mm must be read
 * again. Return whether @p spare is used now. Needs the lock.
 */
static bool set_map(const struct mm_struct *mm, struct user_map *map, struct user_memory *spare)
{
	struct user_memory *known = find_memory(mm), *memory = known ?: new_memory(mm, spare);
	struct user_map *old = memory ? memory->map : map;

	if (memory) {
		rcu_assign_pointer(memory->map, map);
		count_walked_change(memory);
	}
	put_user_map(old);
	if (memory && map)
		return !known;
	all_memories_known = false;
	if (follows_memories)
		schedule_work(&reading_work);
	return !known;
}

/* ---- lookup ----------------------------------------------------------------------------------------------------- */

const struct user_map *user_map_of(const struct mm_struct *mm, bool is_walked)
{
	struct user_memory *memory = find_memory(mm);

	if (!memory)
		return NULL;
	if (is_walked && !memory->is_walked) {
		WRITE_ONCE(memory->is_walked, true);
		count_walked_change(memory);
	}
	return rcu_dereference_raw(memory->map);
}

const struct user_range *user_range_at(const struct user_map *map, unsigned long address)
{
	unsigned int low = 0, high = map->count;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (map->ranges[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < map->ranges[low - 1].end ? &map->ranges[low - 1] : NULL;
}

/* ---- reading the mms that exist at the start --------------------------------------------------------------------- */

/* Return whether the area is the vDSO of a 64-bit process. Those of 32-bit processes are below 4 GB. */
static bool is_vdso(const struct vm_area_struct *area)
{
	const char *name =
		area->vm_ops && area->vm_ops->name ? area->vm_ops->name((struct vm_area_struct *)area) : NULL;

	return name && !strcmp(name, "[vdso]") && area->vm_start > U32_MAX;
}

static bool is_known_code(const struct vm_area_struct *area)
{
	return area->vm_flags & VM_EXEC && (area->vm_file || is_vdso(area));
}

static struct user_file *code_of_area(const struct vm_area_struct *area, gfp_t flags)
{
	return area->vm_file ? user_file_for(area->vm_file, flags) : user_files[STP_OBJECT_VDSO];
}

/* ---- JIT code: it is in no file, but a perf map may name it ------------------------------------------------------ */

struct user_file *user_made_code(const struct mm_struct *mm)
{
	const struct user_memory *memory = find_memory(mm);

	return memory ? smp_load_acquire(&memory->made) : NULL;
}

/*
 * Return whether the area is for JIT code. Unlinked files (memfd) count too: JIT compilers map them twice, once to
 * write and once to execute.
 */
static bool is_made_code(const struct vm_area_struct *area)
{
	return area->vm_flags & VM_EXEC && !is_vdso(area) &&
	       (!area->vm_file || !READ_ONCE(file_inode(area->vm_file)->i_nlink));
}

/* Return whether the perf map is of the task's own process. One inherited by fork is of an ancestor. */
static bool is_made_by(const struct user_file *made, struct task_struct *task)
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

	if (!memory || is_made_by(memory->made, task) || made_count == MOST_MADE ||
	    user_files_count == MOST_USER_FILES || generations_before(memory->made) == MOST_GENERATIONS)
		return false;
	made_count++;
	file->before = memory->made;
	add_user_file(file);
	smp_store_release(&memory->made, file);
	return true;
}

/* Add a perf map for a process that has JIT code. Its mm must be known. */
static void note_made_code(struct task_struct *task, const struct mm_struct *mm, gfp_t flags)
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

static struct user_range range_of(const struct vm_area_struct *area, struct user_file *file)
{
	u64 offset = area->vm_file ? (u64)area->vm_pgoff << PAGE_SHIFT : 0;

	return (struct user_range){area->vm_start, area->vm_end, offset, file};
}

/* Read the areas of an mm under the mmap lock. @p most is their number. Return NULL without memory. */
static struct user_map *read_areas(struct mm_struct *mm, unsigned int most)
{
	struct user_map *map = new_user_map(most, GFP_KERNEL);
	struct vm_area_struct *area;
	COMPAT_AREAS(areas, mm, 0);

	if (!map)
		return NULL;
	compat_for_each_area(areas, area)
	{
		struct user_file *file;

		if (!is_known_code(area))
			continue;
		file = code_of_area(area, GFP_KERNEL);
		if (!file || map->count == most)
			break;
		map->ranges[map->count++] = range_of(area, file);
	}
	return map;
}

static unsigned int count_code(struct mm_struct *mm, bool *has_made_code)
{
	struct vm_area_struct *area;
	unsigned int count = 0;
	COMPAT_AREAS(areas, mm, 0);

	*has_made_code = false;
	compat_for_each_area(areas, area)
	{
		count += is_known_code(area);
		*has_made_code |= is_made_code(area);
	}
	return count;
}

/* Read an mm. Its areas do not change in between, because changes need the mmap lock, too. */
static void read_memory(struct task_struct *task, struct mm_struct *mm)
{
	struct user_memory *spare = kzalloc(sizeof(*spare), GFP_KERNEL);
	struct user_map *map;
	bool has_made_code;

	if (!spare)
		return;
	mmap_read_lock(mm);
	map = read_areas(mm, count_code(mm, &has_made_code));
	if (map) {
		raw_spin_lock(&user_map_lock);
		if (set_map(mm, map, spare))
			spare = NULL;
		raw_spin_unlock(&user_map_lock);
	}
	mmap_read_unlock(mm);
	kfree(spare);
	if (has_made_code)
		note_made_code(task, mm, GFP_KERNEL);
}

static bool is_read(const struct mm_struct *mm)
{
	const struct user_memory *memory = find_memory(mm);

	return memory && READ_ONCE(memory->map);
}

/* Collect tasks whose mm is not read yet, with references. */
static unsigned int find_unread(struct task_struct **tasks)
{
	struct task_struct *process, *task;
	unsigned int count = 0;

	rcu_read_lock();
	for_each_process_thread(process, task)
	{
		const struct mm_struct *mm = READ_ONCE(task->mm);

		if (mm && !(task->flags & PF_KTHREAD) && !is_read(mm) && count < TASKS_AT_ONCE) {
			get_task_struct(task);
			tasks[count++] = task;
		}
	}
	rcu_read_unlock();
	return count;
}

static bool read_memory_of(struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);
	bool was_read;

	if (!mm)
		return true; /* it has ended */
	rcu_read_lock();
	was_read = is_read(mm);
	rcu_read_unlock();
	if (!was_read)
		read_memory(task, mm);
	rcu_read_lock();
	was_read = is_read(mm);
	rcu_read_unlock();
	mmput(mm);
	return was_read;
}

/*
 * Repeat until every mm has been read. A process forked meanwhile inherits the map of its parent, or is found in the
 * next round.
 */
static void read_all_memories(struct work_struct *work)
{
	struct task_struct **tasks = kcalloc(TASKS_AT_ONCE, sizeof(*tasks), GFP_KERNEL);
	unsigned int count, i;
	bool is_done = true;

	while (tasks && is_done && (count = find_unread(tasks))) {
		for (i = 0; i < count; i++) {
			is_done &= read_memory_of(tasks[i]);
			put_task_struct(tasks[i]);
		}
		cond_resched();
	}
	if (tasks && is_done)
		WRITE_ONCE(all_memories_known, true);
	kfree(tasks);
}

/* ---- following changes ------------------------------------------------------------------------------------------ */

enum { MOST_ANCESTORS = 8 };

/* Return whether the current process is the target process or one of its close descendants. */
static bool is_of_target(void)
{
	const struct task_struct *task = current;
	unsigned int i;
	bool found = false;

	if (!session_target || !is_own_task(current))
		return false;
	rcu_read_lock();
	for (i = 0; i < MOST_ANCESTORS && task->pid && !found; i++) {
		found = task_tgid_nr_ns((struct task_struct *)task, session_pids) == session_target;
		task = rcu_dereference(task->real_parent);
	}
	rcu_read_unlock();
	return found;
}

/* Update the map for an area that is new or has a new protection. The caller holds the mmap lock for writing. */
static void note_area(const struct vm_area_struct *area)
{
	struct user_range range = range_of(area, NULL);
	const struct mm_struct *mm = area->vm_mm;
	struct user_memory *memory;
	bool is_new_maker;

	if (!mm)
		return;
	is_new_maker = is_made_code(area) && current->mm == mm && !is_made_by(user_made_code(mm), current);
	if (is_known_code(area))
		range.file = code_of_area(area, GFP_ATOMIC);
	raw_spin_lock(&user_map_lock);
	memory = find_memory(mm);
	if (memory && memory->map) {
		if (range.file || has_range_in(memory->map, range.start, range.end))
			set_map(mm, changed_map(memory->map, range.start, range.end, range.file ? &range : NULL), NULL);
	} else if (range.file && !memory && all_memories_known) {
		/* The mm of a task in exec */
		struct user_map *map = new_user_map(1, GFP_ATOMIC);

		if (map)
			map->ranges[map->count++] = range;
		set_map(mm, map, NULL);
	}
	raw_spin_unlock(&user_map_lock);
	if (is_new_maker)
		note_made_code(current, mm, GFP_ATOMIC);
	/* Request tables for the target early, so that its first stacks are not cut short. */
	if (range.file && is_of_target())
		user_table(&range, false);
}

static int see_area(struct kprobe *probe, struct pt_regs *regs)
{
	note_area((const struct vm_area_struct *)regs_get_kernel_argument(regs, 0));
	return 0;
}

/* Keep the map of an ending process if its stack was walked, for the symbols. Needs the lock. */
static bool retire(struct user_memory *memory)
{
	if (!memory->is_walked || !memory->map || retired_count == MOST_RETIRED)
		return false;
	hlist_add_head_rcu(&memory->in_retired, &retired_memories);
	retired_count++;
	return true;
}

static void forget_memory(const struct mm_struct *mm)
{
	struct user_memory *memory;

	raw_spin_lock(&user_map_lock);
	memory = find_memory(mm);
	if (memory) {
		/* Add to the second list first, so that a concurrent reader finds it in one of the two. */
		bool is_retired = retire(memory);

		hlist_del_rcu(&memory->in_bucket);
		if (!is_retired) {
			put_user_map(memory->map);
			count_walked_change(memory);
			kfree_rcu(memory, rcu);
		}
	}
	raw_spin_unlock(&user_map_lock);
}

static int see_end(struct kprobe *probe, struct pt_regs *regs)
{
	forget_memory((const struct mm_struct *)regs_get_kernel_argument(regs, 0));
	return 0;
}

/* Needs the lock. */
static void copy_made_code(const struct mm_struct *mm, const struct user_memory *parent)
{
	struct user_memory *child = find_memory(mm);

	if (child)
		smp_store_release(&child->made, parent->made);
}

/* The child does not run yet. */
static void notrace see_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	STAYS_HERE;
	const struct mm_struct *mm = child->mm;
	struct user_memory *memory;

	if (!mm || mm == parent->mm || !parent->mm)
		return;
	raw_spin_lock(&user_map_lock);
	memory = find_memory(parent->mm);
	if (memory && memory->map) {
		refcount_inc(&memory->map->users);
		set_map(mm, memory->map, NULL);
		copy_made_code(mm, memory);
	}
	raw_spin_unlock(&user_map_lock);
}

/* ---- mremap(): it does not call perf_event_mmap() ---------------------------------------------------------------- */

struct user_move {
	unsigned long start, length, new_length;
};

/* Note the arguments of mremap(). Return 1, to ignore the call, if the range contains no known code. */
static int see_move_begin(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct pt_regs *call = (const struct pt_regs *)regs_get_kernel_argument(regs, 0);
	struct user_move *move = (struct user_move *)instance->data;
	const struct user_map *map;
	int is_of_none;

	if (!call || !current->mm)
		return 1;
	*move = (struct user_move){call->di, call->si, call->dx};
	rcu_read_lock();
	map = user_map_of(current->mm, false);
	is_of_none = !map || !has_range_in(map, move->start, move->start + max(move->length, 1ul));
	rcu_read_unlock();
	return is_of_none;
}

/* Return the map after the move. Only the range at the start of the old place is moved. */
static struct user_map *moved_map(const struct user_map *old, const struct user_move *move, unsigned long to)
{
	const struct user_range *range = user_range_at(old, move->start);
	struct user_map *without, *map;
	struct user_range moved;

	if (!range)
		return changed_map(old, to, to + move->new_length, NULL);
	moved = (struct user_range){to, to + PAGE_ALIGN(move->new_length), range->offset + (move->start - range->start),
				    range->file};
	without = changed_map(old, move->start, move->start + PAGE_ALIGN(move->length), NULL);
	map = without ? changed_map(without, moved.start, moved.end, &moved) : NULL;
	put_user_map(without);
	return map;
}

static int see_move(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct user_move *move = (const struct user_move *)instance->data;
	unsigned long to = regs_return_value(regs);
	struct user_memory *memory;

	if (IS_ERR_VALUE(to) || !move->length)
		return 0;
	raw_spin_lock(&user_map_lock);
	memory = find_memory(current->mm);
	if (memory && memory->map)
		set_map(current->mm, moved_map(memory->map, move, to), NULL);
	raw_spin_unlock(&user_map_lock);
	return 0;
}

static struct kretprobe move_probe = {
	.kp.symbol_name = "__x64_sys_mremap",
	.entry_handler = see_move_begin,
	.handler = see_move,
	.data_size = sizeof(struct user_move),
};
static bool follows_moves;

static struct kprobe area_probe = {.symbol_name = "perf_event_mmap", .pre_handler = see_area};
static struct kprobe end_probe = {.symbol_name = "exit_mmap", .pre_handler = see_end};
static struct tracepoint *fork_tracepoint;

static void find_fork_tracepoint(struct tracepoint *tracepoint, void *found)
{
	if (!strcmp(tracepoint->name, "sched_process_fork"))
		*(struct tracepoint **)found = tracepoint;
}

static int follow_memories(void)
{
	int error;

	for_each_kernel_tracepoint(find_fork_tracepoint, &fork_tracepoint);
	error = fork_tracepoint ? tracepoint_probe_register(fork_tracepoint, see_fork, NULL) : -EOPNOTSUPP;
	if (error)
		return error;
	error = register_kprobe(&end_probe);
	if (!error) {
		error = register_kprobe(&area_probe);
		if (error)
			unregister_kprobe(&end_probe);
	}
	if (error) {
		tracepoint_probe_unregister(fork_tracepoint, see_fork, NULL);
		tracepoint_synchronize_unregister();
	}
	return error;
}

int user_map_start(void)
{
	int error = follow_memories();

	if (error) {
		transport_message(STP_RECORD_ERROR, true,
				  "cannot trace memory mappings, which stacks of programs need: error %d", error);
		return error;
	}
	follows_memories = true;
	/* Optional: code is rarely moved, and some kernels name the system call differently. */
	follows_moves = !register_kretprobe(&move_probe);
	read_all_memories(NULL);
	if (!READ_ONCE(all_memories_known))
		schedule_work(&reading_work);
	return 0;
}

void user_map_stop(void)
{
	if (!follows_memories)
		return;
	if (follows_moves)
		unregister_kretprobe(&move_probe);
	unregister_kprobe(&area_probe);
	unregister_kprobe(&end_probe);
	tracepoint_probe_unregister(fork_tracepoint, see_fork, NULL);
	tracepoint_synchronize_unregister();
	follows_memories = follows_moves = false;
	cancel_work_sync(&reading_work);
}

/* ---- lookup by table, and in all processes ----------------------------------------------------------------------- */

bool user_range_bias(const struct user_range *range, const struct stp_object_table *table, unsigned long *bias)
{
	const struct stp_object_segment *segments =
		(const struct stp_object_segment *)((const char *)table + table->segments);
	unsigned int i;

	/* If READ implies EXEC in this process, a range may be more than one code segment. */
	for (i = 0; i < table->segment_count; i++) {
		const struct stp_object_segment *segment = &segments[i];

		if (range->offset < segment->offset + segment->size &&
		    (segment->offset & PAGE_MASK) < range->offset + (range->end - range->start)) {
			*bias = range->start - range->offset - (segment->address - segment->offset);
			return true;
		}
	}
	return false;
}

/* Return whether both ranges have the same file and load bias. */
static bool is_same_place(const struct user_range *a, const struct user_range *b)
{
	return a->file == b->file && a->start - a->offset == b->start - b->offset;
}

/* Look up the address in an mm whose stack was walked. Return false if it is at a different place than in *ret. */
static bool look_into(const struct user_memory *memory, unsigned long address, struct user_range *ret, bool *found)
{
	const struct user_map *map = rcu_dereference_raw(memory->map);
	const struct user_range *range = map && memory->is_walked ? user_range_at(map, address) : NULL;

	if (range && *found && !is_same_place(range, ret))
		return false;
	if (range)
		*ret = *range;
	*found |= !!range;
	return true;
}

static bool look_everywhere(unsigned long address, struct user_range *ret)
{
	const struct user_memory *memory;
	bool found = false;
	unsigned int i;

	for (i = 0; i < 1u << MEMORY_BITS; i++)
		hlist_for_each_entry_rcu(memory, &memory_buckets[i], in_bucket,
					 true) if (!look_into(memory, address, ret, &found)) return false;
	hlist_for_each_entry_rcu(memory, &retired_memories, in_retired,
				 true) if (!look_into(memory, address, ret, &found)) return false;
	return found;
}

/* A cached result for one page. Reports look up the same few pages thousands of times, in thousands of processes. */
struct known_page {
	unsigned long number;
	s64 changes; /* walked_changes at that time */
	bool is_found;
	struct user_range range;
};

enum { KNOWN_PAGES_BITS = 8 };

static struct known_page known_pages[1 << KNOWN_PAGES_BITS];

/* Called only in begin, end and error probes, which run one at a time, so the cache needs no lock. */
bool user_range_anywhere(unsigned long address, struct user_range *ret)
{
	unsigned long number = address >> PAGE_SHIFT;
	struct known_page *page = &known_pages[hash_long(number, KNOWN_PAGES_BITS)];
	s64 changes = atomic64_read(&walked_changes);

	if (page->number != number || page->changes != changes) {
		page->number = number;
		page->is_found = look_everywhere(address, &page->range);
		page->changes = changes;
	}
	*ret = page->range;
	return page->is_found;
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

/* ---- opening a file ---------------------------------------------------------------------------------------------- */

/* Find an mm that maps the file, and take a reference. While the mm is in the list, exit_mmap() has not been called. */
static struct mm_struct *memory_with(const struct user_file *file)
{
	struct mm_struct *found = NULL;
	struct user_memory *memory;
	unsigned int bucket, i;

	raw_spin_lock(&user_map_lock);
	for (bucket = 0; bucket < 1u << MEMORY_BITS && !found; bucket++) {
		hlist_for_each_entry(memory, &memory_buckets[bucket], in_bucket)
		{
			for (i = 0; memory->map && i < memory->map->count && !found; i++)
				if (memory->map->ranges[i].file == file &&
				    is_own_memory((struct mm_struct *)memory->mm) &&
				    mmget_not_zero((struct mm_struct *)memory->mm))
					found = (struct mm_struct *)memory->mm;
			if (found)
				break;
		}
	}
	raw_spin_unlock(&user_map_lock);
	return found;
}

static struct file *open_mapped(const struct user_file *file)
{
	struct mm_struct *mm = memory_with(file);
	struct vm_area_struct *area;
	struct file *found = NULL;

	if (!mm)
		return NULL;
	mmap_read_lock(mm);
	{
		COMPAT_AREAS(areas, mm, 0);

		compat_for_each_area(areas, area)
		{
			struct user_file_id id;

			if (!area->vm_file || !is_known_code(area))
				continue;
			id = user_file_id(file_inode(area->vm_file));
			if (!is_same_file(&id, &file->id))
				continue;
			found = get_file(area->vm_file);
			break;
		}
	}
	mmap_read_unlock(mm);
	mmput(mm);
	return found;
}

/* Return whether the task's mm still has this perf map, and the script may see the task. */
static bool is_maker(struct task_struct *task, const struct user_file *file)
{
	struct mm_struct *mm = get_task_mm(task);
	bool is_same;

	if (!mm)
		return false;
	rcu_read_lock();
	is_same = user_made_code(mm) == file && is_own_task(task);
	rcu_read_unlock();
	mmput(mm);
	return is_same;
}

/* Return the process that the perf map belongs to, or NULL if it has ended. */
static struct task_struct *maker_of(const struct user_file *file)
{
	struct task_struct *task = get_pid_task(file->maker, PIDTYPE_TGID);

	if (!task || is_maker(task, file))
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

static struct file *open_names_of(const struct user_file *file)
{
	struct task_struct *task = maker_of(file);
	struct file *opened;

	if (!task)
		return NULL;
	opened = open_as(task, user_file_name(file));
	put_task_struct(task);
	return opened;
}

struct file *user_file_open(const struct user_file *file)
{
	return file->maker ? open_names_of(file) : open_mapped(file);
}

/* ---- creation and destruction ------------------------------------------------------------------------------------ */

int user_map_create(void)
{
	struct user_file *vdso;

	memory_buckets = checked(kvcalloc(1u << MEMORY_BITS, sizeof(*memory_buckets), GFP_KERNEL));
	file_buckets = checked(kvcalloc(1u << FILE_BITS, sizeof(*file_buckets), GFP_KERNEL));
	user_files = checked(kvcalloc(MOST_USER_FILES, sizeof(*user_files), GFP_KERNEL));
	if (!memory_buckets || !file_buckets || !user_files)
		return -ENOMEM;
	vdso = checked(kzalloc(sizeof(*vdso), GFP_KERNEL));
	if (!vdso)
		return -ENOMEM;
	strcpy(vdso->short_name, "[vdso]");
	vdso->name = vdso->short_name;
	user_files[STP_OBJECT_VDSO] = vdso;
	user_files_count = STP_OBJECT_VDSO + 1;
	return user_reserve_create();
}

static void free_memory(struct user_memory *memory)
{
	put_user_map(memory->map);
	kfree(memory);
}

static void free_memories(void)
{
	struct user_memory *memory;
	struct hlist_node *next;
	unsigned int i;

	for (i = 0; memory_buckets && i < 1u << MEMORY_BITS; i++)
		hlist_for_each_entry_safe(memory, next, &memory_buckets[i], in_bucket) free_memory(memory);
	hlist_for_each_entry_safe(memory, next, &retired_memories, in_retired) free_memory(memory);
}

void user_map_destroy(void)
{
	unsigned int i;

	user_map_stop();
	user_reserve_destroy();
	free_memories();
	for (i = 0; i < user_files_count; i++) {
		if (user_files[i]->owns_table)
			vfree(user_files[i]->table);
		put_pid(user_files[i]->maker);
		if (user_files[i]->unnamed)
			fput(user_files[i]->unnamed);
		free_user_file(user_files[i], GFP_KERNEL);
	}
	kvfree(memory_buckets);
	kvfree(file_buckets);
	kvfree(user_files);
}
