// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function returns, by kretprobes. If the handler uses values as of the function's entry, an entry handler computes
 * them into the instance's data; a hit whose entry handler did not run (a skipped one) is then skipped at the return
 * as well, so that a handler never sees half a story.
 */
#include <linux/kprobes.h>
#include <linux/vmalloc.h>

#include "internal.h"
#include "compat/compat.h"

struct armed_kretprobe {
	struct kretprobe kretprobe;
	const struct stp_probe *probe;
};

/* What the kernel keeps per call, between entry and return. */
struct instance_data {
	u64 valid;
	char values[];
};

static struct armed_kretprobe *armed_returns;
static struct kretprobe **return_pointers;
static unsigned int armed_return_count;

static struct armed_kretprobe *armed_of(struct kretprobe_instance *instance)
{
	return container_of(get_kretprobe(instance), struct armed_kretprobe, kretprobe);
}

/* Runs the script's entry handler and notes that it did; the context is passed through entry_values. */
static void run_entry(struct stp_context *c)
{
	struct instance_data *data = container_of((void *)c->entry_values, struct instance_data, values);

	c->probe->entry_handler(c);
	data->valid = !c->error;
}

static int entry_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct armed_kretprobe *slot = armed_of(instance);
	struct instance_data *data = (struct instance_data *)instance->data;

	data->valid = 0;
	context_run(slot->probe, run_entry, regs, data->values, !compat_kprobe_is_direct(&slot->kretprobe.kp));
	/* Nonzero: do not watch for this return. */
	return !data->valid;
}
NOKPROBE_SYMBOL(entry_hit);

static int return_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *kretprobe = get_kretprobe(instance);
	struct armed_kretprobe *slot = container_of(kretprobe, struct armed_kretprobe, kretprobe);

	/* The probe may be on its way out while this call still returns. */
	if (unlikely(!kretprobe))
		return 0;
	/* The return trampoline is plain code, no exception. */
	context_run_hit(slot->probe, regs, ((struct instance_data *)instance->data)->values, false);
	return 0;
}
NOKPROBE_SYMBOL(return_hit);

/* Calls of one function that may be under way at once; sleeping functions need many. */
static int default_maxactive(void)
{
	return max_t(int, 64, 6 * num_possible_cpus());
}

static void arm_one_return(const struct stp_probe *probe)
{
	struct armed_kretprobe *slot = &armed_returns[armed_return_count];
	int error;

	slot->probe = probe;
	slot->kretprobe.handler = return_hit;
	slot->kretprobe.kp.flags = probe_is_wanted(probe) ? 0 : KPROBE_FLAG_DISABLED;
	slot->kretprobe.maxactive = probe->maxactive ?: default_maxactive();
	if (probe->entry_handler) {
		slot->kretprobe.entry_handler = entry_hit;
		slot->kretprobe.data_size = sizeof(struct instance_data) + probe->entry_size;
	} else {
		slot->kretprobe.data_size = sizeof(struct instance_data);
	}
	if (probe->flags & STP_PROBE_BY_SYMBOL)
		slot->kretprobe.kp.symbol_name = probe->symbol;
	else
		slot->kretprobe.kp.addr = (kprobe_opcode_t *)probe_address(probe);
	error = slot->kretprobe.kp.addr || slot->kretprobe.kp.symbol_name ? register_kretprobe(&slot->kretprobe)
									  : -ENOENT;
	if (error) {
		probe_arm_failed(probe, error);
		memset(slot, 0, sizeof(*slot));
		return;
	}
	return_pointers[armed_return_count++] = &slot->kretprobe;
}

static int arm_kretprobes(void)
{
	unsigned int i, total = probe_count(STP_PROBE_KRETPROBE);

	if (!total)
		return 0;
	armed_returns = checked(kvcalloc(total, sizeof(*armed_returns), GFP_KERNEL));
	return_pointers = checked(kvcalloc(total, sizeof(*return_pointers), GFP_KERNEL));
	if (!armed_returns || !return_pointers)
		return -ENOMEM;
	for (i = 0; i < stp_script.probe_count; i++) {
		if (atomic_read(&session_exit_requested))
			break;
		cond_resched(); /* thousands take longer than the kernel's watchdogs wait */
		if (stp_script.probes[i].kind == STP_PROBE_KRETPROBE)
			arm_one_return(&stp_script.probes[i]);
	}
	return 0;
}

static void disarm_kretprobes(void)
{
	unsigned int i;

	if (armed_return_count)
		unregister_kretprobes(return_pointers, armed_return_count);
	for (i = 0; i < armed_return_count; i++)
		if (return_pointers[i]->nmissed)
			context_count_skip(SKIP_MISSED_RETURN, return_pointers[i]->nmissed);
	armed_return_count = 0;
	kvfree(armed_returns);
	kvfree(return_pointers);
	armed_returns = NULL;
	return_pointers = NULL;
}

static void rearm_kretprobes(void)
{
	unsigned int i;

	for (i = 0; i < armed_return_count; i++) {
		struct kretprobe *kretprobe = return_pointers[i];
		bool wanted = probe_is_wanted(container_of(kretprobe, struct armed_kretprobe, kretprobe)->probe);

		if (wanted && kprobe_disabled(&kretprobe->kp))
			enable_kretprobe(kretprobe);
		else if (!wanted && !kprobe_disabled(&kretprobe->kp))
			disable_kretprobe(kretprobe);
	}
}

const struct probe_family kretprobe_family = {
	.name = "return",
	.arm = arm_kretprobes,
	.disarm = disarm_kretprobes,
	.rearm = rearm_kretprobes,
};
