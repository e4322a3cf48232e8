// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process("program").data(…): watchpoints on memory of processes that run a program, now or later.
 *
 * The load bias of a process that starts the program is known from its first instruction on, where uprobe.c sets an
 * internal probe (ROLE_WATCH). Its hit creates an event for the process. Threads and children that it creates later
 * inherit the event, and an exec removes it. The threads of processes that run the program already get events when the
 * script starts.
 */
#include <linux/cred.h>
#include <linux/mm_types.h>
#include <linux/perf_event.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "runtime/abi/protocol.h"
#include "runtime/arch/breakpoints.h"
#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/core/session.h"
#include "runtime/core/target.h"
#include "runtime/core/transport.h"
#include "runtime/probes/families.h"
#include "runtime/probes/perf.h"
#include "runtime/probes/process_data.h"
#include "runtime/probes/watchpoint.h"
#include "runtime/user/process_tree.h"
#include "runtime/user/program_build.h"
#include "runtime/user/program_file.h"

#if defined(CONFIG_PERF_EVENTS) && defined(CONFIG_UPROBES) && defined(CONFIG_HAVE_HW_BREAKPOINT)

/* An event of a thread, and all that inherit from it. */
struct watch {
	struct list_head list;
	const struct stp_probe *probe;
	struct perf_event *event;
	pid_t thread;
};

static LIST_HEAD(watches);
static DEFINE_MUTEX(watches_mutex);
static bool watches_are_wanted; /* protected by watches_mutex */
static atomic_t watch_failures; /* reported once */

static const char *watch_problem(int error)
{
	switch (error) {
	case -ENOSPC:
	case -EBUSY:
		return "all debug registers are in use (" WATCHPOINTS_EXIST ")";
	case -EINVAL:
		return "the address is not a multiple of the length";
	case -ENOSYS:
		return "this kernel cannot remove the event on exec, which came with 5.13";
	default:
		return "the kernel refuses it";
	}
}

static void warn_not_watched(const struct stp_probe *probe, const struct task_struct *task, int error)
{
	if (error != -ESRCH && !atomic_xchg(&watch_failures, 1))
		transport_message(STP_RECORD_WARNING, true, "probe %s is not armed in process %d: %s [%d]",
				  probe->point, task->tgid, watch_problem(error), error);
}

static void release_watch(struct watch *watch)
{
	list_del(&watch->list);
	perf_event_release_kernel(watch->event);
	kfree(watch);
}

/* Release the events that are no longer used. Return whether the thread has one. */
static bool sweep_watches(const struct stp_probe *probe, pid_t thread)
{
	struct watch *watch, *next;
	bool found = false;

	list_for_each_entry_safe(watch, next, &watches, list) {
		if (event_is_over(watch->event))
			release_watch(watch);
		else
			found |= watch->probe == probe && watch->thread == thread;
	}
	return found;
}

static int create_watch(const struct stp_probe *probe, struct task_struct *task, unsigned long base)
{
	struct watch *watch = kzalloc(sizeof(*watch), GFP_KERNEL);
	struct perf_event_attr attr;
	int error;

	if (!watch)
		return -ENOMEM;
	watchpoint_describe(probe, base + probe->address, &attr);
	attr.inherit = 1;
	compat_perf_remove_on_exec(&attr, true);
	watch->probe = probe;
	watch->thread = task->pid;
	watch->event = watchpoint_create(&attr, probe, -1, task);
	if (IS_ERR(watch->event)) {
		error = PTR_ERR(watch->event);
		kfree(watch);
		return error;
	}
	list_add_tail(&watch->list, &watches);
	return 0;
}

/* @is_new: the thread has just started the program, so what it had is over or of another program. */
static void watch_thread(const struct stp_probe *probe, struct task_struct *task, unsigned long base, bool is_new)
{
	int error = 0;

	mutex_lock(&watches_mutex);
	if (watches_are_wanted && (!sweep_watches(probe, task->pid) || is_new))
		error = create_watch(probe, task, base);
	mutex_unlock(&watches_mutex);
	if (error)
		warn_not_watched(probe, task, error);
}

void process_data_begin(const struct stp_probe *probe, unsigned long base)
{
	watch_thread(probe, current, base, true);
}

/* ---- processes that already run the program ---------------------------------------------------------------------- */

static int file_of_target(const struct stp_target *target, struct program_file *file)
{
	struct path path;
	int error = find_build_file(target, &path);

	if (error)
		return error;
	*file = program_file_of(&path);
	path_put(&path);
	return 0;
}

static void watch_process(const struct stp_probe *probe, struct task_struct *leader)
{
	const struct stp_target *target = &stp_script.targets[probe->target];
	struct mm_struct *memory = get_task_mm(leader);
	struct task_struct *threads[64], *thread;
	unsigned int count = 0, i;
	unsigned long base;

	if (!memory)
		return;
	base = READ_ONCE(memory->start_code) - target->first_code;
	if (is_own_memory(memory) && memory_is_of(memory, probe_process(probe), probe->details->of_target)) {
		rcu_read_lock();
		for_each_thread(leader, thread)
			if (count < ARRAY_SIZE(threads))
				threads[count++] = get_task_struct(thread);
		rcu_read_unlock();
	}
	mmput(memory);
	for (i = 0; i < count; i++) {
		watch_thread(probe, threads[i], base, false);
		put_task_struct(threads[i]);
	}
}

static int watch_running(const struct stp_probe *probe)
{
	struct program_file file;
	struct task_struct **tasks;
	unsigned int count, i;

	/* uprobe.c reports a file that is missing. */
	if (file_of_target(&stp_script.targets[probe->target], &file))
		return 0;
	tasks = all_processes(&count);
	if (!tasks)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		if (task_runs_program(&file, tasks[i]))
			watch_process(probe, tasks[i]);
		put_task_struct(tasks[i]);
		cond_resched();
	}
	kvfree(tasks);
	return 0;
}

/* Before the programs' uprobes are armed, whose hits need the list. */
static int arm_process_data(void)
{
	struct cred *kernel;
	const struct cred *before;
	unsigned int i;
	int error = 0;

	if (!probe_count(STP_PROBE_USER_DATA))
		return 0;
	kernel = prepare_kernel_cred(&init_task);
	if (!kernel)
		return -ENOMEM;
	mutex_lock(&watches_mutex);
	watches_are_wanted = COMPAT_PERF_CAN_LEAVE;
	mutex_unlock(&watches_mutex);
	before = override_creds(kernel);
	for (i = 0; i < stp_script.probe_count && !error; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];

		if (probe->kind != STP_PROBE_USER_DATA)
			continue;
		if (COMPAT_PERF_CAN_LEAVE)
			error = watch_running(probe);
		else
			warn_not_watched(probe, current, -ENOSYS);
	}
	revert_creds(before);
	put_cred(kernel);
	return error;
}

static void disarm_process_data(void)
{
	struct watch *watch, *next;
	bool any;

	mutex_lock(&watches_mutex);
	watches_are_wanted = false;
	any = !list_empty(&watches);
	list_for_each_entry_safe(watch, next, &watches, list)
		release_watch(watch);
	mutex_unlock(&watches_mutex);
	/* A hit may still be in the handler. */
	if (any)
		synchronize_rcu();
	atomic_set(&watch_failures, 0);
}

#else

void process_data_begin(const struct stp_probe *probe, unsigned long base)
{
}

static int arm_process_data(void)
{
	if (!probe_count(STP_PROBE_USER_DATA))
		return 0;
	transport_message(STP_RECORD_ERROR, true, "this kernel has no watchpoints in programs");
	atomic_set(&session_failed, 1);
	return -EOPNOTSUPP;
}

static void disarm_process_data(void)
{
}

#endif

const struct probe_family process_data_family = {
	.name = "data of programs",
	.arm = arm_process_data,
	.disarm = disarm_process_data,
};
