/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much time handlers take: the check for overload, and the measurements of -t and of the control command "measure".
 */
#ifndef SPILE_RUNTIME_CORE_OVERLOAD_H
#define SPILE_RUNTIME_CORE_OVERLOAD_H

#include "runtime/core/internal.h"

/** Return how many event handlers have run. */
SHARED u64 context_hits(void);
/** Start to count and time the hits of each probe. May sleep. */
SHARED int contexts_measure(void);
/**
 * Return the measurements of a probe, all 0 before contexts_measure(). Times are in CPU cycles, or in nanoseconds with
 * STP_TIMING_NSECS.
 */
struct probe_hits {
	s64 hits, total, least, most;
};
SHARED struct probe_hits context_probe_hits(unsigned int index);
/** Print the report of -t: hits and times of each probe. Task context; no handler runs. */
SHARED void context_report_timings(void);

#endif
