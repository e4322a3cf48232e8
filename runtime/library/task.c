// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks, for the tapset's functions about processes. Addresses of tasks come from scripts and are not trusted: every
 * field is loaded without faults, as by copy_from_kernel_nofault(). Strings of the current process come from its memory
 * as far as it is present, because handlers cannot wait for pages. Functions for the current task only are at the end.
 */
#include <linux/cred.h>
#include <linux/fdtable.h>
#include <linux/mm_types.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include <asm/syscall.h>

#include "runtime/compat/compat.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"
#include "runtime/library/task.h"
#include "runtime/user/memory.h"

const struct stp_task_layout stp_task_layout = {
	.tgid = offsetof(struct task_struct, tgid),
	.pid = offsetof(struct task_struct, pid),
	.comm = offsetof(struct task_struct, comm),
};

bool load_field(struct stp_context *c, void *to, const void *from, size_t size)
{
	if ((long)from < 0 && !copy_from_kernel_nofault(to, from, size))
		return true;
	memset(to, 0, size);
	stp_fault(c, (unsigned long)from);
	return false;
}

static const struct cred *task_cred(struct stp_context *c, const struct task_struct *task)
{
	return (__force const struct cred *)LOAD(c, task, real_cred);
}

static s64 task_number(struct stp_context *c, const struct task_struct *task, enum stp_task_fact fact)
{
	switch (fact) {
	case STP_TASK_PID:
		return LOAD(c, task, tgid);
	case STP_TASK_TID:
		return LOAD(c, task, pid);
	case STP_TASK_PARENT:
		return (__force s64)LOAD(c, task, real_parent);
	case STP_TASK_STATE:
		return LOAD(c, task, COMPAT_TASK_STATE) | LOAD(c, task, exit_state);
	case STP_TASK_PRIORITY:
		return LOAD(c, task, prio) - MAX_RT_PRIO;
	case STP_TASK_NICE:
		return PRIO_TO_NICE(LOAD(c, task, static_prio));
	case STP_TASK_CPU:
		return LOAD(c, task, COMPAT_TASK_CPU);
	case STP_TASK_UID:
		return from_kuid_munged(&init_user_ns, LOAD(c, task_cred(c, task), uid));
	case STP_TASK_EUID:
		return from_kuid_munged(&init_user_ns, LOAD(c, task_cred(c, task), euid));
	case STP_TASK_GID:
		return from_kgid_munged(&init_user_ns, LOAD(c, task_cred(c, task), gid));
	case STP_TASK_EGID:
		return from_kgid_munged(&init_user_ns, LOAD(c, task_cred(c, task), egid));
	case STP_TASK_USER_TIME:
		return LOAD(c, task, utime);
	case STP_TASK_SYSTEM_TIME:
		return LOAD(c, task, stime);
	case STP_TASK_START_TIME:
		return LOAD(c, task, start_time);
	case STP_TASK_BLOCKED:
		return LOAD(c, task, blocked).sig[0];
	case STP_TASK_GROUP:
	case STP_TASK_SESSION:
		break;
	}
	return 0;
}

stp_long stp_task(struct stp_context *c, unsigned long task, enum stp_task_fact fact)
{
	s64 value = task_number(c, (const struct task_struct *)task, fact);

	return c->error ? 0 : value;
}

void stp_task_name(struct stp_context *c, char *to, unsigned long address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	char name[TASK_COMM_LEN] = "";

	if (load_field(c, name, task->comm, sizeof(name)))
		strscpy(to, name, min_t(size_t, stp_script.string_size, sizeof(name)));
	else
		to[0] = '\0';
}

unsigned long stp_task_find(stp_long pid)
{
	struct task_struct *task = NULL;

	/* The task may exit at any time; callers read its memory without faults. */
	rcu_read_lock();
	if (pid > 0 && pid <= PID_MAX_LIMIT)
		task = pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return (unsigned long)task;
}

/*
 * Return whether a task descends from a process. Under RCU. The chain of parents ends at a task that is its own parent.
 */
static bool descends(const struct task_struct *task, pid_t ancestor)
{
	int depth;

	for (depth = 0; depth < 64; depth++) {
		const struct task_struct *parent = rcu_dereference(task->real_parent);

		if (task->tgid == ancestor)
			return true;
		if (parent == task || task->tgid <= 1)
			break;
		task = parent;
	}
	return false;
}

stp_long stp_next_descendant(struct stp_context *c, stp_long first, stp_long after)
{
	int number = after;
	struct pid *pid;
	stp_long found = 0;

	if (after < 0 || after >= PID_MAX_LIMIT)
		return 0;
	rcu_read_lock();
	while (!found && ++number && (pid = idr_get_next(&init_pid_ns.idr, &number))) {
		const struct task_struct *task = pid_task(pid, PIDTYPE_TGID);

		if (task && descends(task, first))
			found = number;
	}
	rcu_read_unlock();
	return found;
}

bool task_exists(struct stp_context *c, const struct task_struct *task)
{
	s64 pid = LOAD(c, task, pid);

	/* Idle tasks have no PID. The current task always exists. */
	return !c->error && (task == current || stp_task_find(pid) == (unsigned long)task);
}

/* Return an id in the shown namespace. Under RCU, for a task that exists. */
static s64 number_in_namespace(struct task_struct *task, enum stp_task_fact fact)
{
	const struct cred *cred = __task_cred(task);
	struct user_namespace *users = shown_users;
	struct pid_namespace *pids = shown_pids;

	switch (fact) {
	case STP_TASK_PID:
		return __task_pid_nr_ns(task, PIDTYPE_TGID, pids);
	case STP_TASK_TID:
		return __task_pid_nr_ns(task, PIDTYPE_PID, pids);
	case STP_TASK_PARENT:
		return __task_pid_nr_ns(rcu_dereference(task->real_parent), PIDTYPE_TGID, pids);
	case STP_TASK_GROUP:
		return __task_pid_nr_ns(task, PIDTYPE_PGID, pids);
	case STP_TASK_SESSION:
		return __task_pid_nr_ns(task, PIDTYPE_SID, pids);
	case STP_TASK_UID:
		return from_kuid_munged(users, cred->uid);
	case STP_TASK_EUID:
		return from_kuid_munged(users, cred->euid);
	case STP_TASK_GID:
		return from_kgid_munged(users, cred->gid);
	case STP_TASK_EGID:
		return from_kgid_munged(users, cred->egid);
	default:
		return 0;
	}
}

stp_long stp_task_in_namespace(struct stp_context *c, unsigned long address, enum stp_task_fact fact)
{
	struct task_struct *task = (struct task_struct *)address;
	s64 value = 0;

	rcu_read_lock();
	if (shown_pids && task_exists(c, task))
		value = number_in_namespace(task, fact);
	rcu_read_unlock();
	return value;
}

/* ---- open files ------------------------------------------------------------------------------------------------- */

enum { MOST_FILES = 65536 }; /* limit, because a handler must end */

static const struct fdtable *task_files(struct stp_context *c, unsigned long address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	const struct files_struct *files = LOAD(c, task, files);

	/* A kernel thread or an exiting task may have none. */
	return files && !c->error ? (__force const struct fdtable *)LOAD(c, files, fdt) : NULL;
}

stp_long stp_task_file_limit(struct stp_context *c, unsigned long task)
{
	const struct fdtable *table = task_files(c, task);

	return table && !c->error ? LOAD(c, table, max_fds) : 0;
}

stp_long stp_task_file_count(struct stp_context *c, unsigned long task)
{
	const struct fdtable *table = task_files(c, task);
	const unsigned long *bits = table && !c->error ? LOAD(c, table, open_fds) : NULL;
	unsigned int i, most = bits ? min_t(unsigned int, LOAD(c, table, max_fds), MOST_FILES) : 0;
	stp_long count = 0;

	for (i = 0; i < BITS_TO_LONGS(most) && !c->error; i++) {
		unsigned long word = 0;

		if (load_field(c, &word, &bits[i], sizeof(word)))
			count += hweight_long(word);
	}
	return count;
}

unsigned long stp_task_file(struct stp_context *c, unsigned long task, stp_long number)
{
	const struct fdtable *table = task_files(c, task);
	struct file *file = NULL;

	if (!table || c->error || number < 0 || number >= LOAD(c, table, max_fds) || c->error)
		return 0;
	load_field(c, &file, (const void *)(LOAD(c, table, fd) + number), sizeof(file));
	return c->error ? 0 : (unsigned long)file;
}

/* ---- memory of a process ----------------------------------------------------------------------------------------- */

static s64 counted_pages(struct stp_context *c, const struct mm_struct *memory, unsigned int kind)
{
	const s32 __percpu *const *parts = compat_memory_counter_parts(memory, kind);
	const s32 __percpu *part = NULL;
	s64 pages = 0;
	int cpu;

	load_field(c, &pages, compat_memory_counter(memory, kind), sizeof(pages));
	if (parts && load_field(c, (void *)&part, parts, sizeof(part))) {
		for_each_possible_cpu(cpu) {
			s32 more = 0;

			if (!copy_from_kernel_nofault(&more, per_cpu_ptr(part, cpu), sizeof(more)))
				pages += more;
		}
	}
	return max_t(s64, pages, 0);
}

static s64 memory_fact(struct stp_context *c, const struct mm_struct *memory, enum stp_memory_fact fact)
{
	s64 shared;

	switch (fact) {
	case STP_MEMORY_SIZE:
		return LOAD(c, memory, total_vm);
	case STP_MEMORY_RESIDENT:
	case STP_MEMORY_SHARED:
		shared = counted_pages(c, memory, MM_FILEPAGES) + counted_pages(c, memory, MM_SHMEMPAGES);
		return fact == STP_MEMORY_SHARED ? shared : shared + counted_pages(c, memory, MM_ANONPAGES);
	case STP_MEMORY_CODE:
		return (PAGE_ALIGN(LOAD(c, memory, end_code)) - (LOAD(c, memory, start_code) & PAGE_MASK)) >>
		       PAGE_SHIFT;
	case STP_MEMORY_DATA:
		return LOAD(c, memory, data_vm) + LOAD(c, memory, stack_vm);
	}
	return 0;
}

static const struct mm_struct *task_memory(struct stp_context *c, const struct task_struct *task)
{
	/* A kernel thread may have borrowed an mm. */
	return LOAD(c, task, flags) & PF_KTHREAD ? NULL : (const struct mm_struct *)LOAD(c, task, mm);
}

stp_long stp_process_memory(struct stp_context *c, unsigned long address, enum stp_memory_fact fact)
{
	const struct task_struct *task = (const struct task_struct *)address;
	const struct mm_struct *memory = task_memory(c, task);
	s64 value = memory && !c->error ? memory_fact(c, memory, fact) : 0;

	return c->error ? 0 : value;
}

stp_long stp_executable(struct stp_context *c, unsigned long address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	const struct mm_struct *memory = task_memory(c, task);

	return memory && !c->error ? (__force s64)LOAD(c, memory, exe_file) : 0;
}

/* ---- the current process ----------------------------------------------------------------------------------------- */

stp_long stp_ppid(void)
{
	/* The kernel reads it under RCU; a stale parent is still valid memory while preemption is off. */
	struct task_struct *parent = rcu_dereference_raw(context_task()->real_parent);

	return parent ? parent->tgid : 0;
}

/*
 * Return the credentials of the context's task; the current one may have overridden its own. They stay valid because
 * preemption is off in handlers.
 */
static const struct cred *context_cred(void)
{
	const struct task_struct *task = context_task();

	return task == current ? current_cred() : rcu_dereference_sched(task->real_cred);
}

stp_long stp_uid(void)
{
	return from_kuid_munged(&init_user_ns, context_cred()->uid);
}

stp_long stp_euid(void)
{
	return from_kuid_munged(&init_user_ns, context_cred()->euid);
}

stp_long stp_gid(void)
{
	return from_kgid_munged(&init_user_ns, context_cred()->gid);
}

stp_long stp_pgrp(void)
{
	return __task_pid_nr_ns(context_task(), PIDTYPE_PGID, &init_pid_ns);
}

stp_long stp_sid(void)
{
	return __task_pid_nr_ns(context_task(), PIDTYPE_SID, &init_pid_ns);
}

stp_long stp_egid(void)
{
	return from_kgid_munged(&init_user_ns, context_cred()->egid);
}

stp_long stp_user_address(void)
{
	struct task_struct *task = context_task();

	return task->mm && !(task->flags & PF_KTHREAD) ? instruction_pointer(task_pt_regs(task)) : 0;
}

stp_long stp_system_call_of_task(void)
{
	struct task_struct *task = context_task();
	int number = task->mm && !(task->flags & PF_KTHREAD) ? syscall_get_nr(task, task_pt_regs(task)) : -1;

	return number >= 0 ? number : 0;
}

/* Get the range of the argument or environment strings in the memory of the current process. */
static bool process_strings(bool environment, unsigned long *start, unsigned long *end)
{
	const struct task_struct *task = context_task();
	const struct mm_struct *mm = task->mm;

	if (!mm || (task->flags & PF_KTHREAD))
		return false;
	*start = environment ? READ_ONCE(mm->env_start) : READ_ONCE(mm->arg_start);
	*end = environment ? READ_ONCE(mm->env_end) : READ_ONCE(mm->arg_end);
	return *start && *start < *end;
}

static bool next_byte(unsigned long *at, unsigned long end, char *byte)
{
	return *at < end && read_user(byte, (*at)++, 1);
}

void stp_command_line(char *to, stp_long first, stp_long last, const char *between)
{
	unsigned int used = 0, size = stp_script.string_size;
	unsigned long at, end;
	stp_long index = 0;
	char byte;

	to[0] = '\0';
	if (!process_strings(false, &at, &end))
		return;
	while ((last < first || index <= last) && used < size - 1 && next_byte(&at, end, &byte)) {
		if (index >= first && byte)
			to[used++] = byte;
		if (byte)
			continue;
		index++;
		if (index > first && at < end && (last < first || index <= last))
			used += strscpy(to + used, between, size - used) < 0 ? size - 1 - used : strlen(between);
	}
	to[used] = '\0';
}

void stp_environment(char *to, const char *name)
{
	unsigned long at, end;
	unsigned int used = 0;
	size_t length = strlen(name), matched = 0;
	bool same = true;
	char byte;

	to[0] = '\0';
	if (!length || !process_strings(true, &at, &end))
		return;
	while (used < stp_script.string_size - 1 && next_byte(&at, end, &byte)) {
		if (same && matched > length) {
			if (!byte)
				break;
			to[used++] = byte;
		} else if (!byte) {
			same = true;
			matched = 0;
		} else if (same) {
			same = byte == (matched == length ? '=' : name[matched]);
			matched++;
		}
	}
	to[used] = '\0';
}
