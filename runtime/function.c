// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function entry through ftrace.
 *
 * All function probes of a script that stand on a call site of ftrace share one ftrace_ops with a filter; the callback
 * finds the probes of the address in a hash table. Registering is one operation however many there are. What has no
 * call site, or is refused by the filter, goes to a kprobe (kprobe.c).
 */
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>

#include "internal.h"
#include "compat/compat.h"

#ifdef CONFIG_DYNAMIC_FTRACE

struct site {
	unsigned long address;
	unsigned int probe;
};

/* Of an address. Free if there are no sites. */
struct site_slot {
	unsigned long address;
	const struct stp_probe *only; /* if it has just one */
	unsigned int light; /* that probe's */
	unsigned int count;
	const struct site *first;
};

static struct site *sites;
static unsigned int site_count;
static struct site_slot *site_slots; /* hash table, open addressing */
static unsigned int site_slot_bits;
static bool registered;

HOT const struct site_slot *find_slot(unsigned long address)
{
	const struct site_slot *slot = &site_slots[hash_long(address, site_slot_bits)];

	/* There is a free one behind the last. */
	while (unlikely(slot->address != address) && slot->address)
		slot++;
	return slot;
}

/* At most half full; with room for all to come after the last, so that a search need not wrap. */
static int fill_slots(void)
{
	unsigned int i;

	site_slot_bits = order_base_2(2 * site_count);
	site_slots = checked(kvcalloc((1u << site_slot_bits) + site_count + 1, sizeof(*site_slots), GFP_KERNEL));
	if (!site_slots)
		return -ENOMEM;
	for (i = 0; i < site_count; i++) {
		struct site_slot *slot = (struct site_slot *)find_slot(sites[i].address);

		slot->address = sites[i].address;
		if (!slot->count++)
			slot->first = &sites[i];
		slot->only = slot->count == 1 ? &stp_script.probes[sites[i].probe] : NULL;
		slot->light = slot->only ? slot->only->light : 0;
	}
	return 0;
}

static noinline notrace void run_all(const struct site_slot *slot, struct pt_regs *regs)
{
	unsigned int i;

	preempt_disable_notrace();
	for (i = 0; i < slot->count; i++)
		context_run_hit(&stp_script.probes[slot->first[i].probe], regs, NULL, false);
	preempt_enable_notrace();
}

static noinline notrace void run_only(const struct stp_probe *probe, struct pt_regs *regs)
{
	preempt_disable_notrace();
	context_run(probe, probe->handler, regs, NULL, false);
	preempt_enable_notrace();
}

/*
 * Any context that can call a traced function, NMI included. What it calls before a context is taken is not traced. It jumps to
 * the functions above, so that a light handler need not save the registers that they use.
 */
static void notrace function_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				 struct ftrace_regs *fregs)
{
	const struct site_slot *slot = find_slot(ip);

	if (context_run_light(slot->light))
		return;
	if (likely(slot->only))
		run_only(slot->only, compat_ftrace_regs(fregs));
	else
		run_all(slot, compat_ftrace_regs(fregs));
}

static struct ftrace_ops function_ops = {
	.func = function_hit,
};

static int compare_sites(const void *left, const void *right)
{
	const struct site *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->probe < b->probe ? -1 : 1;
}

static unsigned int collect_sites(void)
{
	unsigned int i, count = 0;

	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];
		unsigned long address;

		if (probe->kind != STP_PROBE_FUNCTION)
			continue;
		address = probe->fentry ? stp_address(probe->target, probe->fentry) : 0;
		if (!address) {
			kprobe_adopt_function(i);
			continue;
		}
		sites[count++] = (struct site){address, i};
	}
	sort(sites, count, sizeof(*sites), compare_sites, NULL);
	return count;
}

/* The filter refused the batch: find out which addresses it takes, one by one, and leave the others to kprobes. */
static int filter_one_by_one(void)
{
	unsigned int i, kept = 0;

	ftrace_set_filter(&function_ops, NULL, 0, 1);
	for (i = 0; i < site_count; i++) {
		if (ftrace_set_filter_ip(&function_ops, sites[i].address, 0, 0))
			kprobe_adopt_function(sites[i].probe);
		else
			sites[kept++] = sites[i];
	}
	site_count = kept;
	return 0;
}

/* All addresses at which there is something to do, each once; all of them if @only_wanted is not set. */
static unsigned int list_addresses(unsigned long *addresses, bool only_wanted)
{
	unsigned int i, count = 0;

	for (i = 0; i < site_count; i++) {
		if (only_wanted && !probe_is_wanted(&stp_script.probes[sites[i].probe]))
			continue;
		if (!count || addresses[count - 1] != sites[i].address)
			addresses[count++] = sites[i].address;
	}
	return count;
}

static int set_filter(void)
{
	unsigned long *addresses = checked(kvcalloc(site_count, sizeof(*addresses), GFP_KERNEL));
	int error;

	if (!addresses)
		return -ENOMEM;
	error = ftrace_set_filter_ips(&function_ops, addresses, list_addresses(addresses, false), 0, 1);
	kvfree(addresses);
	return error ? filter_one_by_one() : 0;
}

static int switch_functions(bool on)
{
	int error = 0;

	if (on && !registered)
		error = register_ftrace_function(&function_ops);
	else if (!on && registered)
		/* Waits until no CPU is in the callback or in a trampoline that leads to it. */
		unregister_ftrace_function(&function_ops);
	registered = on && !error;
	return error;
}

static int filter_wanted(void)
{
	unsigned long *addresses = checked(kvcalloc(site_count, sizeof(*addresses), GFP_KERNEL));
	unsigned int count;
	int error = 0;

	if (!addresses)
		return -ENOMEM;
	count = list_addresses(addresses, true);
	/* An empty filter would mean all functions. */
	if (count)
		error = ftrace_set_filter_ips(&function_ops, addresses, count, 0, 1);
	kvfree(addresses);
	return error ?: switch_functions(count);
}

static void rearm_functions(void)
{
	if (site_count)
		filter_wanted();
}

static int arm_functions(void)
{
	unsigned int total = probe_count(STP_PROBE_FUNCTION);
	int error;

	if (!total)
		return 0;
	sites = checked(kvcalloc(total, sizeof(*sites), GFP_KERNEL));
	if (!sites)
		return -ENOMEM;
	site_count = collect_sites();
	if (!site_count)
		return 0;
	error = set_filter();
	if (error || !site_count)
		return error;
	error = fill_slots();
	if (error)
		return error;
	if (stp_script.needs_registers)
		function_ops.flags |= FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED;
	return filter_wanted();
}

static void disarm_functions(void)
{
	switch_functions(false);
	ftrace_free_filter(&function_ops);
	site_count = 0;
	kvfree(sites);
	kvfree(site_slots);
	sites = NULL;
	site_slots = NULL;
}

#else /* no function tracer in this kernel: breakpoints do it all */

static int arm_functions(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++)
		if (stp_script.probes[i].kind == STP_PROBE_FUNCTION)
			kprobe_adopt_function(i);
	return 0;
}

static void disarm_functions(void)
{
}

static void rearm_functions(void)
{
}

#endif

const struct probe_family function_family = {
	.name = "function",
	.arm = arm_functions,
	.disarm = disarm_functions,
	.rearm = rearm_functions,
};
