/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics about the exporter itself and its scripts, of the path /metrics. */
#ifndef SPILE_EXPORTER_OWN_METRICS_H
#define SPILE_EXPORTER_OWN_METRICS_H

#include "exporter/registry.h"

/* Counters of the HTTP side. */
struct http_counts {
	uint64_t connections; /* now */
	uint64_t timeouts; /* connections that were closed because they took too long */
	uint64_t responses[600]; /* by status */
};

/** Return the metrics as a set; @p limits must outlive it. */
struct metric_set *own_metrics(const struct registry *registry, const struct http_counts *http,
			       const struct exporter_limits *limits);

#endif
