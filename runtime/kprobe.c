// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kprobes: any instruction, and functions that ftrace cannot serve. The kernel turns those it can into jumps
 * (optimised kprobes) by itself, for which no post handler may be set.
 *
 * It begins with that a moment after a registration and holds the lock that the next one needs, for as long as all tasks
 * take to have been scheduled (kernel/kprobes.c, kprobe_optimizer()): registering hundreds takes minutes then. So if there are
 * many, optimisation is paused by its sysctl, and does them in batches when it goes on.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/sched/task.h>
#include <linux/vmalloc.h>

#include "internal.h"
#include "compat/compat.h"

struct armed_kprobe {
	struct kprobe kprobe;
	const struct stp_probe *probe;
};

static struct armed_kprobe *armed_kprobes;
static struct kprobe **kprobe_pointers; /* what unregister_kprobes() wants */
static unsigned int armed_kprobe_count;
static unsigned long *adopted; /* bitmap of function probes handed over by function.c */

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

static void arm_one_kprobe(const struct stp_probe *probe)
{
	struct armed_kprobe *slot = &armed_kprobes[armed_kprobe_count];
	int error;

	slot->probe = probe;
	slot->kprobe.pre_handler = kprobe_hit;
	slot->kprobe.flags = probe_is_wanted(probe) ? 0 : KPROBE_FLAG_DISABLED;
	if (probe->flags & STP_PROBE_BY_SYMBOL)
		slot->kprobe.symbol_name = probe->symbol;
	else
		slot->kprobe.addr = (kprobe_opcode_t *)probe_address(probe);
	error = slot->kprobe.addr || slot->kprobe.symbol_name ? register_kprobe(&slot->kprobe) : -ENOENT;
	if (error) {
		probe_arm_failed(probe, error);
		memset(slot, 0, sizeof(*slot));
		return;
	}
	kprobe_pointers[armed_kprobe_count++] = &slot->kprobe;
}

/* ---- optimisation -------------------------------------------------------------------------------------------------- */

#define OPTIMIZATION_FILE "/proc/sys/debug/kprobes-optimization"

enum { MANY_KPROBES = 64 };

/* Sets the switch if it is not so. True: it was changed. */
static bool switch_optimization(char to)
{
	struct file *file = filp_open(OPTIMIZATION_FILE, O_RDWR, 0);
	loff_t position = 0;
	char now = to;

	/* No such file, or no /proc here: then it just takes longer. */
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

/* With the kernel's credentials: the current task is staprun's reader, which may do nothing. */
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

/* ---- arming -------------------------------------------------------------------------------------------------------- */

static int arm_kprobes(void)
{
	unsigned int i, total = 0;
	bool paused;

	for (i = 0; i < stp_script.probe_count; i++)
		total += is_ours(i);
	if (!total)
		return 0;
	armed_kprobes = checked(kvcalloc(total, sizeof(*armed_kprobes), GFP_KERNEL));
	kprobe_pointers = checked(kvcalloc(total, sizeof(*kprobe_pointers), GFP_KERNEL));
	if (!armed_kprobes || !kprobe_pointers)
		return -ENOMEM;
	paused = total >= MANY_KPROBES && set_optimization('0');
	for (i = 0; i < stp_script.probe_count; i++) {
		if (atomic_read(&session_exit_requested))
			break;
		cond_resched(); /* thousands take longer than the kernel's watchdogs wait */
		if (is_ours(i))
			arm_one_kprobe(&stp_script.probes[i]);
	}
	if (paused)
		set_optimization('1');
	return 0;
}

static void disarm_kprobes(void)
{
	if (armed_kprobe_count)
		unregister_kprobes(kprobe_pointers, armed_kprobe_count);
	armed_kprobe_count = 0;
	kvfree(armed_kprobes);
	kvfree(kprobe_pointers);
	kvfree(adopted);
	armed_kprobes = NULL;
	kprobe_pointers = NULL;
	adopted = NULL;
}

static void rearm_kprobes(void)
{
	unsigned int i;

	for (i = 0; i < armed_kprobe_count; i++) {
		bool wanted = probe_is_wanted(container_of(kprobe_pointers[i], struct armed_kprobe, kprobe)->probe);

		if (wanted && kprobe_disabled(kprobe_pointers[i]))
			enable_kprobe(kprobe_pointers[i]);
		else if (!wanted && !kprobe_disabled(kprobe_pointers[i]))
			disable_kprobe(kprobe_pointers[i]);
	}
}

const struct probe_family kprobe_family = {
	.name = "kprobe",
	.arm = arm_kprobes,
	.disarm = disarm_kprobes,
	.rearm = rearm_kprobes,
};
