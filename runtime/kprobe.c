// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kprobes: any instruction, and functions that ftrace cannot serve. The kernel turns those it can into jumps
 * (optimised kprobes) by itself, for which no post handler may be set.
 */
#include <linux/kprobes.h>
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

	context_run(probe, probe->handler, regs, NULL, !compat_kprobe_is_direct(kprobe));
	return 0;
}
NOKPROBE_SYMBOL(kprobe_hit);

void kprobe_adopt_function(unsigned int index)
{
	if (!adopted)
		adopted = kvcalloc(BITS_TO_LONGS(stp_script.probe_count), sizeof(long), GFP_KERNEL);
	if (adopted)
		set_bit(index, adopted);
	else
		probe_arm_failed(&stp_script.probes[index], -ENOMEM);
}

static bool is_ours(unsigned int index)
{
	return stp_script.probes[index].kind == STP_PROBE_KPROBE || (adopted && test_bit(index, adopted));
}

static void arm_one_kprobe(const struct stp_probe *probe)
{
	struct armed_kprobe *slot = &armed_kprobes[armed_kprobe_count];
	int error;

	slot->probe = probe;
	slot->kprobe.pre_handler = kprobe_hit;
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

static int arm_kprobes(void)
{
	unsigned int i, total = 0;

	for (i = 0; i < stp_script.probe_count; i++)
		total += is_ours(i);
	if (!total)
		return 0;
	armed_kprobes = kvcalloc(total, sizeof(*armed_kprobes), GFP_KERNEL);
	kprobe_pointers = kvcalloc(total, sizeof(*kprobe_pointers), GFP_KERNEL);
	if (!armed_kprobes || !kprobe_pointers)
		return -ENOMEM;
	for (i = 0; i < stp_script.probe_count; i++) {
		if (atomic_read(&session_exit_requested))
			break;
		if (is_ours(i))
			arm_one_kprobe(&stp_script.probes[i]);
	}
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

const struct probe_family kprobe_family = {
	.name = "kprobe",
	.arm = arm_kprobes,
	.disarm = disarm_kprobes,
};
