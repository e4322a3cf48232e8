// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracepoints. The kernel calls the registered function with its data pointer and the tracepoint's own arguments, whose
 * number and types vary. One function serves all tracepoints. It is declared with the maximal number of arguments,
 * reads only those that the tracepoint has, and stores them where a function entry would have them by the calling
 * convention: six registers, then the stack. So $variables need no special code.
 *
 * Context: that of the tracepoint, including NMI. Preemption is off (include/linux/tracepoint.h, __DO_TRACE()).
 */
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#include "runtime/arch/callback.h"
#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/condition.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/module_notifier.h"
#include "runtime/core/pin_cpu.h"
#include "runtime/core/session.h"
#include "runtime/core/target.h"
#include "runtime/probes/families.h"

struct armed_tracepoint {
	const struct stp_probe *probe;
	struct tracepoint *tracepoint;
	bool is_on;
};

/* One for each tracepoint probe; `tracepoint` is NULL while its module is not loaded. */
static struct armed_tracepoint *armed_tracepoints;
static unsigned int armed_tracepoint_count;

/* There are at most twelve arguments, as in BPF (include/trace/bpf_probe.h). */
static void notrace noinline tracepoint_hit(void *data, unsigned long a1, unsigned long a2, unsigned long a3,
					    unsigned long a4, unsigned long a5, unsigned long a6, unsigned long a7,
					    unsigned long a8, unsigned long a9, unsigned long a10, unsigned long a11,
					    unsigned long a12)
{
	PIN_CPU;
	const struct stp_probe *probe = ((struct armed_tracepoint *)data)->probe;
	CALLBACK_REGISTERS(room, data, a1, a2, a3, a4, a5);

	callback_stack_arguments(&room, probe->arguments, a6, a7, a8, a9, a10, a11, a12);
	context_run(probe, probe->handler, &room.regs, NULL, false);
}

/* Not inlined, so that light hits need not save the registers that it uses. */
static noinline void run_after_all(const struct stp_probe *probe)
{
	PIN_CPU;

	context_run(probe, probe->handler, NULL, NULL, false);
}

/* A light handler does not use the tracepoint's arguments, so they need not be collected. */
static void notrace light_tracepoint_hit(void *data)
{
	const struct stp_probe *probe = ((struct armed_tracepoint *)data)->probe;

	if (!context_run_light(probe->light))
		run_after_all(probe);
}

static int switch_tracepoint(struct armed_tracepoint *slot, bool on)
{
	void *callback = slot->probe->light ? (void *)light_tracepoint_hit : (void *)tracepoint_hit;
	int error;

	if (slot->is_on == on)
		return 0; /* also without a tracepoint */
	error = on ? tracepoint_probe_register(slot->tracepoint, callback, slot)
		   : tracepoint_probe_unregister(slot->tracepoint, callback, slot);
	slot->is_on = on && !error;
	return error;
}

static void arm_one_tracepoint(struct armed_tracepoint *slot)
{
	int error;

	slot->tracepoint = (struct tracepoint *)probe_address(slot->probe);
	error = switch_tracepoint(slot, probe_is_wanted(slot->probe));
	if (!error)
		return;
	probe_arm_failed(slot->probe, error);
	slot->tracepoint = NULL;
}

static int arm_tracepoints(void)
{
	unsigned int i, total = probe_count(STP_PROBE_TRACEPOINT);

	if (!total)
		return 0;
	armed_tracepoints = checked(kvcalloc(total, sizeof(*armed_tracepoints), GFP_KERNEL));
	if (!armed_tracepoints)
		return -ENOMEM;
	for (i = 0; i < stp_script.probe_count; i++) {
		struct armed_tracepoint *slot = &armed_tracepoints[armed_tracepoint_count];

		if (stp_script.probes[i].kind != STP_PROBE_TRACEPOINT)
			continue;
		if (atomic_read(&session_exit_requested))
			break;
		cond_resched(); /* thousands of tracepoints take longer than the watchdog timeouts */
		slot->probe = &stp_script.probes[i];
		armed_tracepoint_count++;
		if (probe_is_there(slot->probe))
			arm_one_tracepoint(slot);
	}
	return 0;
}

static void disarm_tracepoints(void)
{
	unsigned int i;

	for (i = 0; i < armed_tracepoint_count; i++)
		switch_tracepoint(&armed_tracepoints[i], false);
	/* A CPU may still be in the callback, which uses what is freed next. */
	if (armed_tracepoint_count)
		tracepoint_synchronize_unregister();
	armed_tracepoint_count = 0;
	kvfree(armed_tracepoints);
	armed_tracepoints = NULL;
}

static void rearm_tracepoints(void)
{
	unsigned int i;

	for (i = 0; i < armed_tracepoint_count; i++) {
		struct armed_tracepoint *slot = &armed_tracepoints[i];

		if (address_leaves((unsigned long)slot->tracepoint)) {
			switch_tracepoint(slot, false);
			slot->tracepoint = NULL;
		} else if (slot->tracepoint) {
			switch_tracepoint(slot, probe_is_wanted(slot->probe));
		} else if (probe_arrives(slot->probe)) {
			arm_one_tracepoint(slot);
		}
	}
}

const struct probe_family tracepoint_family = {
	.name = "tracepoint",
	.arm = arm_tracepoints,
	.disarm = disarm_tracepoints,
	.rearm = rearm_tracepoints,
};
