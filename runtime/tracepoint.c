// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracepoints. The kernel calls the function that was registered with what it was registered with and the tracepoint's
 * own arguments, which differ in number and type. One function serves all: it is declared with as many arguments as any
 * tracepoint has, looks only at those that this one has, and puts them where a probe of a function's entry would find
 * them, by the calling convention: six registers, then the stack. So $variables need no code of their own.
 *
 * Context: whatever the tracepoint is in, NMI included; preemption is off (include/linux/tracepoint.h, __DO_TRACE()).
 */
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#include "internal.h"

enum {
	REGISTER_ARGUMENTS = 5, /* besides the pointer that is ours */
	STACK_ARGUMENTS = 7, /* as many as BPF knows (include/trace/bpf_probe.h, twelve in all) */
};

struct armed_tracepoint {
	const struct stp_probe *probe;
	struct tracepoint *tracepoint;
	bool is_on;
};

/* One for each probe of a tracepoint; those whose module is not loaded have none. */
static struct armed_tracepoint *armed_tracepoints;
static unsigned int armed_tracepoint_count;

static void notrace noinline tracepoint_hit(void *data, unsigned long a1, unsigned long a2, unsigned long a3,
					    unsigned long a4, unsigned long a5, unsigned long a6, unsigned long a7,
					    unsigned long a8, unsigned long a9, unsigned long a10, unsigned long a11,
					    unsigned long a12)
{
	STAYS_HERE;
	const struct stp_probe *probe = ((struct armed_tracepoint *)data)->probe;
	/* As on entry of a function: the return address, and above it what did not fit the registers. */
	unsigned long stack[1 + STACK_ARGUMENTS] = {_RET_IP_};
	struct pt_regs regs = {
		.di = (unsigned long)data,
		.si = a1,
		.dx = a2,
		.cx = a3,
		.r8 = a4,
		.r9 = a5,
		.ip = _RET_IP_,
		.sp = (unsigned long)stack,
		.bp = (unsigned long)__builtin_frame_address(0),
		.cs = __KERNEL_CS,
		.ss = __KERNEL_DS,
	};

	switch (probe->arguments) {
	default:
		stack[7] = a12;
		fallthrough;
	case 11:
		stack[6] = a11;
		fallthrough;
	case 10:
		stack[5] = a10;
		fallthrough;
	case 9:
		stack[4] = a9;
		fallthrough;
	case 8:
		stack[3] = a8;
		fallthrough;
	case 7:
		stack[2] = a7;
		fallthrough;
	case 6:
		stack[1] = a6;
		fallthrough;
	case 0 ... REGISTER_ARGUMENTS:
		break;
	}
	context_run(probe, probe->handler, &regs, NULL, false);
}

struct tracepoint_search {
	const char *name;
	struct tracepoint *found;
};

static void compare_tracepoint(struct tracepoint *tracepoint, void *data)
{
	struct tracepoint_search *search = data;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

struct tracepoint *find_kernel_tracepoint(const char *name)
{
	struct tracepoint_search search = {.name = name};

	for_each_kernel_tracepoint(compare_tracepoint, &search);
	return search.found;
}

/* A function of its own, lest light hits save the registers that it needs. */
static noinline void run_after_all(const struct stp_probe *probe)
{
	STAYS_HERE;

	context_run(probe, probe->handler, NULL, NULL, false);
}

/* A light handler does not look at what the tracepoint passes, so that need not be gathered. */
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
		cond_resched(); /* thousands take longer than the kernel's watchdogs wait */
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
	/* A processor may still be in the callback, which uses what is freed now. */
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
