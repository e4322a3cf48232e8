// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of programs and libraries (object_table.h): those that the translator has put into the module, and those that
 * stap-tables makes while the script runs.
 *
 * When a stack first enters a file without a table, the tables of all files in that process are requested. Until the
 * answer arrives, its frames are unknown. Questions and answers pass through the debugfs file "objects" (protocol.h).
 * stap-tables need not open the file by name: the module returns a descriptor for the mapped file, if the reader of
 * "objects" may read it. Thus it also finds files that were deleted or replaced, or are in another root directory.
 *
 * A forged table makes a walk read any word of a stack as a return address. So a table that an ordinary user's
 * stap-tables made is used only for processes that this user may ptrace(). Such a stap-tables also receives no question
 * about other processes, and opens no file of theirs. It is trusted if staprun has said that its user may load any
 * module (STP_OBJECT_TRUST).
 */
#include <linux/cred.h>
#include <linux/debugfs.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "runtime/abi/object_table.h"
#include "runtime/abi/protocol.h"
#include "runtime/core/arming.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"
#include "runtime/user/stacks/jit_maps.h"
#include "runtime/user/stacks/map_files.h"
#include "runtime/user/stacks/maps.h"
#include "runtime/user/stacks/open_file.h"
#include "runtime/user/stacks/tables.h"

enum {
	TABLE_LIMIT = 64 << 20,
	ALL_TABLES_LIMIT = 1 << 30, /* or an eighth of the machine's memory, if that is less */
	PATIENCE = 3 * HZ, /* wait for the first tables */
};

static const unsigned long MOST_PATIENCE = 16 * HZ;

static DECLARE_WAIT_QUEUE_HEAD(objects_wait);
static DEFINE_MUTEX(objects_mutex);
static DECLARE_WAIT_QUEUE_HEAD(answers_wait);
static atomic_t wanted_files = ATOMIC_INIT(0);
static atomic_t open_questions = ATOMIC_INIT(0); /* wanted or asked, not answered yet */
static atomic_t objects_readers = ATOMIC_INIT(0), trusted_readers = ATOMIC_INIT(0);
static bool has_users_tables __read_mostly;

/* ---- requesting -------------------------------------------------------------------------------------------------- */

static void wake_objects(struct irq_work *work)
{
	wake_up_all(&objects_wait);
}

static DEFINE_IRQ_WORK(objects_work, wake_objects);

/* Return whether the current process's memory contains the build-id of the table. */
static bool has_build_in_memory(const struct user_range *range, const struct stp_object_table *table)
{
	u8 found[STP_OBJECT_ID_SIZE];
	unsigned long bias;

	return table->build_id_size && user_range_bias(range, table, &bias) &&
	       !copy_from_user_nofault(found, (const void __user *)(bias + (unsigned long)table->id_address),
				       table->build_id_size) &&
	       !memcmp(found, table->build_id, table->build_id_size);
}

/* Compare base names. Return true if the file's name is not known yet. */
static bool may_be_object(const struct user_file *file, const struct stp_user_object *object)
{
	const char *name = smp_load_acquire(&file->name);

	return !name || !strcmp(kbasename(object->path), kbasename(name));
}

/*
 * Find a table of the script's module by build-id, for a file whose path in the process differs from the translator's.
 */
static const struct stp_object_table *find_module_table(const struct user_range *range)
{
	unsigned int i;

	for (i = 0; i < stp_script.user_object_count; i++) {
		const struct stp_user_object *object = &stp_script.user_objects[i];

		if (may_be_object(range->file, object) && has_build_in_memory(range, object->table))
			return object->table;
	}
	return NULL;
}

static void want_table(struct user_file *file)
{
	if (atomic_read(&file->state) != USER_FILE_IDLE ||
	    atomic_cmpxchg(&file->state, USER_FILE_IDLE, USER_FILE_WANTED) != USER_FILE_IDLE)
		return;
	atomic_inc(&open_questions);
	atomic_inc(&wanted_files);
	irq_work_queue(&objects_work);
}

/* Set a table of a file, unless it is set. The exchange is a full barrier, for the acquire in user_file_table(). */
static bool set_table(const struct stp_object_table **slot, const struct stp_object_table *table)
{
	return !cmpxchg(slot, NULL, table);
}

bool user_tables_are_for(struct task_struct *task)
{
	if (likely(atomic_read(&trusted_readers) && !READ_ONCE(has_users_tables)))
		return true;
	return is_users_task(task);
}

const struct stp_object_table *user_table(const struct user_range *range, bool is_current, bool is_own)
{
	struct user_file *file = range->file;
	const struct stp_object_table *table = user_file_table(file, is_own);

	if (table || (is_own && atomic_read(&file->state) == USER_FILE_ANSWERED))
		return table;
	table = is_current ? find_module_table(range) : NULL;
	/*
	 * A user can write any build-id into the memory of their own processes. So for an untrusted user, this proves
	 * nothing about the file in other processes.
	 */
	if (table && atomic_read(&trusted_readers))
		set_table(&file->table, table);
	if (!table && (is_own || atomic_read(&trusted_readers)))
		want_table(file);
	return table ?: user_file_table(file, is_own);
}

/* Request a perf map again, because it may have grown. The interval doubles with each request. */
static void want_table_again(struct user_file *file)
{
	int state = atomic_read(&file->state);

	if (state == USER_FILE_ANSWERED && time_after(jiffies, READ_ONCE(file->asked_at) + READ_ONCE(file->patience)) &&
	    atomic_cmpxchg(&file->state, USER_FILE_ANSWERED, USER_FILE_IDLE) == USER_FILE_ANSWERED)
		WRITE_ONCE(file->patience, min(2 * file->patience, MOST_PATIENCE));
	else if (state != USER_FILE_IDLE)
		return;
	WRITE_ONCE(file->owner, current_euid());
	WRITE_ONCE(file->asked_at, jiffies);
	want_table(file);
}

const struct stp_object_table *user_jit_table(struct user_file **file, unsigned long address, bool is_own)
{
	const struct stp_object_table *table = user_jit_names(file, address, is_own);
	struct user_file *jit_map;

	if (!is_own && !atomic_read(&trusted_readers))
		return table;
	for (jit_map = *file; jit_map && !table; jit_map = jit_map->before)
		want_table_again(jit_map);
	return table;
}

/* Take the next wanted file, or return NULL. */
static struct user_file *next_wanted(void)
{
	unsigned int count = user_file_count(), i;

	for (i = 0; atomic_read(&wanted_files) > 0 && i < count; i++) {
		struct user_file *file = user_file(i);

		if (atomic_cmpxchg(&file->state, USER_FILE_WANTED, USER_FILE_ASKED) == USER_FILE_WANTED) {
			atomic_dec(&wanted_files);
			return file;
		}
	}
	return NULL;
}

/* ---- the file "objects" ------------------------------------------------------------------------------------------ */

/* Return whether a file descriptor of "objects" is that of a trusted stap-tables. */
static bool is_trusted(const struct file *file)
{
	return READ_ONCE(file->private_data);
}

/* Return whether the questions are for this reader: not for an untrusted one while there is a trusted one. */
static bool is_asked(const struct file *file)
{
	return is_trusted(file) || !atomic_read(&trusted_readers);
}

/* Return false if there is no question. Needs the mutex. */
static bool next_question(const struct file *file, struct stp_object_question *question)
{
	const struct user_file *wanted = is_asked(file) ? next_wanted() : NULL;

	if (!wanted)
		return false;
	user_files_name();
	question->with_lines = stp_script.user_lines;
	question->number = wanted->number;
	question->device = new_encode_dev(wanted->id.device);
	question->inode = wanted->id.inode;
	question->is_of_names = !!wanted->maker;
	question->owner = from_kuid_munged(current_user_ns(), wanted->owner);
	strscpy(question->path, user_file_name(wanted), sizeof(question->path));
	return true;
}

static ssize_t objects_read(struct file *file, char __user *to, size_t size, loff_t *position)
{
	struct stp_object_question *question;
	ssize_t result = 0;

	if (size < sizeof(*question))
		return -EINVAL;
	question = kzalloc(sizeof(*question), GFP_KERNEL);
	if (!question)
		return -ENOMEM;
	mutex_lock(&objects_mutex);
	if (next_question(file, question))
		result = sizeof(*question);
	mutex_unlock(&objects_mutex);
	if (result && copy_to_user(to, question, sizeof(*question)))
		result = -EFAULT;
	kfree(question);
	return result;
}

static __poll_t objects_poll(struct file *file, poll_table *table)
{
	poll_wait(file, &objects_wait, table);
	return is_asked(file) && atomic_read(&wanted_files) > 0 ? EPOLLIN | EPOLLRDNORM : 0;
}

/* Limits the memory for all users' tables. Protected by the mutex, as receiving and dropping tables is. */
static size_t tables_size;

static bool has_room_for(size_t size)
{
	static bool is_told;
	size_t most = min_t(size_t, (size_t)totalram_pages() << (PAGE_SHIFT - 3), ALL_TABLES_LIMIT);

	if (size <= TABLE_LIMIT && tables_size + size <= most)
		return true;
	if (!is_told)
		transport_message(STP_RECORD_WARNING, false,
				  "tables of programs take %zu kB, and another one of %zu kB exceeds the limit: "
				  "stacks of its program are incomplete",
				  tables_size >> 10, size >> 10);
	is_told = true;
	return false;
}

static void drop_table(const struct stp_object_table *table)
{
	tables_size -= table ? table->size : 0;
	vfree(table);
}

/* Receive a table from user space and check it. */
static struct stp_object_table *receive_table(const char __user *from, size_t size)
{
	struct stp_object_table *table;

	if (!has_room_for(size))
		return ERR_PTR(-EFBIG);
	table = vmalloc(size);
	if (!table)
		return ERR_PTR(-ENOMEM);
	if (!copy_from_user(table, from, size) && stp_object_is_sound(table, size)) {
		tables_size += size;
		return table;
	}
	vfree(table);
	return ERR_PTR(-EINVAL);
}

/*
 * Set or replace a table of a perf map. Return false if the old one stays; else take over @p table. The old table may
 * be in use by event handlers. These do not sleep while they use it, so wait for a grace period. Begin and end probes
 * may sleep, but do not run while the session is running.
 */
static bool replace_table(const struct stp_object_table **slot, struct stp_object_table *table)
{
	const struct stp_object_table *old = NULL;
	bool is_running;

	if (set_table(slot, table))
		return true;
	arming_lock();
	is_running = session_is(SESSION_RUNNING);
	if (is_running)
		old = xchg(slot, table);
	arming_unlock();
	if (!is_running)
		return false;
	synchronize_rcu();
	drop_table(old);
	return true;
}

/* Set a table from stap-tables and take it over. Return false if it is not used. */
static bool take_table(struct user_file *file, struct stp_object_table *table, bool trusted)
{
	const struct stp_object_table **slot = trusted ? &file->table : &file->users_table;

	/* Before the table can be seen, see user_tables_are_for(). */
	if (!trusted)
		WRITE_ONCE(has_users_tables, true);
	if (!(file->maker ? replace_table(slot, table) : set_table(slot, table)))
		return false;
	if (trusted)
		file->owns_table = true;
	return true;
}

/* Store an answer and take over the table, even on failure. */
static int store_table(const struct stp_object_answer *answer, struct stp_object_table *table, bool trusted)
{
	struct user_file *file = user_file(answer->number);

	if (!file || atomic_cmpxchg(&file->state, USER_FILE_ASKED, USER_FILE_ANSWERED) != USER_FILE_ASKED) {
		drop_table(table);
		return -EINVAL;
	}
	if (!table || !take_table(file, table, trusted))
		drop_table(table);
	if (atomic_dec_and_test(&open_questions))
		wake_up_all(&answers_wait);
	return 0;
}

/* Receive an answer, which is followed by the table if there is one, in a single write(). */
static ssize_t objects_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	struct stp_object_table *table = NULL;
	struct stp_object_answer answer;
	int error;

	if (size < sizeof(answer) || copy_from_user(&answer, from, sizeof(answer)))
		return -EINVAL;
	mutex_lock(&objects_mutex);
	if (size > sizeof(answer))
		table = receive_table(from + sizeof(answer), size - sizeof(answer));
	error = PTR_ERR_OR_ZERO(table) ?: store_table(&answer, table, is_trusted(file));
	mutex_unlock(&objects_mutex);
	return error ?: size;
}

/* Open the file again with the caller's credentials, if it may read it. Takes over the reference. */
static struct file *open_again(struct file *mapped)
{
	long error = file_permission(mapped, MAY_READ);
	struct file *opened =
		error ? ERR_PTR(error) : dentry_open(&mapped->f_path, O_RDONLY | O_LARGEFILE, current_cred());

	fput(mapped);
	return opened;
}

/* Return a descriptor for the file. The caller must be permitted to read it. */
static long objects_open_file(unsigned int number, bool trusted)
{
	struct user_file *wanted = user_file(number);
	struct file *opened = wanted ? user_file_open(wanted, trusted) : NULL;
	long result;

	/* user_file_open() has opened a perf map with its owner's credentials. */
	if (opened && !wanted->maker)
		opened = open_again(opened);
	if (IS_ERR_OR_NULL(opened))
		return opened ? PTR_ERR(opened) : -ENOENT;
	result = get_unused_fd_flags(O_CLOEXEC);
	if (result < 0)
		fput(opened);
	else
		fd_install(result, opened);
	return result;
}

/*
 * Trust what is written to the descriptor. Request the tables again that only a user has made, or that were refused to
 * a user.
 */
static long objects_trust(struct file *file)
{
	unsigned int count, i;

	if (!capable(CAP_SYS_MODULE))
		return -EPERM;
	mutex_lock(&objects_mutex);
	if (!is_trusted(file)) {
		WRITE_ONCE(file->private_data, &trusted_readers);
		atomic_inc(&trusted_readers);
	}
	count = user_file_count();
	for (i = 0; i < count; i++) {
		struct user_file *known = user_file(i);

		if (!smp_load_acquire(&known->table))
			atomic_cmpxchg(&known->state, USER_FILE_ANSWERED, USER_FILE_IDLE);
		/* Another reader may never answer. */
		if (atomic_cmpxchg(&known->state, USER_FILE_ASKED, USER_FILE_WANTED) == USER_FILE_ASKED)
			atomic_inc(&wanted_files);
	}
	mutex_unlock(&objects_mutex);
	return 0;
}

static long objects_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	if (command == STP_OBJECT_TRUST)
		return objects_trust(file);
	return command == STP_OBJECT_OPEN && argument < U32_MAX ? objects_open_file(argument, is_trusted(file))
								: -ENOTTY;
}

static int objects_open(struct inode *inode, struct file *file)
{
	atomic_inc(&objects_readers);
	return 0;
}

static int objects_release(struct inode *inode, struct file *file)
{
	if (is_trusted(file))
		atomic_dec(&trusted_readers);
	if (atomic_dec_and_test(&objects_readers))
		wake_up_all(&answers_wait);
	return 0;
}

static const struct file_operations objects_operations = {
	.owner = THIS_MODULE,
	.open = objects_open,
	.release = objects_release,
	.read = objects_read,
	.write = objects_write,
	.poll = objects_poll,
	.unlocked_ioctl = objects_ioctl,
	.llseek = default_llseek,
};

/* ---- tables in the script's module ------------------------------------------------------------------------------ */

/* Return whether the file is the build that the table was made from. */
static bool is_tables_file(struct file *file, const struct stp_object_table *table)
{
	u8 found[STP_OBJECT_ID_SIZE];
	loff_t position = table->id_offset;

	if (!table->build_id_size)
		return i_size_read(file_inode(file)) == table->file_size;
	return kernel_read(file, found, table->build_id_size, &position) == table->build_id_size &&
	       !memcmp(found, table->build_id, table->build_id_size);
}

static void place_table(const struct stp_user_object *object)
{
	struct file *opened = filp_open(object->path, O_RDONLY | O_LARGEFILE, 0);
	struct user_file *file;

	/* The file may still be found by its build-id, in a process that maps it. */
	if (IS_ERR(opened))
		return;
	file = is_tables_file(opened, object->table) ? user_file_of(opened) : NULL;
	if (file)
		set_table(&file->table, object->table);
	fput(opened);
}

/* Return whether every program maps the file. */
static bool is_of_c_library(const struct user_file *file)
{
	const char *name = kbasename(user_file_name(file));

	return !strncmp(name, "libc.", 5) || !strncmp(name, "libc-", 5) || !strncmp(name, "ld-", 3) ||
	       file->number == STP_OBJECT_VDSO;
}

static bool has_file(const struct user_map *map, const struct user_file *file)
{
	unsigned int i;

	for (i = 0; map && i < map->count; i++)
		if (map->ranges[i].file == file)
			return true;
	return false;
}

/*
 * Request the tables of all files in a process, except files that staprun maps too: a command that has not called exec
 * yet is still a copy of staprun. The C library is requested nevertheless.
 */
static void want_tables_of(const struct mm_struct *mm)
{
	const struct user_map *map, *own;
	unsigned int i;

	rcu_read_lock();
	own = user_map_of(current->mm);
	map = user_map_of(mm);
	for (i = 0; map && i < map->count; i++)
		if (is_of_c_library(map->ranges[i].file) || !has_file(own, map->ranges[i].file))
			user_table(&map->ranges[i], false, true);
	rcu_read_unlock();
}

static void want_tables_of_target(void)
{
	struct task_struct *task;
	struct mm_struct *mm;

	rcu_read_lock();
	task = session_target ? pid_task(find_pid_ns(session_target, session_pids), PIDTYPE_PID) : NULL;
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	mm = task ? get_task_mm(task) : NULL;
	if (mm) {
		if (atomic_read(&trusted_readers) ? is_own_memory(mm) : is_users_memory(mm))
			want_tables_of(mm);
		mmput(mm);
	}
	if (task)
		put_task_struct(task);
}

static bool is_answered(void)
{
	return !atomic_read(&open_questions) || !atomic_read(&objects_readers);
}

/*
 * Request the tables of the C library and of the target process, which the first stack will need, and wait for them for
 * up to PATIENCE.
 */
void user_table_start(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.user_object_count; i++)
		place_table(&stp_script.user_objects[i]);
	want_tables_of(current->mm);
	want_tables_of_target();
	wait_event_killable_timeout(answers_wait, is_answered(), PATIENCE);
}

int user_table_create(struct dentry *directory)
{
	return PTR_ERR_OR_ZERO(debugfs_create_file("objects", 0600, directory, NULL, &objects_operations));
}

/* Called after the debugfs files are removed. */
void user_table_destroy(void)
{
	irq_work_sync(&objects_work);
}
