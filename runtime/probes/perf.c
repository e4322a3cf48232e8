// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Perf events: sampling by hardware and software counters (also timer.profile), counters that handlers read with @perf,
 * and watchpoints, which are perf events too.
 *
 * An event counts on one CPU or in one task, so a probe of the whole machine has an event on each CPU. The kernel
 * disables the events of a CPU that goes offline. When it is back online, a work item started by the hotplug callback
 * creates new ones. (The callback itself cannot: creating an event may take the lock that hotplug holds.)
 *
 * Handlers run in an NMI for hardware counters, in the debug exception for watchpoints (watchpoint.c), otherwise in the
 * context of the event.
 */
#include <linux/cpuhotplug.h>
#include <linux/cred.h>
#include <linux/perf_event.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "runtime/abi/protocol.h"
#include "runtime/arch/breakpoints.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/condition.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"
#include "runtime/core/target.h"
#include "runtime/core/transport.h"
#include "runtime/probes/families.h"
#include "runtime/probes/perf.h"
#include "runtime/probes/perf_program.h"
#include "runtime/probes/watchpoint.h"

#ifdef CONFIG_PERF_EVENTS

struct event_set {
	const struct stp_probe *probe;
	struct perf_event **events; /* for each CPU, or for each thread of the target */
	unsigned int size;
};

static struct event_set *event_sets;
static unsigned int event_set_count;
static DEFINE_MUTEX(event_mutex); /* protects `events`, except from the handlers of events */
static cpumask_t returned_cpus; /* came online since the last check; their old events are dead */
static int event_hotplug_state; /* of cpuhp; 0: not registered */

static bool is_event(const struct stp_probe *probe)
{
	return (probe->kind == STP_PROBE_PERF && !follows_program(probe)) || probe->kind == STP_PROBE_WATCHPOINT;
}

static void event_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	context_run_hit(event->overflow_handler_context, regs, NULL, false);
}

static void describe_counter(const struct stp_details *details, struct perf_event_attr *attr)
{
	attr->type = details->type;
	attr->config = details->config;
	attr->size = sizeof(*attr);
	if (details->counter)
		return;
	attr->freq = details->is_frequency;
	if (details->is_frequency)
		attr->sample_freq = details->period;
	else
		attr->sample_period = details->period ?: TICK_NSEC;
}

void event_describe(const struct stp_probe *probe, struct perf_event_attr *attr)
{
	if (probe->kind == STP_PROBE_WATCHPOINT)
		watchpoint_describe(probe, probe_address(probe), attr);
	else
		describe_counter(probe->details, attr);
}

struct perf_event *event_create(struct perf_event_attr *attr, const struct stp_probe *probe, int cpu,
				struct task_struct *task)
{
	if (probe && probe->kind == STP_PROBE_WATCHPOINT)
		return watchpoint_create(attr, probe, cpu, task);
	/* A counting event never calls event_hit(), but keeps its argument. */
	return perf_event_create_kernel_counter(attr, cpu, task, event_hit, (void *)probe);
}

bool event_is_over(const struct perf_event *event)
{
	return READ_ONCE(event->state) <= PERF_EVENT_STATE_EXIT && list_empty_careful(&event->child_list);
}

static int create_event(struct event_set *set, unsigned int index, int cpu, struct task_struct *task)
{
	struct perf_event_attr attr = {};
	struct perf_event *event;

	event_describe(set->probe, &attr);
	attr.disabled = !probe_is_wanted(set->probe);
	event = event_create(&attr, set->probe, cpu, task);
	if (IS_ERR(event))
		return PTR_ERR(event);
	set->events[index] = event;
	return 0;
}

static void release_event(struct event_set *set, unsigned int index)
{
	if (set->events[index])
		perf_event_release_kernel(set->events[index]);
	set->events[index] = NULL;
}

/* ---- CPUs -------------------------------------------------------------------------------------------------------- */

static int create_on_processors(struct event_set *set)
{
	int cpu, error = 0;

	for_each_online_cpu(cpu) {
		if (set->events[cpu])
			continue;
		error = create_event(set, cpu, cpu, NULL);
		/* -ENODEV: it has just gone offline. */
		if (error && error != -ENODEV)
			return error;
	}
	return 0;
}

static void follow_processors(struct work_struct *work)
{
	unsigned int i;
	int cpu, error;

	mutex_lock(&event_mutex);
	for_each_possible_cpu(cpu) {
		if (!cpumask_test_and_clear_cpu(cpu, &returned_cpus))
			continue;
		for (i = 0; i < event_set_count; i++)
			if (!event_sets[i].probe->details->of_target)
				release_event(&event_sets[i], cpu);
	}
	for (i = 0; i < event_set_count; i++) {
		if (event_sets[i].probe->details->of_target)
			continue;
		error = create_on_processors(&event_sets[i]);
		if (error)
			transport_message(STP_RECORD_WARNING, false,
					  "probe %s is not armed on a processor that came online: error %d",
					  event_sets[i].probe->point, error);
	}
	mutex_unlock(&event_mutex);
}

static DECLARE_WORK(follow_work, follow_processors);

static int event_cpu_online(unsigned int cpu)
{
	cpumask_set_cpu(cpu, &returned_cpus);
	schedule_work(&follow_work);
	return 0;
}

/* ---- the target process ------------------------------------------------------------------------------------------ */

enum { TARGET_THREADS = 256 };

/* Collect the threads of the target, with references. */
static unsigned int target_threads(struct task_struct **threads)
{
	struct task_struct *leader, *thread;
	unsigned int count = 0;

	rcu_read_lock();
	leader = pid_task(find_vpid(session_target), PIDTYPE_TGID);
	if (leader) {
		for_each_thread(leader, thread) {
			if (count < TARGET_THREADS)
				threads[count++] = get_task_struct(thread);
		}
	}
	rcu_read_unlock();
	return count;
}

/*
 * Create events for the current threads only. Inherited events of children are swapped with their parents' on a task
 * switch, so a handler could not tell whose event it has without taking a mutex.
 */
static int create_for_target(struct event_set *set)
{
	struct task_struct **threads = checked(kcalloc(TARGET_THREADS, sizeof(*threads), GFP_KERNEL));
	unsigned int i, count = threads ? target_threads(threads) : 0;
	int error = count ? 0 : threads ? -ESRCH : -ENOMEM;

	for (i = 0; i < count; i++) {
		if (!error)
			error = create_event(set, i, -1, threads[i]);
		put_task_struct(threads[i]);
	}
	kfree(threads);
	return error;
}

/* ---- arming ------------------------------------------------------------------------------------------------------ */

static const char *event_problem(const struct stp_probe *probe, int error)
{
	bool is_counter = probe->kind == STP_PROBE_PERF;

	switch (error) {
	case -ENOENT:
	case -EOPNOTSUPP:
	case -ENODEV:
		return is_counter ? "this machine has no such counter (virtual machines often have none)"
				  : "this machine has no such watchpoint";
	case -ENOSYS:
		return "this kernel has no events of programs, which came with 5.13; leave out process()";
	case -ENOSPC:
	case -EBUSY:
		return is_counter ? "all counters are in use"
				  : "all debug registers are in use (" WATCHPOINTS_EXIST ")";
	case -EINVAL:
		return is_counter ? "the kernel does not know this type, config or period"
				  : "the address is no kernel address, or not a multiple of the length";
	case -ENOMEM:
		return "Cannot allocate memory";
	case -ESRCH:
		return "there is no target process (see -c and -x)";
	default:
		return "the kernel refuses it";
	}
}

/* Tolerate a missing watchpoint, because debug registers are few. A script with counters needs all of them. */
bool event_arm_failed(const struct stp_probe *probe, int error)
{
	bool needed = probe->kind == STP_PROBE_PERF;

	if (needed)
		atomic_set(&session_failed, 1);
	transport_message(needed ? STP_RECORD_ERROR : STP_RECORD_WARNING, true, "probe %s cannot be armed: %s [%d]",
			  probe->point, event_problem(probe, error), error);
	return needed;
}

static int arm_event_set(struct event_set *set)
{
	int error;

	set->size = set->probe->details->of_target ? TARGET_THREADS : nr_cpu_ids;
	set->events = checked(kvcalloc(set->size, sizeof(*set->events), GFP_KERNEL));
	if (!set->events)
		return -ENOMEM;
	mutex_lock(&event_mutex);
	error = set->probe->details->of_target ? create_for_target(set) : create_on_processors(set);
	mutex_unlock(&event_mutex);
	return error && event_arm_failed(set->probe, error) ? error : 0;
}

static int watch_processors(void)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "spile:perf", event_cpu_online, NULL);

	if (state < 0)
		return state;
	event_hotplug_state = state;
	return 0;
}

static int arm_event_sets(void)
{
	unsigned int i;
	int error = watch_processors();

	for (i = 0; i < stp_script.probe_count && !error; i++) {
		struct event_set *set = &event_sets[event_set_count];

		if (!is_event(&stp_script.probes[i]) || atomic_read(&session_exit_requested))
			continue;
		set->probe = &stp_script.probes[i];
		error = arm_event_set(set);
		/* Hotplug must only see complete sets. */
		mutex_lock(&event_mutex);
		event_set_count += !!set->events;
		mutex_unlock(&event_mutex);
	}
	return error;
}

static int arm_events(void)
{
	const struct cred *before;
	unsigned int total = probe_count(STP_PROBE_PERF) + probe_count(STP_PROBE_WATCHPOINT);
	struct cred *kernel;
	int error;

	if (!total)
		return 0;
	event_sets = checked(kvcalloc(total, sizeof(*event_sets), GFP_KERNEL));
	/* The kernel checks the credentials of the current task, which is staprun's reader and has no privileges. */
	kernel = prepare_kernel_cred(&init_task);
	if (!event_sets || !kernel) {
		if (kernel)
			put_cred(kernel);
		return -ENOMEM;
	}
	cpumask_clear(&returned_cpus);
	before = override_creds(kernel);
	error = arm_event_sets();
	error = error ?: program_events_arm();
	revert_creds(before);
	put_cred(kernel);
	return error;
}

static void disarm_events(void)
{
	unsigned int i, k;

	program_events_disarm();
	if (event_hotplug_state)
		cpuhp_remove_state_nocalls(event_hotplug_state);
	event_hotplug_state = 0;
	cancel_work_sync(&follow_work);
	for (i = 0; i < event_set_count; i++) {
		for (k = 0; k < event_sets[i].size; k++)
			release_event(&event_sets[i], k);
		kvfree(event_sets[i].events);
	}
	/* A hit may still be in event_hit(), on a CPU that no longer had the event. */
	if (event_set_count)
		synchronize_rcu();
	event_set_count = 0;
	kvfree(event_sets);
	event_sets = NULL;
}

/* ---- @perf ------------------------------------------------------------------------------------------------------- */

/* Do the same as perf_event_read_local(), which is not exported. */
static u64 event_value(struct perf_event *event)
{
	unsigned long flags;
	u64 value;

	local_irq_save(flags);
	if (event->state == PERF_EVENT_STATE_ACTIVE && READ_ONCE(event->oncpu) == smp_processor_id())
		event->pmu->read(event);
	value = local64_read(&event->count);
	local_irq_restore(flags);
	return value;
}

static const struct event_set *counter_set(unsigned int counter)
{
	unsigned int i;

	for (i = 0; i < event_set_count; i++)
		if (event_sets[i].probe->details->counter == counter)
			return &event_sets[i];
	return NULL;
}

/* Return the current thread's count since it started to run the program, or 0. */
static u64 program_value(const struct stp_probe *probe)
{
	struct perf_event *event;
	u64 value;

	rcu_read_lock();
	event = program_event(probe);
	value = event ? event_value(event) : 0;
	rcu_read_unlock();
	return value;
}

static const struct stp_probe *program_counter(unsigned int counter)
{
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];

		if (follows_program(probe) && probe->details->counter == counter)
			return probe;
	}
	return NULL;
}

stp_long stp_perf_value(struct stp_context *c, unsigned int counter)
{
	const struct event_set *set = counter_set(counter);
	const struct stp_probe *followed_counter = set ? NULL : program_counter(counter);
	u64 value = 0;
	unsigned int i;

	if (followed_counter)
		return program_value(followed_counter);
	if (!set) {
		stp_error(c, "the counter of @perf is not armed");
		return 0;
	}
	if (!set->probe->details->of_target) {
		struct perf_event *event = READ_ONCE(set->events[raw_smp_processor_id()]);

		return event ? event_value(event) : 0;
	}
	for (i = 0; i < set->size && set->events[i]; i++)
		value += event_value(set->events[i]);
	return value;
}

static void rearm_events(void)
{
	unsigned int i, k;

	mutex_lock(&event_mutex);
	for (i = 0; i < event_set_count; i++) {
		bool wanted = probe_is_wanted(event_sets[i].probe);

		for (k = 0; k < event_sets[i].size; k++) {
			if (!event_sets[i].events[k])
				continue;
			if (wanted)
				perf_event_enable(event_sets[i].events[k]);
			else
				perf_event_disable(event_sets[i].events[k]);
		}
	}
	mutex_unlock(&event_mutex);
	program_events_rearm();
}

#else /* !CONFIG_PERF_EVENTS */

static int arm_events(void)
{
	return probe_count(STP_PROBE_PERF) + probe_count(STP_PROBE_WATCHPOINT) ? -EOPNOTSUPP : 0;
}

static void disarm_events(void)
{
}

static void rearm_events(void)
{
}

stp_long stp_perf_value(struct stp_context *c, unsigned int counter)
{
	stp_error(c, "this kernel has no perf events");
	return 0;
}

#endif

const struct probe_family perf_family = {
	.name = "perf",
	.arm = arm_events,
	.disarm = disarm_events,
	.rearm = rearm_events,
};
