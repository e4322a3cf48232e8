// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of processes: begin and end, also of threads, and system calls. A probe selects all processes, one, the target
 * and its descendants, or those that run a file.
 *
 * Tracepoints report forks, execs and exits. A fork is reported in the parent, before the child runs for the first
 * time. The handlers run there, with the child as their current task (context_run_as()). They see the parent's memory,
 * of which the child's is a copy; nothing needs to be installed in the child. For processes that exist when the script
 * starts, a kernel worker runs the handlers and adopts each mm (kthread_use_mm()), because the process may sleep for
 * hours and must not be woken.
 *
 * When a process ends, its memory and thus its executable are gone; after exec, it already runs the new file. So a
 * table holds the processes that some probe selects. It also records whether a process has begun or ended, so that each
 * event is reported once.
 *
 * The tracepoints of system calls slow down all system calls of the machine, so they are registered only if the script
 * needs them. If a probe selects a file, each call also costs a check of the executable.
 */
#include <linux/bsearch.h>
#include <linux/hash.h>
#include <linux/kthread.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <asm/syscall.h>

#include "runtime/abi/protocol.h"
#include "runtime/abi/syscall_numbers.h"
#include "runtime/arch/syscall.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/core/pin_cpu.h"
#include "runtime/core/target.h"
#include "runtime/core/tracepoint_hook.h"
#include "runtime/core/transport.h"
#include "runtime/probes/families.h"
#include "runtime/user/exec.h"
#include "runtime/user/process_tree.h"
#include "runtime/user/program_file.h"

enum { EVENT_COUNT = STP_PROCESS_SYSCALL_RETURN + 1 };

/* The properties of a process by which probes select it. */
struct process_facts {
	pid_t process;
	unsigned short file; /* index in program_files, from 1; 0: another file */
	bool of_target;
	bool is_own; /* the script may see it */
};

struct process_probe {
	const struct stp_probe *probe;
	struct process_facts only; /* zeroed: selects all processes */
};

/* The probes of each event, in order of their numbers. */
static struct {
	struct process_probe *probes;
	unsigned int count;
} process_events[EVENT_COUNT];

static struct process_probe *process_probes;
static struct program_file *program_files; /* sorted, without duplicates */
static unsigned int program_file_count;
static bool follows_target;

static bool is_probe_for(const struct process_probe *probe, const struct process_facts *facts)
{
	return facts->is_own && (!probe->only.process || probe->only.process == facts->process) &&
	       (!probe->only.of_target || facts->of_target) && (!probe->only.file || probe->only.file == facts->file);
}

static int compare_files(const void *left, const void *right)
{
	return compare_program_files(left, right);
}

static unsigned short number_of_file(const struct program_file *file)
{
	const struct program_file *found =
		bsearch(file, program_files, program_file_count, sizeof(*file), compare_files);

	return found ? found - program_files + 1 : 0;
}

/* Return whether the script may see the task. The mm of another task may be freed in between, so lock the task. */
static bool may_see(struct task_struct *task)
{
	bool may;

	if (task == current)
		return is_own_task(task);
	task_lock(task);
	may = is_own_task(task);
	task_unlock(task);
	return may;
}

/* Return the properties of a task that has not exited. */
static struct process_facts facts_of(struct task_struct *task)
{
	struct process_facts facts = {
		.process = task->tgid, .of_target = is_of_family(task->tgid), .is_own = may_see(task)};
	struct program_file file;

	if (program_file_count && (task == current ? current_program_file(&file) : task_program_file(task, &file)))
		facts.file = number_of_file(&file);
	return facts;
}

static void run_process_probes(enum stp_process_event event, struct task_struct *task,
			       const struct process_facts *facts)
{
	unsigned int i;

	for (i = 0; i < process_events[event].count; i++) {
		const struct process_probe *probe = &process_events[event].probes[i];

		if (is_probe_for(probe, facts))
			context_run_as(probe->probe, task, task_pt_regs(task));
	}
}

/*
 * ---- table of processes that have begun and not ended -------------------------------------------------------------
 */

enum { PROCESS_BUCKET_BITS = 12, MOST_PROCESSES = 32768 };

struct known_process {
	struct known_process *next;
	struct process_facts facts;
	bool has_ended; /* kept because the process may still have threads, whose ends are reported too */
};

static struct known_process *known_room, *free_processes;
static struct known_process **known_buckets; /* NULL: no probe of a begin or an end */
static DEFINE_RAW_SPINLOCK(known_lock);
static atomic_t known_overflows;

static struct known_process **find_known(pid_t process)
{
	struct known_process **link = &known_buckets[hash_32(process, PROCESS_BUCKET_BITS)];

	while (*link && (*link)->facts.process != process)
		link = &(*link)->next;
	return link;
}

static bool is_for_some(const struct process_facts *facts)
{
	unsigned int i;

	/* Probes of system calls are last and need no table. */
	for (i = 0; &process_probes[i] < process_events[STP_PROCESS_SYSCALL].probes; i++)
		if (is_probe_for(&process_probes[i], facts))
			return true;
	return false;
}

/* Record that a process begins. Return false if it has already begun, or no probe selects it. */
static bool process_begins(const struct process_facts *facts)
{
	struct known_process **link, *known;
	unsigned long irq_flags;
	bool begins;

	if (!is_for_some(facts))
		return false;
	raw_spin_lock_irqsave(&known_lock, irq_flags);
	link = find_known(facts->process);
	known = *link;
	/* If the entry has ended, its PID has been reused or the process has called exec. */
	begins = !known || known->has_ended;
	if (!known && (known = free_processes)) {
		free_processes = known->next;
		known->next = NULL;
		*link = known;
	}
	if (known && begins) {
		known->facts = *facts;
		known->has_ended = false;
	}
	raw_spin_unlock_irqrestore(&known_lock, irq_flags);
	if (begins && !known)
		atomic_inc(&known_overflows);
	return begins;
}

static bool process_is_known(pid_t process, struct process_facts *ret)
{
	const struct known_process *known;
	unsigned long irq_flags;

	raw_spin_lock_irqsave(&known_lock, irq_flags);
	known = *find_known(process);
	if (known)
		*ret = known->facts;
	raw_spin_unlock_irqrestore(&known_lock, irq_flags);
	return known;
}

/* Record that a process ends. Return false if it has not begun, or has already ended. */
static bool process_ends(pid_t process, struct process_facts *ret)
{
	struct known_process *known;
	unsigned long irq_flags;
	bool ends;

	raw_spin_lock_irqsave(&known_lock, irq_flags);
	known = *find_known(process);
	ends = known && !known->has_ended;
	if (ends) {
		*ret = known->facts;
		known->has_ended = true;
	}
	raw_spin_unlock_irqrestore(&known_lock, irq_flags);
	return ends;
}

/*
 * Remove a process from the table. Its first thread is freed last, when the ends of all others have been reported. Runs
 * in a softirq.
 */
static void notrace process_is_freed(void *data, struct task_struct *task)
{
	PIN_CPU;
	struct known_process **link, *known;
	unsigned long irq_flags;

	if (!thread_group_leader(task))
		return;
	raw_spin_lock_irqsave(&known_lock, irq_flags);
	link = find_known(task->tgid);
	known = *link;
	/* unless the PID has already been reused */
	if (known && known->has_ended) {
		*link = known->next;
		known->next = free_processes;
		free_processes = known;
	}
	raw_spin_unlock_irqrestore(&known_lock, irq_flags);
}

/*
 * ---- fork, exec and exit ------------------------------------------------------------------------------------------
 */

#ifdef PF_USER_WORKER
enum { NO_PROGRAM = PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER };
#else
enum { NO_PROGRAM = PF_KTHREAD | PF_IO_WORKER };
#endif

static void notrace process_forks(void *data, struct task_struct *parent, struct task_struct *child)
{
	PIN_CPU;
	struct process_facts facts;

	if (child->flags & NO_PROGRAM)
		return;
	facts = facts_of(parent);
	facts.process = child->tgid;
	facts.of_target = is_of_family(child->tgid);
	if (child->tgid == parent->tgid)
		run_process_probes(STP_PROCESS_THREAD_BEGIN, child, &facts);
	else if (process_begins(&facts))
		run_process_probes(STP_PROCESS_BEGIN, child, &facts);
}

static void notrace process_executes(struct task_struct *task, const struct file *file)
{
	struct process_facts facts;

	/* A set-user-ID program has other credentials after exec, so check again. */
	if (process_ends(task->tgid, &facts) && is_own_task(task))
		run_process_probes(STP_PROCESS_END, task, &facts);
	facts = facts_of(task);
	if (process_begins(&facts))
		run_process_probes(STP_PROCESS_BEGIN, task, &facts);
}

static void notrace process_exits(void *data, struct task_struct *task)
{
	PIN_CPU;
	struct process_facts facts;

	if (!thread_group_leader(task) && process_is_known(task->tgid, &facts))
		run_process_probes(STP_PROCESS_THREAD_END, task, &facts);
	if (!atomic_read(&task->signal->live) && process_ends(task->tgid, &facts))
		run_process_probes(STP_PROCESS_END, task, &facts);
}

static struct process_hook hook_fork, hook_exit, hook_free, hook_enter, hook_leave;
static struct exec_watcher hook_exec = {.is_done = process_executes};

/*
 * ---- processes that exist at the start ----------------------------------------------------------------------------
 */

enum { PROCESSES_AT_ONCE = 64 };

struct running_process {
	struct task_struct *task;
	struct process_facts facts;
};

/* Collect some processes that are not in the table, and add them. */
static unsigned int find_running(struct running_process *found)
{
	struct task_struct *process;
	unsigned int count = 0;

	rcu_read_lock();
	for_each_process(process) {
		struct running_process *running = &found[count];

		if (count == PROCESSES_AT_ONCE || (process->flags & (NO_PROGRAM | PF_EXITING)))
			continue;
		running->facts = facts_of(process);
		preempt_disable_notrace(); /* as in tracepoints */
		if (process_begins(&running->facts)) {
			running->task = get_task_struct(process);
			count++;
		}
		preempt_enable_notrace();
	}
	rcu_read_unlock();
	return count;
}

/* Run the begin handlers of a process, in a kernel thread, which has no mm of its own. */
static void begin_running(struct running_process *running)
{
	struct mm_struct *memory = get_task_mm(running->task);

	if (memory) {
		kthread_use_mm(memory);
		run_process_probes(STP_PROCESS_BEGIN, running->task, &running->facts);
		kthread_unuse_mm(memory);
		mmput(memory);
	}
	put_task_struct(running->task);
}

static void begin_all_running(struct work_struct *work)
{
	struct running_process *found = kcalloc(PROCESSES_AT_ONCE, sizeof(*found), GFP_KERNEL);
	unsigned int i, count;

	while (found && (count = find_running(found))) {
		for (i = 0; i < count; i++)
			begin_running(&found[i]);
		cond_resched();
	}
	kfree(found);
}

static DECLARE_WORK(running_work, begin_all_running);

/* ---- system calls ------------------------------------------------------------------------------------------------ */

/* Run the probes of a system call. Identify the executable only if a probe selects a file, and only once. */
static void run_syscall_probes(enum stp_process_event event, struct pt_regs *regs)
{
	struct process_facts facts = {.process = current->tgid, .is_own = is_own_task(current)};
	bool file_is_known = false;
	unsigned int i;

	facts.of_target = is_of_family(facts.process);
	for (i = 0; i < process_events[event].count; i++) {
		const struct process_probe *probe = &process_events[event].probes[i];

		if (probe->only.file && !file_is_known) {
			facts = facts_of(current);
			file_is_known = true;
		}
		if (is_probe_for(probe, &facts))
			context_run_hit(probe->probe, regs, NULL, false);
	}
}

static void notrace syscall_enters(void *data, struct pt_regs *regs, long number)
{
	PIN_CPU;

	if (syscall_is_trampoline(task_is_32_bit(), number))
		return;
	run_syscall_probes(STP_PROCESS_SYSCALL, regs);
}

static void notrace syscall_leaves(void *data, struct pt_regs *regs, long result)
{
	PIN_CPU;
	long number = syscall_get_nr(current, regs);

	/* -1: the call does not return to its caller (sigreturn, or a trampoline) */
	if (number == -1 || syscall_is_trampoline(task_is_32_bit(), number))
		return;
	run_syscall_probes(STP_PROCESS_SYSCALL_RETURN, regs);
}

static struct pt_regs *syscall_registers(struct stp_context *c)
{
	if (!c->regs)
		stp_error(c, "there is no system call here");
	return (struct pt_regs *)c->regs;
}

stp_long stp_syscall_number(struct stp_context *c)
{
	struct pt_regs *regs = syscall_registers(c);

	return regs ? syscall_get_nr(current, regs) : 0;
}

stp_long stp_syscall_argument(struct stp_context *c, stp_long number)
{
	struct pt_regs *regs = syscall_registers(c);
	unsigned long arguments[6];

	if (!regs)
		return 0;
	if (number < 1 || number > ARRAY_SIZE(arguments)) {
		stp_error(c, "a system call has no argument %lld", number);
		return 0;
	}
	syscall_get_arguments(current, regs, arguments);
	return arguments[number - 1];
}

stp_long stp_syscall_result(struct stp_context *c)
{
	struct pt_regs *regs = syscall_registers(c);

	return regs ? syscall_get_return_value(current, regs) : 0;
}

/* ---- arming ------------------------------------------------------------------------------------------------------ */

static void find_program_files(void)
{
	unsigned int i, kept = 0;

	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];

		if (probe->kind != STP_PROBE_PROCESS || !probe->details->program)
			continue;
		if (!program_identify(probe->details->program, &program_files[program_file_count]))
			program_file_count++;
	}
	sort(program_files, program_file_count, sizeof(*program_files), compare_files, NULL);
	for (i = 0; i < program_file_count; i++)
		if (!kept || compare_files(&program_files[kept - 1], &program_files[i]))
			program_files[kept++] = program_files[i];
	program_file_count = kept;
}

/* Describe a probe. Return false and print a warning if its file or process does not exist. */
static bool describe_process_probe(const struct stp_probe *probe, struct process_probe *ret)
{
	const char *program = probe->details->program;
	struct program_file file;
	int error;

	*ret = (struct process_probe){.probe = probe};
	ret->only.of_target = probe->details->of_target;
	ret->only.process = probe_process(probe);
	error = min(ret->only.process, 0);
	if (!error && program) {
		error = program_identify(program, &file);
		ret->only.file = error ? 0 : number_of_file(&file);
		/* it was replaced just now */
		if (!error && !ret->only.file)
			error = -ESTALE;
	}
	if (!error)
		return true;
	if (program)
		transport_message(STP_RECORD_WARNING, true, "probe %s is not armed: there is no program %s [%d]",
				  probe->point, program, error);
	else
		transport_message(STP_RECORD_WARNING, true, "probe %s is not armed: there is no process %d [%d]",
				  probe->point, probe->details->process, error);
	return false;
}

static void sort_process_probes(void)
{
	unsigned int event, i, count = 0;

	for (event = 0; event < EVENT_COUNT; event++) {
		process_events[event].probes = &process_probes[count];
		process_events[event].count = 0;
		for (i = 0; i < stp_script.probe_count; i++) {
			const struct stp_probe *probe = &stp_script.probes[i];

			if (probe->kind != STP_PROBE_PROCESS || probe->details->process_event != event)
				continue;
			if (describe_process_probe(probe, &process_probes[count])) {
				process_events[event].count++;
				count++;
			}
		}
	}
}

static int make_known_table(void)
{
	unsigned int i;

	known_room = checked(vzalloc(array_size(MOST_PROCESSES, sizeof(*known_room))));
	known_buckets = checked(kvcalloc(1 << PROCESS_BUCKET_BITS, sizeof(*known_buckets), GFP_KERNEL));
	if (!known_room || !known_buckets)
		return -ENOMEM;
	for (i = 0; i < MOST_PROCESSES; i++) {
		known_room[i].next = free_processes;
		free_processes = &known_room[i];
	}
	return 0;
}

static int watch_lives(void)
{
	int error = make_known_table();

	error = error ?: hook_process(&hook_fork, "sched_process_fork", process_forks);
	error = error ?: hook_process(&hook_exit, "sched_process_exit", process_exits);
	error = error ?: hook_process(&hook_free, "sched_process_free", process_is_freed);
	error = error ?: exec_watch(&hook_exec);
	if (!error) {
		schedule_work(&running_work);
		flush_work(&running_work);
	}
	return error;
}

static int watch_syscalls(void)
{
	int error = 0;

	if (process_events[STP_PROCESS_SYSCALL].count)
		error = hook_process(&hook_enter, "sys_enter", syscall_enters);
	if (!error && process_events[STP_PROCESS_SYSCALL_RETURN].count)
		error = hook_process(&hook_leave, "sys_exit", syscall_leaves);
	return error;
}

static int arm_process_events(void)
{
	unsigned int total = probe_count(STP_PROBE_PROCESS);
	int error;

	if (!total)
		return 0;
	program_files = checked(kvcalloc(total, sizeof(*program_files), GFP_KERNEL));
	process_probes = checked(kvcalloc(total, sizeof(*process_probes), GFP_KERNEL));
	if (!program_files || !process_probes)
		return -ENOMEM;
	/* Register these first, so that their callbacks run before those that use the family. */
	follows_target = true;
	error = family_watch();
	if (error)
		return error;
	find_program_files();
	sort_process_probes();
	error = watch_syscalls();
	if (!error && process_events[STP_PROCESS_SYSCALL].probes > process_probes)
		error = watch_lives();
	return error;
}

static void disarm_process_events(void)
{
	if (!process_probes)
		return;
	exec_ignore(&hook_exec);
	unhook_process(&hook_fork);
	unhook_process(&hook_exit);
	unhook_process(&hook_free);
	unhook_process(&hook_enter);
	unhook_process(&hook_leave);
	tracepoint_synchronize_unregister();
	if (atomic_xchg(&known_overflows, 0))
		transport_message(STP_RECORD_WARNING, false,
				  "more than %d processes at once: not all ends of processes were seen",
				  MOST_PROCESSES);
	if (follows_target)
		family_ignore();
	follows_target = false;
	program_file_count = 0;
	kvfree(known_buckets);
	vfree(known_room);
	kvfree(process_probes);
	kvfree(program_files);
	known_buckets = NULL;
	known_room = NULL;
	free_processes = NULL;
	process_probes = NULL;
	program_files = NULL;
}

const struct probe_family process_family = {
	.name = "process",
	.arm = arm_process_events,
	.disarm = disarm_process_events,
};
