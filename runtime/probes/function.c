// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function entries by ftrace: those of entry probes, and those of return probes.
 *
 * All probes on ftrace call sites share one ftrace_ops with a filter, and the callback looks up the address in a hash
 * table. Thus registering is a single operation, and so is the wait until all tasks have left the trampoline when it is
 * unregistered. Probes without a call site, or refused by the filter, become kprobes (kprobe.c). Probes in a module
 * that is loaded later get an ftrace_ops of their own, so that the existing ones are not changed.
 *
 * The kernel handles the entry of a kretprobe by a kprobe, which replaces the return address on the stack. A kprobe on
 * an ftrace call site uses ftrace, but each one is enabled separately, and each time the kernel iterates over all call
 * sites. With thousands of kprobes, that takes minutes. So these kprobes stay disabled, and our callback does what the
 * kernel's would do (kprobe_ftrace_handler()): it calls the pre_handler that register_kretprobe() has set. Our lookup
 * is also faster, because the kernel's hash table has only 64 buckets.
 *
 * The callback must not call a pre_handler while a kprobe's handler is running on this CPU, because the end of the
 * inner one would mark the outer one as ended. Modules cannot query that by exported symbols. So the translator finds
 * the address of the kernel's per-CPU variable (stp_script.current_kprobe). If it cannot, the kprobes are enabled one
 * by one.
 */
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>

#include "runtime/abi/protocol.h"
#include "runtime/arch/function_entry.h"
#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/condition.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/module_notifier.h"
#include "runtime/core/transport.h"
#include "runtime/probes/families.h"
#include "runtime/probes/kprobe.h"
#include "runtime/probes/kretprobe.h"

#ifdef CONFIG_DYNAMIC_FTRACE

struct site {
	unsigned long address;
	unsigned int probe;
	struct armed_kretprobe *returns; /* the kretprobe whose entry this is, or NULL for an entry probe */
};

/* The sites at an address. The slot is free if address is 0. */
struct site_slot {
	unsigned long address;
	const struct stp_probe *only; /* the probe, if there is just one and it is an entry probe */
	unsigned int light; /* stp_probe.light of `only` */
	unsigned int count;
	const struct site *first;
};

/*
 * Probes that were armed together: at the start, or when a module was loaded. Sites are in the order in which their
 * handlers run.
 */
struct function_set {
	struct ftrace_ops ops;
	struct site_slot *slots; /* hash table with open addressing */
	unsigned int slot_shift; /* number of low bits of the 64-bit hash to discard */
	bool registered;
	struct site *sites;
	unsigned int site_count;
	struct function_set *next;
};

static struct function_set *function_sets;

static __always_inline const struct site_slot *find_slot(const struct function_set *set, unsigned long address)
{
	const struct site_slot *slot = &set->slots[(address * GOLDEN_RATIO_64) >> set->slot_shift];

	if (likely(slot->address == address))
		return slot;
	/* Ends at a free slot, because fill_slots() leaves one at the end. */
	while (slot->address && slot->address != address)
		slot++;
	return slot;
}

/*
 * Allocate and fill the hash table, at most half full. It has space for all sites after the last hashed slot, so that a
 * search does not wrap around.
 */
static int fill_slots(struct function_set *set)
{
	unsigned int bits = order_base_2(2 * set->site_count);
	unsigned int i;

	set->slot_shift = BITS_PER_LONG - bits;
	set->slots = checked(kvcalloc((1u << bits) + set->site_count + 1, sizeof(*set->slots), GFP_KERNEL));
	if (!set->slots)
		return -ENOMEM;
	for (i = 0; i < set->site_count; i++) {
		struct site_slot *slot = (struct site_slot *)find_slot(set, set->sites[i].address);

		slot->address = set->sites[i].address;
		if (!slot->count++)
			slot->first = &set->sites[i];
		slot->only =
			slot->count == 1 && !set->sites[i].returns ? &stp_script.probes[set->sites[i].probe] : NULL;
		slot->light = slot->only ? slot->only->light : 0;
	}
	return 0;
}

/* Return whether this CPU is inside a kprobe's handler. Preemption is off. */
static __always_inline bool kprobe_is_running(void)
{
	return READ_ONCE(*this_cpu_ptr((struct kprobe * __percpu *)stp_script.current_kprobe));
}

/* Handle the entry of a call for each of these kretprobes, which then replace its return address. Preemption is off. */
static notrace void watch_for_returns(const struct site *site, const struct site *end, unsigned long ip,
				      unsigned long parent_ip, struct pt_regs *regs)
{
	unsigned long before = instruction_pointer(regs);
	int bit = compat_ftrace_trylock(ip, parent_ip);

	if (unlikely(bit < 0)) {
		context_count_skip(SKIP_REENTRANT, 1);
		return;
	}
	if (unlikely(kprobe_is_running())) {
		context_count_skip(SKIP_REENTRANT, 1);
	} else {
		entry_as_breakpoint(regs, ip);
		/* In reverse order, because the last kretprobe to see the entry is the first to see the return. */
		while (end-- > site) {
			struct kprobe *kprobe = &end->returns->kretprobe.kp;

			if (likely(probe_is_wanted(end->returns->probe)))
				kprobe->pre_handler(kprobe, regs);
		}
		instruction_pointer_set(regs, before);
	}
	compat_ftrace_unlock(bit);
}
NOKPROBE_SYMBOL(watch_for_returns);

/*
 * Run all handlers at a site. Entry probes come first, because they must see the return address (.callee) before a
 * kretprobe replaces it.
 */
static noinline notrace void run_all(const struct site_slot *slot, unsigned long ip, unsigned long parent_ip,
				     struct compat_ftrace_regs *fregs)
{
	const struct site *site = slot->first, *end = site + slot->count;
	struct entry_registers room;
	struct pt_regs *regs = entry_registers_take(&room, fregs);

	preempt_disable_notrace();
	for (; site < end && !site->returns; site++)
		context_run_hit(&stp_script.probes[site->probe], regs, NULL, false);
	if (site < end)
		watch_for_returns(site, end, ip, parent_ip, regs);
	preempt_enable_notrace();
	entry_registers_return(&room, fregs);
}

static noinline notrace void run_only(const struct stp_probe *probe, struct compat_ftrace_regs *fregs)
{
	struct entry_registers room;
	struct pt_regs *regs = entry_registers_take(&room, fregs);

	preempt_disable_notrace();
	context_run(probe, probe->handler, regs, NULL, false);
	preempt_enable_notrace();
	entry_registers_return(&room, fregs);
}

/*
 * The ftrace callback. Runs in any context that can call a traced function, including NMI. The functions that it calls
 * before a context is taken must not be traced. The noinline functions above are tail calls, so that a light handler
 * need not save the registers that they use.
 */
static void notrace function_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				 struct compat_ftrace_regs *fregs)
{
	const struct site_slot *slot = find_slot(container_of(ops, struct function_set, ops), ip);

	if (context_run_light(slot->light))
		return;
	if (likely(slot->only))
		run_only(slot->only, fregs);
	else
		run_all(slot, ip, parent_ip, fregs);
}

static int compare_sites(const void *left, const void *right)
{
	const struct site *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (!a->returns != !b->returns)
		return a->returns ? 1 : -1;
	return a->probe < b->probe ? -1 : 1;
}

static bool is_function(unsigned int index, bool (*is_chosen)(const struct stp_probe *probe))
{
	return stp_script.probes[index].kind == STP_PROBE_FUNCTION && is_chosen(&stp_script.probes[index]);
}

static void collect_sites(struct function_set *set, bool (*is_chosen)(const struct stp_probe *probe))
{
	struct armed_kretprobe *returns;
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];

		if (!is_function(i, is_chosen))
			continue;
		/* A site that the filter has refused before, when the module was loaded earlier, stays a kprobe. */
		if ((probe->flags & STP_PROBE_HAS_FENTRY) && !kprobe_has_adopted(probe) &&
		    (entry_has_registers() || !stp_script.needs_registers) &&
		    !address_is_init(stp_address(probe->target, probe->fentry)))
			set->sites[set->site_count++] = (struct site){stp_address(probe->target, probe->fentry), i};
		else
			kprobe_adopt_function(i);
	}
	while ((returns = kretprobe_to_watch()))
		set->sites[set->site_count++] = (struct site){(unsigned long)returns->kretprobe.kp.addr,
							      returns->probe - stp_script.probes, returns};
	sort(set->sites, set->site_count, sizeof(*set->sites), compare_sites, NULL);
}

/* Set the filter for each address separately, after it has refused the batch. Leave the refused ones to kprobes. */
static void filter_one_by_one(struct function_set *set)
{
	unsigned int i, kept = 0;

	ftrace_set_filter(&set->ops, NULL, 0, 1);
	for (i = 0; i < set->site_count; i++) {
		if (!ftrace_set_filter_ip(&set->ops, set->sites[i].address, 0, 0))
			set->sites[kept++] = set->sites[i];
		else if (set->sites[i].returns)
			kretprobe_watch_itself(set->sites[i].returns);
		else
			kprobe_adopt_function(set->sites[i].probe);
	}
	set->site_count = kept;
}

/* List the addresses of all sites, or of those with a wanted probe if @p only_wanted, each once. */
static unsigned int list_addresses(const struct function_set *set, unsigned long *addresses, bool only_wanted)
{
	unsigned int i, count = 0;

	for (i = 0; i < set->site_count; i++) {
		unsigned long address = set->sites[i].address;

		if (!address || (only_wanted && !probe_is_wanted(&stp_script.probes[set->sites[i].probe])))
			continue;
		if (!count || addresses[count - 1] != address)
			addresses[count++] = address;
	}
	return count;
}

static int set_filter(struct function_set *set)
{
	unsigned long *addresses = checked(kvcalloc(set->site_count, sizeof(*addresses), GFP_KERNEL));

	if (!addresses)
		return -ENOMEM;
	if (compat_ftrace_filter(&set->ops, addresses, list_addresses(set, addresses, false)))
		filter_one_by_one(set);
	kvfree(addresses);
	return 0;
}

static int switch_functions(struct function_set *set, bool on)
{
	int error = 0;

	if (on && !set->registered)
		error = register_ftrace_function(&set->ops);
	else if (!on && set->registered)
		/* Waits until no CPU is in the callback or in a trampoline that leads to it. */
		unregister_ftrace_function(&set->ops);
	set->registered = on && !error;
	return error;
}

static int filter_wanted(struct function_set *set)
{
	unsigned long *addresses = checked(kvcalloc(set->site_count, sizeof(*addresses), GFP_KERNEL));
	unsigned int count;
	int error = 0;

	if (!addresses)
		return -ENOMEM;
	count = list_addresses(set, addresses, true);
	/* An empty filter would match all functions. */
	if (!COMPAT_FILTER_IS_QUICK)
		switch_functions(set, false);
	if (count)
		error = compat_ftrace_filter(&set->ops, addresses, count);
	kvfree(addresses);
	return error ?: switch_functions(set, count);
}

static void free_function_set(struct function_set *set)
{
	switch_functions(set, false);
	compat_ftrace_free_filter(&set->ops);
	kvfree(set->sites);
	kvfree(set->slots);
	kfree(set);
}

/* Prepare the sites, the filter and the hash table. Do not register anything. */
static int prepare_functions(struct function_set *set, bool (*is_chosen)(const struct stp_probe *probe))
{
	int error;

	set->ops.func = function_hit;
	set->ops.flags |= COMPAT_FTRACE_FLAGS;
	/* The second flag implies the first only if the kernel does not support it. */
	if (stp_script.needs_registers || stp_script.recorder_count)
		set->ops.flags |= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED;
	collect_sites(set, is_chosen);
	error = set->site_count ? set_filter(set) : 0;
	return error || !set->site_count ? error : fill_slots(set);
}

/* Arm those of our probes that are chosen now. */
static int arm_function_set(bool (*is_chosen)(const struct stp_probe *probe))
{
	struct function_set *set;
	unsigned int i, total = kretprobes_to_watch();
	int error;

	for (i = 0; i < stp_script.probe_count; i++)
		total += is_function(i, is_chosen);
	if (!total)
		return 0;
	set = checked(kzalloc(sizeof(*set), GFP_KERNEL));
	if (!set)
		return -ENOMEM;
	set->sites = checked(kvcalloc(total, sizeof(*set->sites), GFP_KERNEL));
	error = set->sites ? prepare_functions(set, is_chosen) : -ENOMEM;
	if (!error && set->site_count)
		error = filter_wanted(set);
	if (error || !set->site_count) {
		free_function_set(set);
		return error;
	}
	set->next = function_sets;
	function_sets = set;
	return 0;
}

static int arm_functions(void)
{
	return arm_function_set(probe_is_there);
}

static void disarm_functions(void)
{
	struct function_set *set;

	while ((set = function_sets)) {
		function_sets = set->next;
		free_function_set(set);
	}
}

/*
 * Clear the addresses of sites in modules that are being unloaded. The hash table keeps the slots until the set is
 * freed; they are not used, because the filter no longer contains them. Return whether a site is left.
 */
static bool drop_sites(struct function_set *set)
{
	bool any_left = false;
	unsigned int i;

	for (i = 0; i < set->site_count; i++) {
		if (address_leaves(set->sites[i].address))
			set->sites[i].address = 0;
		any_left |= set->sites[i].address != 0;
	}
	return any_left;
}

static void rearm_functions(void)
{
	struct function_set **link = &function_sets, *set;
	struct armed_kretprobe *returns;
	int error;

	while ((set = *link)) {
		if (drop_sites(set)) {
			if (filter_wanted(set))
				/* so that the filter does not keep addresses of an unloaded module */
				switch_functions(set, false);
			link = &set->next;
			continue;
		}
		*link = set->next;
		free_function_set(set);
	}
	/*
	 * Call this when the sets above no longer handle the entries of removed kretprobes, and before making the new
	 * set, which handles the entries of new ones.
	 */
	kretprobes_rearm();
	error = arm_function_set(probe_arrives);
	if (!error)
		return;
	while ((returns = kretprobe_to_watch()))
		kretprobe_watch_itself(returns);
	transport_message(STP_RECORD_WARNING, false, "cannot arm the functions of a module: error %d", error);
}

static void count_functions(unsigned int counts[MECHANISM_COUNT])
{
	const struct function_set *set;
	unsigned int i;

	for (set = function_sets; set; set = set->next)
		for (i = 0; i < set->site_count; i++)
			counts[set->sites[i].returns ? FTRACE_RETURN : FTRACE_ENTRY]++;
}

#else /* without the function tracer in the kernel, use breakpoints */

static int arm_functions(void)
{
	unsigned int i;

	/* Also for modules that are not loaded yet: the kprobe family arms them when they are loaded. */
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
	kretprobes_rearm();
}

static void count_functions(unsigned int counts[MECHANISM_COUNT])
{
}

#endif

const struct probe_family function_family = {
	.name = "function",
	.arm = arm_functions,
	.disarm = disarm_functions,
	.rearm = rearm_functions,
	.count = count_functions,
};
