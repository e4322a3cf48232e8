// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Network packets: netfilter hooks in every network namespace. $hooknum, $skb, $in and $out are passed like the first
 * four arguments of a function, so that the translator needs no special code for them.
 *
 * Context: softirq, or task with preemption on.
 */
#include <linux/slab.h>
#include <linux/vmalloc.h>

#ifdef CONFIG_NETFILTER
#include <linux/netfilter.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "runtime/arch/callback.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/module_notifier.h"
#include "runtime/core/target.h"
#include "runtime/probes/families.h"

struct packet_hook {
	struct nf_hook_ops ops; /* must not move, because the kernel keeps a pointer to it */
	const struct stp_probe *probe;
};

/* Data per network namespace. */
struct packet_namespace {
	unsigned int registered; /* how many of packet_hooks, from the first */
};

static struct packet_hook *packet_hooks;
static unsigned int packet_hook_count;
static unsigned int packet_namespace_id;
static bool packet_hooks_live;
static int packet_error; /* in the initial namespace */

static unsigned int packet_hit(void *data, struct sk_buff *packet, const struct nf_hook_state *state)
{
	const struct stp_probe *probe = ((struct packet_hook *)data)->probe;
	CALLBACK_REGISTERS(room, state->hook, packet, state->in, state->out, 0, 0);
	int verdict = NF_ACCEPT;

	context_run_event(probe, &room.regs, NULL, &verdict);
	return verdict;
}

/* Register the hooks in a namespace. Do not fail, because that would prevent the creation of namespaces. */
static int __net_init enter_namespace(struct net *net)
{
	struct packet_namespace *mine = net_generic(net, packet_namespace_id);
	int error = 0;

	mine->registered = 0;
	while (mine->registered < packet_hook_count && !error) {
		error = nf_register_net_hook(net, &packet_hooks[mine->registered].ops);
		mine->registered += !error;
	}
	if (error && net_eq(net, &init_net)) {
		packet_error = error;
		probe_arm_failed(packet_hooks[mine->registered].probe, error);
	}
	return 0;
}

static void __net_exit leave_namespace(struct net *net)
{
	struct packet_namespace *mine = net_generic(net, packet_namespace_id);

	while (mine->registered)
		nf_unregister_net_hook(net, &packet_hooks[--mine->registered].ops);
}

static struct pernet_operations packet_namespaces = {
	.init = enter_namespace,
	.exit = leave_namespace,
	.id = &packet_namespace_id,
	.size = sizeof(struct packet_namespace),
};

static void describe_hook(struct packet_hook *hook, const struct stp_probe *probe)
{
	hook->probe = probe;
	hook->ops = (struct nf_hook_ops){
		.hook = packet_hit,
		.priv = hook,
		.pf = probe->details->family,
		.hooknum = probe->details->hook,
		.priority = probe->details->priority,
	};
}

/* For other families, the kernel prints a warning (net/netfilter/core.c, nf_hook_entry_head()). */
static bool has_family(unsigned int family)
{
	switch (family) {
	case NFPROTO_ARP:
		return IS_ENABLED(CONFIG_NETFILTER_FAMILY_ARP);
	case NFPROTO_BRIDGE:
		return IS_ENABLED(CONFIG_NETFILTER_FAMILY_BRIDGE);
	default:
		return true;
	}
}

static int arm_packets(void)
{
	unsigned int i, total = probe_count(STP_PROBE_NETFILTER);
	int error;

	if (!total)
		return 0;
	packet_hooks = checked(kvcalloc(total, sizeof(*packet_hooks), GFP_KERNEL));
	if (!packet_hooks)
		return -ENOMEM;
	for (i = 0; i < stp_script.probe_count; i++)
		if (stp_script.probes[i].kind == STP_PROBE_NETFILTER &&
		    !has_family(stp_script.probes[i].details->family))
			probe_arm_failed(&stp_script.probes[i], -EAFNOSUPPORT);
		else if (stp_script.probes[i].kind == STP_PROBE_NETFILTER)
			describe_hook(&packet_hooks[packet_hook_count++], &stp_script.probes[i]);
	packet_error = 0;
	error = register_pernet_subsys(&packet_namespaces);
	packet_hooks_live = !error;
	return error ?: packet_error;
}

static void disarm_packets(void)
{
	/* Wait for the packets that are in a hook. nf_unregister_net_hook() itself frees after a grace period. */
	if (packet_hooks_live) {
		unregister_pernet_subsys(&packet_namespaces);
		synchronize_net();
	}
	packet_hooks_live = false;
	packet_hook_count = 0;
	kvfree(packet_hooks);
	packet_hooks = NULL;
}

#else

static int arm_packets(void)
{
	return probe_count(STP_PROBE_NETFILTER) ? -EOPNOTSUPP : 0;
}

static void disarm_packets(void)
{
}

#endif

stp_long stp_verdict(struct stp_context *c)
{
	return c->verdict ? *c->verdict : 0;
}

void stp_verdict_set(struct stp_context *c, stp_long verdict)
{
	if (c->verdict)
		*c->verdict = verdict;
}

const struct probe_family netfilter_family = {
	.name = "netfilter",
	.arm = arm_packets,
	.disarm = disarm_packets,
};
