// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kprobes: any instruction, and functions that ftrace cannot probe. The kernel replaces breakpoints with jumps where it
 * can (optimized kprobes), but only if no post handler is set.
 *
 * Shortly after a kprobe is enabled, the kernel starts to optimize it. It then holds the lock that enabling the next
 * one needs, until all tasks have been scheduled (kernel/kprobes.c, kprobe_optimizer()). Arming hundreds of kprobes one
 * by one would thus take minutes. So we first register all of them disabled, which is the slow part, and then enable
 * them in a tight loop. If there are many, optimization is turned off by its sysctl until all are enabled; then the
 * kernel optimizes them in batches.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "runtime/abi/protocol.h"
#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/module_notifier.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"
#include "runtime/probes/families.h"
#include "runtime/probes/kprobe.h"
#include "runtime/probes/kprobe_batch.h"

struct armed_kprobe {
	struct kprobe kprobe;
	const struct stp_probe *probe;
};

static struct kprobe_batch *kprobe_batches;
static unsigned long *adopted; /* bitmap of function probes that function.c has handed over */

static int kprobe_hit(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct stp_probe *probe = container_of(kprobe, struct armed_kprobe, kprobe)->probe;

	context_run_hit(probe, regs, NULL, !compat_kprobe_is_direct(kprobe));
	return 0;
}
NOKPROBE_SYMBOL(kprobe_hit);

void kprobe_adopt_function(unsigned int index)
{
	if (!adopted)
		adopted = checked(kvcalloc(BITS_TO_LONGS(stp_script.probe_count), sizeof(long), GFP_KERNEL));
	if (adopted)
		set_bit(index, adopted);
	else
		probe_arm_failed(&stp_script.probes[index], -ENOMEM);
}

bool kprobe_has_adopted(const struct stp_probe *probe)
{
	return adopted && test_bit(probe - stp_script.probes, adopted);
}

static bool is_ours(unsigned int index)
{
	return stp_script.probes[index].kind == STP_PROBE_KPROBE || kprobe_has_adopted(&stp_script.probes[index]);
}

static void arm_one_kprobe(struct kprobe_batch *batch, const struct stp_probe *probe)
{
	struct armed_kprobe *slot = (struct armed_kprobe *)batch->slots + batch->count;
	int error;

	slot->probe = probe;
	slot->kprobe.pre_handler = kprobe_hit;
	error = place_kprobe(&slot->kprobe, probe) ?: register_kprobe(&slot->kprobe);
	if (error) {
		probe_arm_failed(probe, error);
		memset(slot, 0, sizeof(*slot));
		return;
	}
	batch->pointers[batch->count++] = &slot->kprobe;
}

/* ---- optimization ------------------------------------------------------------------------------------------------ */

#define OPTIMIZATION_FILE "/proc/sys/debug/kprobes-optimization"

enum { MANY_KPROBES = 64 };

/* Set the sysctl unless it has this value. Return whether it was changed. */
static bool switch_optimization(char to)
{
	struct file *file = filp_open(OPTIMIZATION_FILE, O_RDWR, 0);
	loff_t position = 0;
	char now = to;

	/* Without the file or a mounted /proc, arming just takes longer. */
	if (IS_ERR(file))
		return false;
	if (kernel_read(file, &now, 1, &position) != 1)
		now = to;
	position = 0;
	if (now != to && kernel_write(file, &to, 1, &position) != 1)
		now = to;
	filp_close(file, NULL);
	return now != to;
}

/* Set the sysctl with the kernel's credentials: the current task is staprun's reader, which has no privileges. */
static bool set_optimization(char to)
{
	struct cred *kernel = prepare_kernel_cred(&init_task);
	const struct cred *before;
	bool changed;

	if (!kernel)
		return false;
	before = override_creds(kernel);
	changed = switch_optimization(to);
	revert_creds(before);
	put_cred(kernel);
	return changed;
}

/* ---- arming ------------------------------------------------------------------------------------------------------ */

static void switch_kprobes(const struct kprobe_batch *batch)
{
	unsigned int i;

	for (i = 0; i < batch->count; i++) {
		struct kprobe *kprobe = batch->pointers[i];

		switch_kprobe(kprobe, container_of(kprobe, struct armed_kprobe, kprobe)->probe);
	}
}

/* Arm those of our probes that are chosen now. */
static int arm_kprobe_batch(bool (*is_chosen)(const struct stp_probe *probe))
{
	struct kprobe_batch *batch;
	unsigned int i, total = 0;
	bool paused = false;

	for (i = 0; i < stp_script.probe_count; i++)
		total += is_ours(i) && is_chosen(&stp_script.probes[i]);
	if (!total)
		return 0;
	batch = new_kprobe_batch(total, sizeof(struct armed_kprobe));
	if (!batch)
		return -ENOMEM;
	batch->next = kprobe_batches;
	kprobe_batches = batch;
	for (i = 0; i < stp_script.probe_count; i++) {
		if (atomic_read(&session_exit_requested))
			break;
		cond_resched(); /* thousands of kprobes take longer than the watchdog timeouts */
		if (is_ours(i) && is_chosen(&stp_script.probes[i]))
			arm_one_kprobe(batch, &stp_script.probes[i]);
	}
	if (total >= MANY_KPROBES)
		paused = set_optimization('0');
	switch_kprobes(batch);
	if (paused)
		set_optimization('1');
	return 0;
}

static int arm_kprobes(void)
{
	return arm_kprobe_batch(probe_is_there);
}

/* Return whether the kernel may still undo a jump in a module after this kprobe is unregistered. */
static bool may_linger(struct kprobe *kprobe)
{
	const struct stp_probe *probe = container_of(kprobe, struct armed_kprobe, kprobe)->probe;
	size_t length;

	return !kprobe_ftrace(kprobe) && (probe->target || symbol_in_module(probe, &length));
}

/* Wait until all jumps are undone, as module_notifier.c requires. Turning optimization off waits for that. */
static void wait_for_unoptimized(void)
{
	if (set_optimization('0'))
		set_optimization('1');
}

static void disarm_kprobes(void)
{
	struct kprobe_batch *batch;
	bool lingers = false;
	unsigned int i;

	while ((batch = kprobe_batches)) {
		kprobe_batches = batch->next;
		for (i = 0; i < batch->count; i++)
			lingers |= may_linger(batch->pointers[i]);
		if (batch->count)
			unregister_kprobes((struct kprobe **)batch->pointers, batch->count);
		free_kprobe_batch(batch);
	}
	if (lingers)
		wait_for_unoptimized();
	kvfree(adopted);
	adopted = NULL;
}

static void drop_kprobes(struct kprobe_batch *batch)
{
	unsigned int kept = part_from_gone(batch);

	if (kept < batch->count)
		unregister_kprobes((struct kprobe **)batch->pointers + kept, batch->count - kept);
	batch->count = kept;
}

static void rearm_kprobes(void)
{
	struct kprobe_batch **link = &kprobe_batches, *batch;

	while ((batch = *link)) {
		drop_kprobes(batch);
		switch_kprobes(batch);
		if (batch->count) {
			link = &batch->next;
			continue;
		}
		*link = batch->next;
		free_kprobe_batch(batch);
	}
	if (arm_kprobe_batch(probe_arrives))
		transport_message(STP_RECORD_WARNING, false, "no memory to arm the probes of a module");
}

static void count_kprobes(unsigned int counts[MECHANISM_COUNT])
{
	const struct kprobe_batch *batch;
	unsigned int i;

	for (batch = kprobe_batches; batch; batch = batch->next)
		for (i = 0; i < batch->count; i++)
			counts[kprobe_ftrace((struct kprobe *)batch->pointers[i]) ? FTRACE_KPROBE : KPROBE]++;
}

const struct probe_family kprobe_family = {
	.name = "kprobe",
	.arm = arm_kprobes,
	.disarm = disarm_kprobes,
	.rearm = rearm_kprobes,
	.count = count_kprobes,
};
