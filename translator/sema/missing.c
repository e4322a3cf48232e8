// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Of SystemTap's documented library, what is not in ours yet: better said than answered with what has a similar name,
 * or with advice to look for a typing error. binding (bind.c) asks for functions, derivation (derive.c) for aliases.
 */
#include "translator/sema/missing.h"

#include <glib.h>

#include "translator/util/i18n.h"

static const struct missing functions[] = {
	{"fp_add fp_sub fp_mul fp_div fp_rem fp_sqrt fp_eq fp_le fp_lt fp_to_long fp_to_string long_to_fp "
	 "string_to_fp",
	 N_("floating-point numbers"), N_("whole numbers of a smaller unit often do: percent, microseconds")},
	{"qs_wait qs_run qs_done qsq_start qsq_print qsq_blocked qsq_throughput qsq_utilization qsq_service_time "
	 "qsq_wait_queue_length qsq_wait_time",
	 N_("statistics of queues"), N_("an array of start times and an aggregate of durations do the same")},
	{"ipmib_filter_key ipmib_get_proto ipmib_local_addr ipmib_remote_addr ipmib_tcp_local_port "
	 "ipmib_tcp_remote_port "
	 "linuxmib_filter_key tcpmib_filter_key tcpmib_get_state tcpmib_local_addr tcpmib_local_port "
	 "tcpmib_remote_addr "
	 "tcpmib_remote_port",
	 N_("addresses of sockets"), N_("read them as fields: @cast(sock, \"struct sock\")->__sk_common->skc_dport")},
	{"nfsderror", N_("names of these numbers"), N_("@enumname() knows those of the kernel's enumerations")},
	{"switch_file", N_("changing the output file from a handler"), NULL},
};

/* By their first words. */
static const struct missing aliases[] = {
	{"vfs generic", NULL, N_("probe the functions themselves: kernel.function(\"vfs_read\")")},
	{"socket netdev", NULL,
	 N_("tcp.*, udp.*, kernel.trace(\"net:*\") and kernel.trace(\"sock:*\") see what is sent and received")},
	{"ioscheduler ioscheduler_trace scsi", NULL, N_("ioblock.* and kernel.trace(\"block:*\") see requests")},
	{"tty nfs nfsd sunrpc", NULL, N_("probe the functions themselves: module(\"nfsd\").function(\"nfsd_*\")")},
	{"stap staprun java hotspot python2 python3 ruby linuxmib tcpmib ipmib", NULL, NULL},
};

static const struct missing *find(const struct missing *table, size_t size, const char *name)
{
	for (size_t i = 0; i < size; i++) {
		g_auto(GStrv) names = g_strsplit(table[i].names, " ", -1);

		if (g_strv_contains((const char *const *)names, name))
			return &table[i];
	}
	return NULL;
}

const struct missing *missing_function(const char *name)
{
	return find(functions, G_N_ELEMENTS(functions), name);
}

const struct missing *missing_alias(const char *first_word)
{
	return find(aliases, G_N_ELEMENTS(aliases), first_word);
}
