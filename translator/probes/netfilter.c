// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netfilter.hook("…").pf("…").priority("…"): packets that pass a netfilter hook. The names are those of the kernel's
 * headers for user space. tapset/netfilter.stp has aliases that decode packets.
 */
#include <linux/netfilter.h>
#include <linux/netfilter_arp.h>
#include <linux/netfilter_bridge.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>

#include "common/nearest.h"
#include "common/base/i18n.h"
#include "common/base/number.h"
#include "translator/lowering/lowering.h"
#include "translator/probes/provider.h"
#include "translator/sema/builder.h"

#define HOOK_FIRST                                                                                                     \
	{"netfilter", NO_ARGUMENT}, {"hook", STRING_ARGUMENT},                                                         \
	{                                                                                                              \
		"pf", STRING_ARGUMENT                                                                                  \
	}
#define FAMILY_FIRST                                                                                                   \
	{"netfilter", NO_ARGUMENT}, {"pf", STRING_ARGUMENT},                                                           \
	{                                                                                                              \
		"hook", STRING_ARGUMENT                                                                                \
	}

static const struct point_pattern patterns[] = {
	{{HOOK_FIRST}, 0},
	{{HOOK_FIRST, {"priority", STRING_ARGUMENT}}, 0},
	{{FAMILY_FIRST}, 0},
	{{FAMILY_FIRST, {"priority", STRING_ARGUMENT}}, 0},
	{0},
};

struct named_number {
	const char *name;
	int number;
	int family; /* protocol family of a hook or priority; 0: any */
};

#define NAME(name) #name, name

static const struct named_number families[] = {
	{NAME(NFPROTO_IPV4), 0}, {NAME(NFPROTO_IPV6), 0}, {NAME(NFPROTO_ARP), 0}, {NAME(NFPROTO_BRIDGE), 0}, {0},
};

static const struct named_number hooks[] = {
	{NAME(NF_INET_PRE_ROUTING), NFPROTO_IPV4},
	{NAME(NF_INET_LOCAL_IN), NFPROTO_IPV4},
	{NAME(NF_INET_FORWARD), NFPROTO_IPV4},
	{NAME(NF_INET_LOCAL_OUT), NFPROTO_IPV4},
	{NAME(NF_INET_POST_ROUTING), NFPROTO_IPV4},
	{NAME(NF_INET_PRE_ROUTING), NFPROTO_IPV6},
	{NAME(NF_INET_LOCAL_IN), NFPROTO_IPV6},
	{NAME(NF_INET_FORWARD), NFPROTO_IPV6},
	{NAME(NF_INET_LOCAL_OUT), NFPROTO_IPV6},
	{NAME(NF_INET_POST_ROUTING), NFPROTO_IPV6},
	{NAME(NF_IP_PRE_ROUTING), NFPROTO_IPV4},
	{NAME(NF_IP_LOCAL_IN), NFPROTO_IPV4},
	{NAME(NF_IP_FORWARD), NFPROTO_IPV4},
	{NAME(NF_IP_LOCAL_OUT), NFPROTO_IPV4},
	{NAME(NF_IP_POST_ROUTING), NFPROTO_IPV4},
	{NAME(NF_IP6_PRE_ROUTING), NFPROTO_IPV6},
	{NAME(NF_IP6_LOCAL_IN), NFPROTO_IPV6},
	{NAME(NF_IP6_FORWARD), NFPROTO_IPV6},
	{NAME(NF_IP6_LOCAL_OUT), NFPROTO_IPV6},
	{NAME(NF_IP6_POST_ROUTING), NFPROTO_IPV6},
	{NAME(NF_ARP_IN), NFPROTO_ARP},
	{NAME(NF_ARP_OUT), NFPROTO_ARP},
	{NAME(NF_ARP_FORWARD), NFPROTO_ARP},
	{NAME(NF_BR_PRE_ROUTING), NFPROTO_BRIDGE},
	{NAME(NF_BR_LOCAL_IN), NFPROTO_BRIDGE},
	{NAME(NF_BR_FORWARD), NFPROTO_BRIDGE},
	{NAME(NF_BR_LOCAL_OUT), NFPROTO_BRIDGE},
	{NAME(NF_BR_POST_ROUTING), NFPROTO_BRIDGE},
	{0},
};

static const struct named_number priorities[] = {
	{NAME(NF_IP_PRI_FIRST), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_RAW_BEFORE_DEFRAG), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_CONNTRACK_DEFRAG), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_RAW), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_SELINUX_FIRST), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_CONNTRACK), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_MANGLE), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_NAT_DST), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_FILTER), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_SECURITY), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_NAT_SRC), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_SELINUX_LAST), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_CONNTRACK_HELPER), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_CONNTRACK_CONFIRM), NFPROTO_IPV4},
	{NAME(NF_IP_PRI_LAST), NFPROTO_IPV4},
	{NAME(NF_IP6_PRI_FIRST), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_RAW_BEFORE_DEFRAG), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_CONNTRACK_DEFRAG), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_RAW), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_SELINUX_FIRST), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_CONNTRACK), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_MANGLE), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_NAT_DST), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_FILTER), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_SECURITY), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_NAT_SRC), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_SELINUX_LAST), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_CONNTRACK_HELPER), NFPROTO_IPV6},
	{NAME(NF_IP6_PRI_LAST), NFPROTO_IPV6},
	{0},
};

static bool parse_integer(const char *text, int *ret)
{
	int64_t number = 0;
	bool valid = parse_number(text, 0, INT_MIN, INT_MAX, &number);

	*ret = number;
	return valid;
}

/* Is the text an expression of names and numbers, which in guru mode the C compiler may evaluate? */
static bool is_c_expression(const char *text)
{
	return *text && !text[strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_ ()+-*/|&<>~")];
}

/*
 * Find the number of a name. Accept a number if @allows_numbers, and a C expression if @ret_text is not NULL. Return
 * false after a diagnostic.
 */
static bool look_up(struct translation *t, const struct probe_component *component, const struct named_number *table,
		    int family, bool allows_numbers, int *ret, const char **ret_text)
{
	const char *text = component->argument->text;
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *near;

	for (; table->name; table++) {
		if (table->family && table->family != family)
			continue;
		*ret = table->number;
		if (!strcmp(table->name, text))
			return true;
		g_ptr_array_add(names, (void *)table->name);
	}
	if (allows_numbers && parse_integer(text, ret))
		return true;
	*ret = 0;
	if (ret_text && is_c_expression(text)) {
		*ret_text = text;
		return true;
	}
	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
		 _("unknown name '%s' for '%s' of a netfilter probe"), text, component->name);
	near = nearest_matches(t->arena, text, names, "", 5);
	if (near)
		diagnose_near(t->diagnostics, near);
	else if (names->len)
		diagnose_hint(t->diagnostics, _("use a name such as %s"), (char *)g_ptr_array_index(names, 0));
	return false;
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	const struct probe_component *priority = point_component(point, "priority");
	bool guru = t->language.guru_mode;
	const char *family_text = NULL, *hook_text = NULL, *priority_text = NULL;
	int family, hook, order = 0;
	struct derived_probe *derived;
	struct stp_details *details;

	if (!look_up(t, point_component(point, "pf"), families, 0, guru, &family, guru ? &family_text : NULL) ||
	    !look_up(t, point_component(point, "hook"), hooks, family, guru, &hook, guru ? &hook_text : NULL) ||
	    (priority && !look_up(t, priority, priorities, family, true, &order, guru ? &priority_text : NULL)))
		return;
	derived = derived_probe_new(t, point);
	derived->registration.family_text = family_text;
	derived->registration.hook_text = hook_text;
	derived->registration.priority_text = priority_text;
	details = arena_new0(t->arena, struct stp_details);
	details->family = family;
	details->hook = hook;
	details->priority = order;
	derived->registration.kind = STP_PROBE_NETFILTER;
	derived->registration.details = details;
	g_ptr_array_add(ret, derived);
}

/* ---- $variables -------------------------------------------------------------------------------------------------- */

/* The runtime stores these in the registers of function arguments. */
static const struct packet_variable {
	const char *name;
	unsigned int argument; /* from 0 */
	const char *type; /* the type it points to; NULL: a number */
} variables[] = {
	{"hooknum", 0, NULL},
	{"skb", 1, "struct sk_buff"},
	{"in", 2, "struct net_device"},
	{"out", 3, "struct net_device"},
};

static struct expr *read_variable(struct translation *t, struct derived_probe *probe, struct expr *target,
				  const struct packet_variable *variable)
{
	struct expr *value = expr_new(t->arena, EXPR_PROBE_REGISTER, &target->location), *cast;
	bool has_components = target->components && target->components->len;

	value->number = t->kernel.abi->argument_registers[variable->argument];
	value->type = TYPE_LONG;
	if (!variable->type && has_components) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location, _("'$%s' is a number"), variable->name);
		return NULL;
	}
	/* The plain address needs no debuginfo. */
	if (!has_components)
		return value;
	cast = expr_copy(t->arena, target);
	cast->target = TARGET_CAST;
	cast->type_name = variable->type;
	cast->module = "kernel";
	cast->operand = value;
	return lower_cast(t, probe, cast);
}

static struct expr *target_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++)
		if (!strcmp(variables[i].name, target->text))
			return read_variable(t, probe, target, &variables[i]);
	if (!strcmp(target->text, "verdict"))
		return build_call(t->arena, &target->location, "__netfilter_verdict", NULL);
	diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location, _("netfilter probes have no variable '$%s'"),
		 target->text);
	diagnose_hint(t->diagnostics, _("use $hooknum, $skb, $in, $out or $verdict"));
	return NULL;
}

static struct expr *assign_variable(struct translation *t, struct derived_probe *probe, struct expr *assignment)
{
	if (strcmp(assignment->left->text, "verdict") || assignment->op != OP_NONE) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &assignment->location,
			 _("a netfilter probe can assign only to $verdict, with ="));
		return NULL;
	}
	if (!t->language.guru_mode) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &assignment->location,
			 _("assigning $verdict needs guru mode: stap -g"));
		return NULL;
	}
	return build_call(t->arena, &assignment->location, "__netfilter_set_verdict", assignment->right);
}

const struct provider netfilter_provider = {
	.name = "netfilter",
	.summary = N_("network packets"),
	.patterns = patterns,
	.resolve = resolve,
	.target_variable = target_variable,
	.assign_variable = assign_variable,
};
