/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates. */
#ifndef SPILE_RUNTIME_DATA_STATISTIC_H
#define SPILE_RUNTIME_DATA_STATISTIC_H

#include "runtime/core/internal.h"

struct statistic_slot {
	s64 count, sum, min, max;
	s64 variance[]; /* STP_STATISTIC_VARIANCE: mean, sum of squared distances from it */
};

SHARED void *statistic_create(const struct stp_global *global);
SHARED void statistic_destroy(void *statistic);
SHARED size_t statistic_size(const struct stp_global *global);
/** Add to the slot of this CPU. Called with interrupts off or in the session context. */
HOT bool statistic_is_simple(const struct stp_global *global);
HOT void simple_statistic_add(const struct stp_context *c, void *statistic, s64 value);
void statistic_add(const struct stp_context *c, const struct stp_global *global, void *statistic, s64 value);
SHARED void statistic_read(const struct stp_global *global, const void *statistic, struct stp_statistic_values *values);
/** Return the count of a bucket of the histogram. */
SHARED s64 statistic_bucket(const struct stp_global *global, const void *statistic, unsigned int bucket);
SHARED void statistic_reset(const struct stp_global *global, void *statistic);

#endif
