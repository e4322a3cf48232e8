// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The processes that a probe of programs selects: one by its PID, or the target of -c and -x with all its descendants,
 * even after their parents have ended.
 *
 * The family is a bitmap of PIDs, so that any context can test it. It contains the target's descendants at the start,
 * and is updated by the tracepoints of fork and exit.
 */
#include <linux/mm_types.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/threads.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#include "runtime/core/allocation.h"
#include "runtime/core/internal.h"
#include "runtime/core/pin_cpu.h"
#include "runtime/core/session.h"
#include "runtime/core/tracepoint_hook.h"
#include "runtime/user/process_tree.h"

static unsigned long *family; /* NULL: not used by the script */
static struct process_hook family_fork, family_exit;
static unsigned int family_users;

HOT bool is_of_family(pid_t process)
{
	const unsigned long *members = READ_ONCE(family);

	return members && (unsigned int)process < PID_MAX_LIMIT && test_bit(process, members);
}

static void notrace family_forks(void *data, struct task_struct *parent, struct task_struct *child)
{
	PIN_CPU;

	if (test_bit(parent->tgid, family))
		set_bit(child->tgid, family);
}

/* Remove a process that ends, because its PID may be reused. */
static void notrace family_member_ends(void *data, struct task_struct *task)
{
	PIN_CPU;

	if (!atomic_read(&task->signal->live))
		clear_bit(task->tgid, family);
}

/*
 * Translate a PID from staprun's namespace, which the script uses, to the initial namespace. Return 0 if it does not
 * exist.
 */
static pid_t number_of_process(pid_t number)
{
	return pid_nr(find_pid_ns(number, session_pids ?: &init_pid_ns));
}

static bool descends_from(const struct task_struct *task, pid_t ancestor)
{
	/* The hierarchy may change while it is read under RCU, so bound the number of steps. */
	unsigned int steps = 1000;

	for (; task && task->tgid > 1 && steps--; task = rcu_dereference(task->real_parent))
		if (task->tgid == ancestor)
			return true;
	return false;
}

static void find_family(void)
{
	const struct task_struct *process;
	pid_t target;

	rcu_read_lock();
	target = number_of_process(session_target);
	for_each_process(process)
		if (target && descends_from(process, target))
			set_bit(process->tgid, family);
	rcu_read_unlock();
}

static bool is_asked_for(const struct stp_probe *probe)
{
	bool follows = probe->kind == STP_PROBE_UPROBE || probe->kind == STP_PROBE_URETPROBE ||
		       probe->kind == STP_PROBE_PROCESS || probe->kind == STP_PROBE_USER_DATA;

	return follows && probe->details && probe->details->of_target;
}

int family_watch(void)
{
	unsigned int i;
	int error;

	for (i = 0; i < stp_script.probe_count && !is_asked_for(&stp_script.probes[i]); i++)
		;
	if (i == stp_script.probe_count || family_users++)
		return 0;
	family = checked(vzalloc(BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(long)));
	if (!family)
		return -ENOMEM;
	error = hook_process(&family_fork, "sched_process_fork", family_forks);
	error = error ?: hook_process(&family_exit, "sched_process_exit", family_member_ends);
	find_family();
	return error;
}

void family_ignore(void)
{
	if (!family_users || --family_users || !family)
		return;
	unhook_process(&family_fork);
	unhook_process(&family_exit);
	tracepoint_synchronize_unregister();
	vfree(family);
	family = NULL;
}

/* ---- a single process -------------------------------------------------------------------------------------------- */

pid_t probe_process(const struct stp_probe *probe)
{
	pid_t number = probe->details ? probe->details->process : 0;

	if (!number)
		return 0;
	rcu_read_lock();
	number = number_of_process(number);
	rcu_read_unlock();
	return number ?: -ESRCH;
}

bool memory_is_of(const struct mm_struct *memory, pid_t process, bool of_target)
{
#ifdef CONFIG_MEMCG
	const struct task_struct *owner;
	bool is;

	if (!process && !of_target)
		return true;
	rcu_read_lock();
	owner = rcu_dereference(memory->owner);
	is = owner && (!process || owner->tgid == process) && (!of_target || is_of_family(owner->tgid));
	rcu_read_unlock();
	return is;
#else
	return true;
#endif
}
