/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Perf events. */
#ifndef SPILE_RUNTIME_PROBES_PERF_H
#define SPILE_RUNTIME_PROBES_PERF_H

#include "runtime/core/internal.h"

struct perf_event;
struct perf_event_attr;
struct task_struct;

/** Return whether the event is for all processes that run a program. */
static inline bool follows_program(const struct stp_probe *probe)
{
	return probe->kind == STP_PROBE_PERF && probe->details->program;
}

/** Fill in the attributes of a probe's event. */
void event_describe(const struct stp_probe *probe, struct perf_event_attr *attr);
/** Create an event that runs the handler of @p probe, or only counts if that is NULL. May sleep. */
struct perf_event *event_create(struct perf_event_attr *attr, const struct stp_probe *probe, int cpu,
				struct task_struct *task);
/**
 * Return whether the task of an event has ended, or removed the event by an exec, and so have all that inherited from
 * it. Any context.
 */
bool event_is_over(const struct perf_event *event);
/** Report that an event could not be created. Return true if the script cannot continue. */
bool event_arm_failed(const struct stp_probe *probe, int error);

#endif
