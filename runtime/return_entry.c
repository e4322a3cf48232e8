// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How return probes learn that their functions are entered.
 *
 * The kernel's way is a kprobe at the entry, which puts another return address on the stack. On a call site of ftrace that
 * kprobe is a call of ftrace, enabled by itself, and each time the kernel goes through all the call sites that it has:
 * thousands take minutes. So these kprobes stay disabled, and one ftrace_ops with the filter for all of them does what the
 * kernel's own would (arch/x86/kernel/kprobes/ftrace.c, kprobe_ftrace_handler()): it calls the handler that
 * register_kretprobe() has given the kprobe. It finds it faster, too: the kernel's table has 64 buckets for all.
 *
 * One condition cannot be asked for with what modules may use: whether a kprobe's handler is running on this CPU. The end of
 * the call would mark it as ended. So the translator tells where the kernel keeps that (stp_script.current_kprobe); if it
 * cannot, or ftrace refuses, the kprobes are enabled one by one.
 */
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/trace_recursion.h>
#include <linux/vmalloc.h>

#include "internal.h"
#include "compat/compat.h"

/* A return probe that is registered; kretprobe.c's. */
struct armed_kretprobe {
	struct kretprobe kretprobe;
	const struct stp_probe *probe;
	struct armed_kretprobe *next_here; /* at the same address */
	bool is_watched; /* its kprobe stays disabled, its entries are seen here */
	bool is_on; /* and are to be, now: another at the same address may be */
};

#ifdef CONFIG_KPROBES_ON_FTRACE

struct entry_slot {
	unsigned long address; /* 0: free */
	struct armed_kretprobe *first; /* of those at this address */
};

struct return_entries {
	struct ftrace_ops ops;
	struct entry_slot *slots; /* hash table, open addressing */
	unsigned int shift;
	unsigned long *addresses; /* room for the filter */
	bool registered;
};

HOT struct entry_slot *find_entry(const struct return_entries *entries, unsigned long address)
{
	struct entry_slot *slot = &entries->slots[(address * GOLDEN_RATIO_64) >> entries->shift];

	/* There is a free one behind the last. */
	while (slot->address && slot->address != address)
		slot++;
	return slot;
}

/* This CPU is between the start and the end of a kprobe's handler. Preemption is off. */
HOT bool kprobe_is_running(void)
{
	return READ_ONCE(*this_cpu_ptr((struct kprobe * __percpu *)stp_script.current_kprobe));
}

/* Any context that can call a traced function, NMI included. */
static void notrace function_entered(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				     struct ftrace_regs *fregs)
{
	const struct armed_kretprobe *armed = find_entry(container_of(ops, struct return_entries, ops), ip)->first;
	struct pt_regs *regs = compat_ftrace_regs(fregs);
	unsigned long before = regs->ip;
	int bit;

	/* Turns preemption off, too. */
	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (unlikely(bit < 0)) {
		context_count_skip(SKIP_REENTRANT, 1);
		return;
	}
	if (unlikely(kprobe_is_running())) {
		context_count_skip(SKIP_REENTRANT, 1);
	} else {
		regs->ip = ip + INT3_INSN_SIZE; /* as after a breakpoint, which handlers of kprobes expect */
		for (; armed; armed = armed->next_here) {
			struct kprobe *kprobe = (struct kprobe *)&armed->kretprobe.kp;

			if (likely(READ_ONCE(armed->is_on)))
				kprobe->pre_handler(kprobe, regs);
		}
		regs->ip = before;
	}
	ftrace_test_recursion_unlock(bit);
}
NOKPROBE_SYMBOL(function_entered);

static struct armed_kretprobe *armed_at(const struct kprobe_batch *batch, unsigned int index)
{
	return container_of((struct kretprobe *)batch->pointers[index], struct armed_kretprobe, kretprobe);
}

static bool can_be_watched(const struct armed_kretprobe *armed)
{
	return armed->kretprobe.kp.flags & KPROBE_FLAG_FTRACE;
}

/* At most half full; with room for all to come after the last, so that a search need not wrap. */
static int fill_entries(struct return_entries *entries, const struct kprobe_batch *batch, unsigned int count)
{
	unsigned int bits = order_base_2(2 * count), i;

	entries->shift = BITS_PER_LONG - bits;
	entries->slots = checked(kvcalloc((1u << bits) + count + 1, sizeof(*entries->slots), GFP_KERNEL));
	if (!entries->slots)
		return -ENOMEM;
	for (i = 0; i < batch->count; i++) {
		struct armed_kretprobe *armed = armed_at(batch, i);
		unsigned long address = (unsigned long)armed->kretprobe.kp.addr;
		struct entry_slot *slot;

		if (!can_be_watched(armed))
			continue;
		slot = find_entry(entries, address);
		slot->address = address;
		armed->next_here = slot->first;
		slot->first = armed;
		armed->is_watched = true;
	}
	return 0;
}

static int switch_entries(struct return_entries *entries, bool on)
{
	int error = 0;

	if (on && !entries->registered)
		error = register_ftrace_function(&entries->ops);
	else if (!on && entries->registered)
		/* Waits until no CPU is in the callback or in a trampoline that leads to it. */
		unregister_ftrace_function(&entries->ops);
	entries->registered = on && !error;
	return error;
}

static void return_entries_destroy(struct return_entries *entries)
{
	if (!entries)
		return;
	switch_entries(entries, false);
	ftrace_free_filter(&entries->ops);
	kvfree(entries->slots);
	kvfree(entries->addresses);
	kfree(entries);
}

/* To be called when those of the batch are registered. Sets batch->entries; NULL: none can be watched. */
static int return_entries_create(struct kprobe_batch *batch)
{
	struct return_entries *entries;
	unsigned int count = 0, i;

	for (i = 0; i < batch->count; i++)
		count += can_be_watched(armed_at(batch, i));
	if (!count || !stp_script.current_kprobe)
		return 0;
	entries = checked(kzalloc(sizeof(*entries), GFP_KERNEL));
	if (!entries)
		return -ENOMEM;
	entries->ops.func = function_entered;
	entries->ops.flags = FTRACE_OPS_FL_SAVE_REGS;
	entries->addresses = checked(kvcalloc(count, sizeof(*entries->addresses), GFP_KERNEL));
	if (!entries->addresses || fill_entries(entries, batch, count)) {
		return_entries_destroy(entries);
		return -ENOMEM;
	}
	batch->entries = entries;
	return 0;
}

/* Have the entries of the first @kept of the batch seen as they are wanted. */
static int return_entries_switch(struct return_entries *entries, const struct kprobe_batch *batch, unsigned int kept)
{
	unsigned int count = 0, i;
	int error = 0;

	for (i = 0; i < kept; i++) {
		struct armed_kretprobe *armed = armed_at(batch, i);
		bool wanted = armed->is_watched && probe_is_wanted(armed->probe);

		WRITE_ONCE(armed->is_on, wanted);
		if (wanted)
			entries->addresses[count++] = (unsigned long)armed->kretprobe.kp.addr;
	}
	/* An empty filter would mean all functions. */
	if (count)
		error = ftrace_set_filter_ips(&entries->ops, entries->addresses, count, 0, 1);
	return error ?: switch_entries(entries, count);
}

#else

static void return_entries_destroy(struct return_entries *entries)
{
}

static int return_entries_create(struct kprobe_batch *batch)
{
	return 0;
}

static int return_entries_switch(struct return_entries *entries, const struct kprobe_batch *batch, unsigned int kept)
{
	return 0;
}

#endif
