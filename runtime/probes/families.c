// SPDX-License-Identifier: GPL-2.0-or-later
/* All families of probes. */
#include "runtime/core/arming.h"
#include "runtime/core/internal.h"
#include "runtime/probes/families.h"

/*
 * In the order of arming. Handlers at one address run in the reverse order. Entry handlers must run before a kretprobe
 * replaces the return address (.callee), so kretprobes are armed first. The files of procfs probes appear last, when
 * all other probes are armed.
 */
const struct probe_family *const probe_families[] = {
	&kretprobe_family,    &function_family, &kprobe_family, &tracepoint_family,
/* Optional parts (translator/build/unsupported_parts.c). */
#ifndef STP_WITHOUT_PERF
	&watchpoint_family,   &perf_family,
#endif
#ifndef STP_WITHOUT_NETFILTER
	&netfilter_family,
#endif
	&timer_family,
#ifdef STP_USER_SPACE
#ifndef STP_WITHOUT_PERF
	&process_data_family,
#endif
	&uprobe_family,	      &process_family,
#endif
#ifdef STP_SYSCALLS
	&syscall_family,
#endif
#ifndef STP_WITHOUT_PROCFS
	&procfs_family,
#endif
};

const unsigned int probe_family_count = ARRAY_SIZE(probe_families);
