// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function returns, by kretprobes. If the handler uses values from the function's entry, an entry handler computes them
 * into the instance's data. If the entry handler was skipped, the return is skipped as well, so that no handler runs
 * with missing values.
 *
 * A recorder (STP_PROBE_CALLS) runs no handler. It serves probes in the middle of its function, where some arguments
 * exist only in the registers at the entry: the kretprobe instance keeps these until the call returns. The task's list
 * of instances also contains calls of other functions, and calls made by interrupts. A call is identified by the stack
 * address of its return address, which is unique among the calls in progress. Reading the list is safe in any context.
 * Only the task itself and code that interrupts it change the list, at its head, and an interrupt undoes its changes
 * before it ends.
 */
#include <linux/kprobes.h>
#include <linux/vmalloc.h>

#include "runtime/abi/protocol.h"
#include "runtime/arch/registers.h"
#include "runtime/compat/compat.h"
#include "runtime/core/arming.h"
#include "runtime/core/context.h"
#include "runtime/core/entry.h"
#include "runtime/core/internal.h"
#include "runtime/core/module_notifier.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"
#include "runtime/probes/families.h"
#include "runtime/probes/kprobe_batch.h"
#include "runtime/probes/kretprobe.h"

/* The data of a recorder's instance. */
struct recorded_call {
	struct pt_regs regs;
};

static struct kprobe_batch *return_batches;
/* Kretprobes whose entries function.c will handle but does not yet, the last one first. */
static struct armed_kretprobe *to_watch;

static struct armed_kretprobe *armed_at(const struct kprobe_batch *batch, unsigned int index)
{
	return container_of((struct kretprobe *)batch->pointers[index], struct armed_kretprobe, kretprobe);
}

static struct armed_kretprobe *armed_of(struct kretprobe_instance *instance)
{
	return container_of(compat_get_kretprobe(instance), struct armed_kretprobe, kretprobe);
}

/* Run the script's entry handler, and mark its values as valid. c->entry_values is in a struct instance_data. */
void run_entry(struct stp_context *c)
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
	/* nonzero: do not watch for this return */
	return !data->valid;
}
NOKPROBE_SYMBOL(entry_hit);

static int return_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *kretprobe = compat_get_kretprobe(instance);

	/* The probe may be unregistered while this call still returns. */
	if (likely(kretprobe)) {
		const struct stp_probe *probe = container_of(kretprobe, struct armed_kretprobe, kretprobe)->probe;

		/* The return trampoline is plain code, not an exception. */
		context_run(probe, probe->handler, regs, ((struct instance_data *)instance->data)->values, false);
	}
	return 0;
}
NOKPROBE_SYMBOL(return_hit);

/* A light handler uses neither registers nor entry values. */
static int light_return_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *kretprobe = compat_get_kretprobe(instance);

	if (likely(kretprobe))
		context_run_hit(container_of(kretprobe, struct armed_kretprobe, kretprobe)->probe, regs, NULL, false);
	return 0;
}
NOKPROBE_SYMBOL(light_return_hit);

/*
 * Copy the registers without taking a context. Thus an entry is missed only if no instance is free, or if the entry is
 * inside another kprobe's handler.
 */
static int record_call(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	((struct recorded_call *)instance->data)->regs = *regs;
	return 0;
}
NOKPROBE_SYMBOL(record_call);

static int forget_call(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(forget_call);

static void **recorder_slot(const struct stp_probe *probe)
{
	return &stp_script.recorders[probe - recorder_probe(0)];
}

static const struct recorded_call *find_call(unsigned int recorder, unsigned long place)
{
	const void *wanted = READ_ONCE(stp_script.recorders[recorder]);
	struct llist_node *entry;

	for (entry = wanted ? compat_watched_calls() : NULL; entry; entry = READ_ONCE(entry->next)) {
		struct kretprobe_instance *instance = compat_watched_call(entry);

		/* Innermost first: if the function has tail-called itself, several calls have the same place. */
		if (compat_call_place(instance) == place && compat_get_kretprobe(instance) == wanted)
			return (const struct recorded_call *)instance->data;
	}
	return NULL;
}

stp_ulong stp_entry_register(unsigned int recorder, unsigned long place, unsigned int word, int *fault)
{
	const struct recorded_call *call = find_call(recorder, place);

	*fault |= !call;
	return call ? ((const unsigned long *)&call->regs)[word] : 0;
}

stp_ulong stp_return_address(unsigned long place)
{
	int fault = 0;
	stp_ulong address = stp_load(place, sizeof(long), &fault);

	return fault ? 0 : compat_original_return(place, address);
}

stp_ulong stp_link_address(unsigned long call, unsigned long address)
{
	return without_authentication(compat_original_return(call, address));
}

int stp_entry_known(unsigned int recorder, unsigned long place)
{
	return find_call(recorder, place) != NULL;
}

void stp_entry_unknown(struct stp_context *c, unsigned int recorder)
{
#ifdef COMPAT_HIDES_WATCHED_CALLS
	stp_error(c,
		  "cannot find the entry of this call of %s: kernels before 5.11 do not expose the calls in progress",
		  recorder_probe(recorder)->function);
#else
	stp_error(c,
		  "the entry of this call of %s was not seen: it began before the script, or too many were under way",
		  recorder_probe(recorder)->function);
#endif
}

/* Return the default limit of calls in progress per function. Functions that sleep need many. */
int default_maxactive(void)
{
	return max_t(int, 64, 6 * num_possible_cpus());
}

/* Have function.c's callback handle the entries if that is possible. Otherwise the kprobe must be enabled. */
static void hand_to_watcher(struct armed_kretprobe *armed)
{
	armed->is_watched = stp_script.current_kprobe && kprobe_ftrace(&armed->kretprobe.kp) &&
			    !address_is_init((unsigned long)armed->kretprobe.kp.addr);
	if (!armed->is_watched)
		return;
	armed->next = to_watch;
	to_watch = armed;
}

static void arm_one_return(struct kprobe_batch *batch, const struct stp_probe *probe)
{
	struct armed_kretprobe *slot = (struct armed_kretprobe *)batch->slots + batch->count;
	int error;

	slot->probe = probe;
	slot->kretprobe.handler = probe->light ? light_return_hit : return_hit;
	slot->kretprobe.maxactive = probe->maxactive ?: default_maxactive();
	if (probe->kind == STP_PROBE_CALLS) {
		slot->kretprobe.handler = forget_call;
		slot->kretprobe.entry_handler = record_call;
		slot->kretprobe.data_size = sizeof(struct recorded_call);
	} else if (probe->entry_handler) {
		slot->kretprobe.entry_handler = entry_hit;
		slot->kretprobe.data_size = sizeof(struct instance_data) + probe->entry_size;
	} else {
		slot->kretprobe.data_size = sizeof(struct instance_data);
	}
	error = place_kprobe(&slot->kretprobe.kp, probe) ?: register_kretprobe(&slot->kretprobe);
	if (error) {
		probe_arm_failed(probe, error);
		memset(slot, 0, sizeof(*slot));
		return;
	}
	batch->pointers[batch->count++] = &slot->kretprobe;
	hand_to_watcher(slot);
	if (probe->kind == STP_PROBE_CALLS)
		WRITE_ONCE(*recorder_slot(probe), &slot->kretprobe);
}

struct armed_kretprobe *kretprobe_to_watch(void)
{
	struct armed_kretprobe *first = to_watch;

	if (first)
		to_watch = first->next;
	return first;
}

unsigned int kretprobes_to_watch(void)
{
	const struct armed_kretprobe *armed;
	unsigned int count = 0;

	for (armed = to_watch; armed; armed = armed->next)
		count++;
	return count;
}

void kretprobe_watch_itself(struct armed_kretprobe *armed)
{
	armed->is_watched = false;
	switch_kprobe(&armed->kretprobe.kp, armed->probe);
}

/* Enable or disable the first @p kept kretprobes as probe_is_wanted() says, except those that function.c handles. */
static void switch_returns(const struct kprobe_batch *batch, unsigned int kept)
{
	unsigned int i;

	for (i = 0; i < kept; i++) {
		struct armed_kretprobe *armed = armed_at(batch, i);

		if (!armed->is_watched)
			switch_kprobe(&armed->kretprobe.kp, armed->probe);
	}
}

static bool is_of_returns(const struct stp_probe *probe)
{
	return probe->kind == STP_PROBE_KRETPROBE || probe->kind == STP_PROBE_CALLS;
}

/* Arm those of our probes that are chosen now. */
static int arm_return_batch(bool (*is_chosen)(const struct stp_probe *probe))
{
	struct kprobe_batch *batch;
	unsigned int i, total = 0;

	for (i = 0; i < stp_script.probe_count; i++)
		total += is_of_returns(&stp_script.probes[i]) && is_chosen(&stp_script.probes[i]);
	if (!total)
		return 0;
	batch = new_kprobe_batch(total, sizeof(struct armed_kretprobe));
	if (!batch)
		return -ENOMEM;
	batch->next = return_batches;
	return_batches = batch;
	for (i = 0; i < stp_script.probe_count; i++) {
		if (atomic_read(&session_exit_requested))
			break;
		cond_resched(); /* thousands of kprobes take longer than the watchdog timeouts */
		if (is_of_returns(&stp_script.probes[i]) && is_chosen(&stp_script.probes[i]))
			arm_one_return(batch, &stp_script.probes[i]);
	}
	switch_returns(batch, batch->count);
	return 0;
}

static int arm_kretprobes(void)
{
	return arm_return_batch(probe_is_there);
}

/* Unregister the kretprobes from index @p first on. */
static void unregister_returns(struct kprobe_batch *batch, unsigned int first)
{
	unsigned int i;

	if (first < batch->count)
		unregister_kretprobes((struct kretprobe **)batch->pointers + first, batch->count - first);
	for (i = first; i < batch->count; i++) {
		const struct armed_kretprobe *armed = armed_at(batch, i);

		/*
		 * Misses of recorders are not counted: reading the entry's values reports an error
		 * (stp_entry_unknown()).
		 */
		if (armed->probe->kind == STP_PROBE_CALLS)
			WRITE_ONCE(*recorder_slot(armed->probe), NULL);
		else if (armed->kretprobe.nmissed)
			context_count_skip(SKIP_MISSED_RETURN, armed->kretprobe.nmissed);
	}
	batch->count = first;
}

static void disarm_kretprobes(void)
{
	struct kprobe_batch *batch;

	while ((batch = return_batches)) {
		return_batches = batch->next;
		unregister_returns(batch, 0);
		free_kprobe_batch(batch);
	}
	to_watch = NULL;
}

void kretprobes_rearm(void)
{
	struct kprobe_batch **link = &return_batches, *batch;

	while ((batch = *link)) {
		unsigned int kept = part_from_gone(batch);

		switch_returns(batch, kept);
		unregister_returns(batch, kept);
		if (batch->count) {
			link = &batch->next;
			continue;
		}
		*link = batch->next;
		free_kprobe_batch(batch);
	}
	if (arm_return_batch(probe_arrives))
		transport_message(STP_RECORD_WARNING, false, "no memory to arm the probes of a module");
}

static void count_returns(unsigned int counts[MECHANISM_COUNT])
{
	const struct kprobe_batch *batch;
	unsigned int i;

	for (batch = return_batches; batch; batch = batch->next)
		for (i = 0; i < batch->count; i++)
			/* function.c counts the others. */
			counts[KRETPROBE] += !armed_at(batch, i)->is_watched;
}

/* No rearm(): function.c calls kretprobes_rearm() at the right time. */
const struct probe_family kretprobe_family = {
	.name = "return",
	.arm = arm_kretprobes,
	.disarm = disarm_kretprobes,
	.count = count_returns,
};
