// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Perf events of a program: perf.type(t).config(c).process("program"), in every process that runs that file, now or
 * later.
 *
 * The kernel does most of the work: threads and children inherit the event, and it is removed from a process that calls
 * exec (remove_on_exec). A process that starts the program must have the event from its first instruction. So the event
 * is created before the exec is complete, where sleeping is allowed (exec.c), and the exec enables it (enable_on_exec).
 * After the exec, the event is marked to be removed by the next one.
 *
 * An event of a process is a "root". Inherited events belong to it and are released with it. On a task switch the
 * kernel may swap the events of parents and children, so a root may end up in any of them.
 *
 * While a probe's condition does not hold, it has no events: existing ones are released, and new processes get none.
 * (perf_event_disable() does not disable inherited events, and modules cannot use the functions that do.) When the
 * condition holds again, running processes get events as at the start of the script.
 */
#include <linux/perf_event.h>
#include <linux/rwsem.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "runtime/abi/protocol.h"
#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/condition.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"
#include "runtime/probes/perf.h"
#include "runtime/probes/perf_program.h"
#include "runtime/user/exec.h"
#include "runtime/user/program_file.h"

#ifdef CONFIG_PERF_EVENTS

struct followed {
	const struct stp_probe *probe;
	struct program_file file;
	bool is_wanted; /* its condition holds; protected by follow_lock */
	atomic_t failed; /* a process could not get its event; reported once */
	struct list_head roots;
	struct perf_event *trial;
};

struct root {
	struct list_head list;
	struct perf_event *event;
};

static struct followed *followed;
static unsigned int followed_count;
static DEFINE_MUTEX(roots_mutex); /* protects only the lists; nothing sleeps while holding it */
/*
 * Held for reading while events are created for processes. An exec only tries it, because a task that holds other
 * kernel locks may be waiting for the exec.
 */
static DECLARE_RWSEM(follow_lock);
static bool follows; /* protected by follow_lock */

/* Find an event of the probe in a task, except @p but. Under RCU, which protects the kernel's list of events. */
static struct perf_event *event_of(struct task_struct *task, const struct stp_probe *probe,
				   const struct perf_event *but)
{
	struct perf_event *event;
	unsigned int i;

	for (i = 0; i < COMPAT_PERF_CONTEXTS; i++) {
		struct perf_event_context *context = compat_perf_context(task, i);

		/* -1: the task is exiting. */
		if (!context || (long)context == -1)
			continue;
		list_for_each_entry_rcu(event, &context->event_list, event_entry) {
			if (event->overflow_handler_context == probe && event != but)
				return event;
		}
	}
	return NULL;
}

static bool has_event(struct task_struct *task, const struct stp_probe *probe, const struct perf_event *but)
{
	bool has;

	rcu_read_lock();
	has = event_of(task, probe, but);
	rcu_read_unlock();
	return has;
}

/* ---- roots ------------------------------------------------------------------------------------------------------- */

static void release_roots(struct list_head *roots)
{
	struct root *root, *next;

	list_for_each_entry_safe(root, next, roots, list) {
		perf_event_release_kernel(root->event);
		kfree(root);
	}
}

static void add_root(struct followed *program, struct root *added)
{
	struct root *root, *next;
	LIST_HEAD(over);

	mutex_lock(&roots_mutex);
	list_for_each_entry_safe(root, next, &program->roots, list) {
		if (event_is_over(root->event))
			list_move(&root->list, &over);
	}
	list_add_tail(&added->list, &program->roots);
	mutex_unlock(&roots_mutex);
	release_roots(&over);
}

/* Create an event. @p at_exec: the task is about to run the program, otherwise it already does. */
static struct root *create_root(const struct stp_probe *probe, struct task_struct *task, bool at_exec)
{
	struct perf_event_attr attr = {};
	struct root *root = kzalloc(sizeof(*root), GFP_KERNEL);

	if (!root)
		return ERR_PTR(-ENOMEM);
	event_describe(probe, &attr);
	attr.inherit = 1;
	attr.inherit_stat = 1; /* counts stay with their tasks when events are swapped */
	attr.disabled = at_exec;
	attr.enable_on_exec = at_exec;
	compat_perf_remove_on_exec(&attr, !at_exec);
	root->event = event_create(&attr, probe, -1, task);
	if (IS_ERR(root->event)) {
		int error = PTR_ERR(root->event);

		kfree(root);
		return ERR_PTR(error);
	}
	return root;
}

static void warn_missing(struct followed *program, const struct task_struct *task, int error)
{
	if (!atomic_xchg(&program->failed, 1))
		transport_message(STP_RECORD_WARNING, false, "probe %s is not armed in process %d: error %d",
				  program->probe->point, task->tgid, error);
}

/* ---- processes that start the program ---------------------------------------------------------------------------- */

static void see_exec_of(struct followed *program, const struct file *file)
{
	bool matches = is_program_file(&program->file, file);
	struct perf_event *pending;
	struct root *root;

	/* A pending event is from an exec that failed, or from the script whose interpreter is being loaded now. */
	rcu_read_lock();
	pending = event_of(current, program->probe, NULL);
	if (pending && !pending->attr.enable_on_exec)
		pending = NULL;
	if (pending)
		compat_perf_remove_on_exec(&pending->attr, !matches);
	rcu_read_unlock();
	if (pending || !matches)
		return;
	root = create_root(program->probe, current, true);
	if (IS_ERR(root))
		warn_missing(program, current, PTR_ERR(root));
	else
		add_root(program, root);
}

static void exec_begins(const struct file *file)
{
	unsigned int i;

	if (!down_read_trylock(&follow_lock))
		return;
	for (i = 0; follows && i < followed_count; i++)
		if (followed[i].is_wanted)
			see_exec_of(&followed[i], file);
	up_read(&follow_lock);
}

static void follow_late(struct work_struct *work);
static DECLARE_DELAYED_WORK(late_work, follow_late);

/*
 * Mark the event to be removed by the next exec, which also applies to inherited ones. A process that was already
 * inside exec when the watcher was registered has no event yet, so attach one later.
 */
static void notrace exec_is_done(struct task_struct *task, const struct file *file)
{
	struct perf_event *event;
	unsigned int i;

	rcu_read_lock();
	for (i = 0; i < followed_count; i++) {
		event = event_of(task, followed[i].probe, NULL);
		if (event)
			compat_perf_remove_on_exec(&event->attr, true);
		else if (is_program_file(&followed[i].file, file))
			mod_delayed_work(COMPAT_BOUND_WORK, &late_work, 0);
	}
	rcu_read_unlock();
}

static struct exec_watcher program_watcher = {.begins = exec_begins, .is_done = exec_is_done};

/* ---- processes that already run the program ---------------------------------------------------------------------- */

enum { BATCH = 64, MOST_PASSES = 10000 };

/* Collect tasks that run the program but have no event, with references. */
static unsigned int find_tasks(const struct followed *program, struct task_struct **tasks)
{
	struct task_struct *leader, *task;
	unsigned int count = 0;

	rcu_read_lock();
	for_each_process_thread(leader, task) {
		if (count < BATCH && task_runs_program(&program->file, task) && !event_of(task, program->probe, NULL))
			tasks[count++] = get_task_struct(task);
	}
	rcu_read_unlock();
	return count;
}

/*
 * Create an event for a running task. The task may be entering or leaving an exec. Either the event exists before the
 * exec is complete and is removed by it, or the result of the exec is seen here.
 */
static int attach(struct followed *program, struct task_struct *task)
{
	struct root *root = create_root(program->probe, task, false);

	if (IS_ERR(root)) {
		if (PTR_ERR(root) == -ESRCH)
			return 0;
		warn_missing(program, task, PTR_ERR(root));
		return PTR_ERR(root);
	}
	if (task_runs_program(&program->file, task) && !has_event(task, program->probe, root->event)) {
		add_root(program, root);
		return 0;
	}
	perf_event_release_kernel(root->event);
	kfree(root);
	return 0;
}

/* Repeat until no task is found: tasks without an event may fork, and then the child inherits none. */
static int attach_running(struct followed *program)
{
	struct task_struct **tasks = checked(kcalloc(BATCH, sizeof(*tasks), GFP_KERNEL));
	unsigned int i, count, passes = 0;
	int error = tasks ? 0 : -ENOMEM;

	while (!error && passes++ < MOST_PASSES && (count = find_tasks(program, tasks))) {
		for (i = 0; i < count; i++) {
			error = error ?: attach(program, tasks[i]);
			put_task_struct(tasks[i]);
		}
		cond_resched();
	}
	kfree(tasks);
	return error;
}

static void follow_late(struct work_struct *work)
{
	unsigned int i;

	down_read(&follow_lock);
	for (i = 0; follows && i < followed_count; i++)
		if (followed[i].is_wanted)
			attach_running(&followed[i]);
	up_read(&follow_lock);
}

/* Check again after a second: a fork in progress inherits nothing, and is not reported. */
static void look_again_later(void)
{
	schedule_delayed_work(&late_work, HZ);
}

/* ---- arming ------------------------------------------------------------------------------------------------------ */

static int identify_program(struct followed *program)
{
	const char *name = program->probe->details->program;
	int error = program_identify(name, &program->file);

	if (!error)
		return 0;
	transport_message(STP_RECORD_ERROR, true, "probe %s cannot be armed: there is no program %s [%d]",
			  program->probe->point, name, error);
	atomic_set(&session_failed, 1);
	return error;
}

/*
 * Create an event that counts nothing, to find out whether the machine supports it before the program runs. Keep it,
 * because the first event of a task makes the kernel patch its code, and an exec should not wait for that.
 */
static int try_event(struct followed *program)
{
	struct perf_event_attr attr = {};

	event_describe(program->probe, &attr);
	attr.disabled = 1;
	program->trial = event_create(&attr, NULL, -1, current);
	if (!IS_ERR(program->trial))
		return 0;
	event_arm_failed(program->probe, PTR_ERR(program->trial));
	return PTR_ERR(program->trial);
}

static int follow(const struct stp_probe *probe)
{
	struct followed *program = &followed[followed_count];
	int error;

	program->probe = probe;
	program->is_wanted = probe_is_wanted(probe);
	INIT_LIST_HEAD(&program->roots);
	error = identify_program(program);
	error = error ?: try_event(program);
	if (error)
		return error;
	followed_count++;
	return 0;
}

/* Report the first of the probes on a kernel where a process cannot leave its events. */
static int refuse_events(void)
{
	unsigned int i = 0;

	while (!follows_program(&stp_script.probes[i]))
		i++;
	event_arm_failed(&stp_script.probes[i], -ENOSYS);
	return -ENOSYS;
}

int program_events_arm(void)
{
	unsigned int i, total = 0;
	int error = 0;

	for (i = 0; i < stp_script.probe_count; i++)
		total += follows_program(&stp_script.probes[i]);
	if (!total)
		return 0;
	if (!COMPAT_PERF_CAN_LEAVE)
		return refuse_events();
	followed = checked(kcalloc(total, sizeof(*followed), GFP_KERNEL));
	if (!followed)
		return -ENOMEM;
	for (i = 0; i < stp_script.probe_count && !error; i++)
		if (follows_program(&stp_script.probes[i]))
			error = follow(&stp_script.probes[i]);
	if (error)
		return error;
	down_write(&follow_lock);
	follows = true;
	up_write(&follow_lock);
	error = exec_watch(&program_watcher);
	for (i = 0; i < followed_count && !error; i++) {
		error = followed[i].is_wanted ? attach_running(&followed[i]) : 0;
		if (error)
			event_arm_failed(followed[i].probe, error);
	}
	look_again_later();
	return error;
}

/* Return whether no condition has changed. Needs the arming lock, as all changes of is_wanted do. */
static bool conditions_stand(void)
{
	unsigned int i;

	for (i = 0; i < followed_count; i++)
		if (followed[i].is_wanted != probe_is_wanted(followed[i].probe))
			return false;
	return true;
}

void program_events_rearm(void)
{
	bool arrives = false;
	LIST_HEAD(unwanted);
	unsigned int i;

	if (conditions_stand())
		return;
	down_write(&follow_lock);
	for (i = 0; i < followed_count; i++) {
		bool wanted = probe_is_wanted(followed[i].probe);

		arrives |= wanted && !followed[i].is_wanted;
		followed[i].is_wanted = wanted;
		/* the list only grows under the lock */
		if (!wanted)
			list_splice_init(&followed[i].roots, &unwanted);
	}
	up_write(&follow_lock);
	release_roots(&unwanted);
	if (arrives) {
		/* Use the work item, because two concurrent attempts would interfere. */
		mod_delayed_work(COMPAT_BOUND_WORK, &late_work, 0);
		flush_delayed_work(&late_work);
	}
	/* Any exec while the lock was held was missed. */
	look_again_later();
}

void program_events_disarm(void)
{
	unsigned int i;

	down_write(&follow_lock);
	follows = false;
	up_write(&follow_lock);
	exec_ignore(&program_watcher);
	cancel_delayed_work_sync(&late_work);
	for (i = 0; i < followed_count; i++) {
		release_roots(&followed[i].roots);
		perf_event_release_kernel(followed[i].trial);
	}
	/* A hit may still be in the handler. */
	if (followed_count)
		synchronize_rcu();
	followed_count = 0;
	kfree(followed);
	followed = NULL;
}

struct perf_event *program_event(const struct stp_probe *probe)
{
	return event_of(current, probe, NULL);
}

#endif
