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

static struct armed_kprobe *armed;
static struct kprobe **pointers; /* what unregister_kprobes() wants */
static unsigned int armed_count;
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

static void arm_one(const struct stp_probe *probe)
{
	struct armed_kprobe *slot = &armed[armed_count];
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
	pointers[armed_count++] = &slot->kprobe;
}

static int arm_kprobes(void)
{
	unsigned int i, total = 0;

	for (i = 0; i < stp_script.probe_count; i++)
		total += is_ours(i);
	if (!total)
		return 0;
	armed = kvcalloc(total, sizeof(*armed), GFP_KERNEL);
	pointers = kvcalloc(total, sizeof(*pointers), GFP_KERNEL);
	if (!armed || !pointers)
		return -ENOMEM;
	for (i = 0; i < stp_script.probe_count; i++) {
		if (atomic_read(&session_exit_requested))
			break;
		if (is_ours(i))
			arm_one(&stp_script.probes[i]);
	}
	return 0;
}

static void disarm_kprobes(void)
{
	if (armed_count)
		unregister_kprobes(pointers, armed_count);
	armed_count = 0;
	kvfree(armed);
	kvfree(pointers);
	kvfree(adopted);
	armed = NULL;
	pointers = NULL;
	adopted = NULL;
}

const struct probe_family kprobe_family = {
	.name = "kprobe",
	.arm = arm_kprobes,
	.disarm = disarm_kprobes,
};
