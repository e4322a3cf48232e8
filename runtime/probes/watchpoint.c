// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watchpoints: the events that perf.c creates for the kernel's memory, and process_data.c for that of programs.
 *
 * Handlers run in the debug exception, which counts as an NMI.
 */
#include <linux/hw_breakpoint.h>
#include <linux/kprobes.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>

#include "runtime/abi/protocol.h"
#include "runtime/arch/breakpoints.h"
#include "runtime/core/arming.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"
#include "runtime/core/target.h"
#include "runtime/core/transport.h"
#include "runtime/probes/families.h"
#include "runtime/probes/watchpoint.h"

#ifdef CONFIG_PERF_EVENTS

void watchpoint_describe(const struct stp_probe *probe, unsigned long address, struct perf_event_attr *attr)
{
	hw_breakpoint_init(attr);
	attr->bp_addr = address;
	attr->bp_len = probe->details->length;
	attr->bp_type = probe->details->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
}

#if WATCHPOINTS_PASS_ANY_HANDLER

static void watchpoint_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	context_run_hit(event->overflow_handler_context, regs, NULL, true);
}

struct perf_event *watchpoint_create(struct perf_event_attr *attr, const struct stp_probe *probe, int cpu,
				     struct task_struct *task)
{
	return perf_event_create_kernel_counter(attr, cpu, task, watchpoint_hit, (void *)probe);
}

static int watch_samples(void)
{
	return 0;
}

static void ignore_samples(void)
{
}

#else

/*
 * After a hit, the kernel steps over the access only if the event has perf's own handler; with another one, the access
 * would be trapped again and again. Perf's handler writes a sample to a buffer, which our events lack. A kprobe at its
 * entry sees the hit. Events of others have no context.
 */
static int watchpoint_sample(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct perf_event *event = (const struct perf_event *)regs_get_kernel_argument(regs, 0);
	const struct stp_probe *probe = event->overflow_handler_context;

	if (probe >= stp_script.probes && probe < stp_script.probes + stp_script.probe_count)
		context_run_hit(probe, (struct pt_regs *)regs_get_kernel_argument(regs, 2), NULL, true);
	return 0;
}
NOKPROBE_SYMBOL(watchpoint_sample);

static struct kprobe sample_probe = {.symbol_name = "perf_event_output_forward", .pre_handler = watchpoint_sample};
static bool samples_are_watched;

struct perf_event *watchpoint_create(struct perf_event_attr *attr, const struct stp_probe *probe, int cpu,
				     struct task_struct *task)
{
	bool is_wanted = !attr->disabled;
	struct perf_event *event;

	/* A hit without the context would be lost. */
	attr->disabled = 1;
	event = perf_event_create_kernel_counter(attr, cpu, task, NULL, NULL);
	if (IS_ERR(event))
		return event;
	event->overflow_handler_context = (void *)probe;
	if (is_wanted)
		perf_event_enable(event);
	return event;
}

static int watch_samples(void)
{
	int error = register_kprobe(&sample_probe);

	samples_are_watched = !error;
	if (error) {
		transport_message(STP_RECORD_ERROR, true, "watchpoints cannot be armed: %s cannot be probed [%d]",
				  sample_probe.symbol_name, error);
		atomic_set(&session_failed, 1);
	}
	return error;
}

static void ignore_samples(void)
{
	if (samples_are_watched)
		unregister_kprobe(&sample_probe);
	samples_are_watched = false;
}

#endif

static int arm_watchpoints(void)
{
	return probe_count(STP_PROBE_WATCHPOINT) + probe_count(STP_PROBE_USER_DATA) ? watch_samples() : 0;
}

static void disarm_watchpoints(void)
{
	ignore_samples();
}

#else

static int arm_watchpoints(void)
{
	return 0;
}

static void disarm_watchpoints(void)
{
}

#endif

/* The events themselves are those of other families, which are armed later. */
const struct probe_family watchpoint_family = {
	.name = "watchpoints",
	.arm = arm_watchpoints,
	.disarm = disarm_watchpoints,
};
