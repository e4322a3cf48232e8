/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All families of probes, each in the file of its name. */
#ifndef SPILE_RUNTIME_PROBES_FAMILIES_H
#define SPILE_RUNTIME_PROBES_FAMILIES_H

#include "runtime/core/arming.h"

extern const struct probe_family function_family, kprobe_family, kretprobe_family, tracepoint_family, timer_family,
	perf_family, watchpoint_family, netfilter_family, procfs_family, uprobe_family, process_family,
	process_data_family, syscall_family;

#endif
