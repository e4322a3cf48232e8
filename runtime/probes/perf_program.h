/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Perf events of all processes that run a program. program_event() returns that of the current thread, under RCU. */
#ifndef SPILE_RUNTIME_PROBES_PERF_PROGRAM_H
#define SPILE_RUNTIME_PROBES_PERF_PROGRAM_H

#include "runtime/core/internal.h"

struct perf_event;

#ifdef STP_USER_SPACE
int program_events_arm(void);
void program_events_disarm(void);
void program_events_rearm(void);
struct perf_event *program_event(const struct stp_probe *probe);
#else
static inline int program_events_arm(void)
{
	return 0;
}
static inline void program_events_disarm(void)
{
}
static inline void program_events_rearm(void)
{
}
static inline struct perf_event *program_event(const struct stp_probe *probe)
{
	return NULL;
}
#endif

#endif
