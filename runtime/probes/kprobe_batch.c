// SPDX-License-Identifier: GPL-2.0-or-later
/* Kprobes or kretprobes that were armed together. */
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "runtime/arch/breakpoints.h"
#include "runtime/core/allocation.h"
#include "runtime/core/condition.h"
#include "runtime/core/internal.h"
#include "runtime/core/module_notifier.h"
#include "runtime/core/target.h"
#include "runtime/probes/kprobe_batch.h"

int place_kprobe(struct kprobe *kprobe, const struct stp_probe *probe)
{
	unsigned long address;
	bool may_be_module;
	size_t length;

	kprobe->flags = KPROBE_FLAG_DISABLED; /* until switch_kprobe() */
	if ((probe->flags & STP_PROBE_BY_SYMBOL) && !symbol_in_module(probe, &length)) {
		kprobe->symbol_name = probe->symbol;
		return 0;
	}
	address = probe->flags & STP_PROBE_BY_SYMBOL ? module_symbol_address(probe) : probe_address(probe);
	if (!address)
		return -ENOENT;
	may_be_module = probe->target || (probe->flags & (STP_PROBE_BY_SYMBOL | STP_PROBE_ABSOLUTE));
	if (may_be_module && !kprobe_uses_ftrace(probe) && module_text_ends_after(address))
		return -ERANGE;
	kprobe->addr = (kprobe_opcode_t *)address;
	return 0;
}

void free_kprobe_batch(struct kprobe_batch *batch)
{
	kvfree(batch->slots);
	kvfree(batch->pointers);
	kfree(batch);
}

struct kprobe_batch *new_kprobe_batch(unsigned int size, size_t slot_size)
{
	struct kprobe_batch *batch = checked(kzalloc(sizeof(*batch), GFP_KERNEL));

	if (!batch)
		return NULL;
	batch->slots = checked(kvcalloc(size, slot_size, GFP_KERNEL));
	batch->pointers = checked(kvcalloc(size, sizeof(*batch->pointers), GFP_KERNEL));
	if (batch->slots && batch->pointers)
		return batch;
	free_kprobe_batch(batch);
	return NULL;
}

void switch_kprobe(struct kprobe *kprobe, const struct stp_probe *probe)
{
	bool wanted = probe_is_wanted(probe);
	int error = 0;

	cond_resched(); /* thousands of kprobes take longer than the watchdog timeouts */
	if (wanted && kprobe_disabled(kprobe))
		error = enable_kprobe(kprobe);
	else if (!wanted && !kprobe_disabled(kprobe))
		disable_kprobe(kprobe);
	if (error)
		probe_arm_failed(probe, error);
}

unsigned int part_from_gone(struct kprobe_batch *batch)
{
	unsigned int i, kept = batch->count;

	BUILD_BUG_ON(offsetof(struct kretprobe, kp));
	for (i = batch->count; i--;) {
		const struct kprobe *kprobe = batch->pointers[i];

		if (kprobe_has_gone((unsigned long)kprobe->addr)) {
			kept--;
			swap(batch->pointers[i], batch->pointers[kept]);
		}
	}
	return kept;
}
