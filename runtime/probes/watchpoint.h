/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watchpoints of the kernel and of programs: perf events of debug registers. */
#ifndef SPILE_RUNTIME_PROBES_WATCHPOINT_H
#define SPILE_RUNTIME_PROBES_WATCHPOINT_H

#include "runtime/core/internal.h"

struct perf_event;
struct perf_event_attr;
struct task_struct;

/** Fill in the attributes of a probe's watchpoint at an address. */
void watchpoint_describe(const struct stp_probe *probe, unsigned long address, struct perf_event_attr *attr);
/** Create the event of a watchpoint, on a CPU or (-1) in a task. May sleep. */
struct perf_event *watchpoint_create(struct perf_event_attr *attr, const struct stp_probe *probe, int cpu,
				     struct task_struct *task);

#endif
