/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics as both text formats of Prometheus need them: families of a type, with samples. Readers (globals.c,
 * text_reader.c) fill a set, text_output.c writes it. The set enforces the limits and counts what it drops.
 */
#ifndef SPILE_EXPORTER_METRICS_H
#define SPILE_EXPORTER_METRICS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "exporter/limits.h"

enum metric_type {
	METRIC_UNKNOWN,
	METRIC_GAUGE,
	METRIC_COUNTER,
	METRIC_SUMMARY,
	METRIC_HISTOGRAM,
	METRIC_INFO,
	METRIC_TYPE_COUNT_
};

/* Why a sample is not exported; drop_reasons[] has the words. */
enum drop_reason {
	DROP_LIMIT, /* more series than the limit */
	DROP_SIZE, /* the response would be too large */
	DROP_DUPLICATE, /* its name and labels are those of another */
	DROP_SYNTAX, /* not a line of the text format */
	DROP_VALUE, /* another sample has the same name and labels */
	DROP_REASON_COUNT_
};
extern const char *const drop_reasons[DROP_REASON_COUNT_];

struct metric_sample {
	const char *suffix; /* of its name, after the family's: "", "_total", "_sum", ... */
	char *labels; /* NAME="VALUE",... as both formats write them */
	char *le; /* upper bound of a bucket, a decimal number or +Inf; else NULL */
	char *value; /* a number */
	bool has_time;
	int64_t time; /* milliseconds since 1970 */
	bool is_classic; /* omit it in OpenMetrics, whose rules exclude it */
};

struct metric_family {
	enum metric_type type;
	char *name; /* as OpenMetrics calls it, for example without _total */
	char *unit; /* suffix of the name, or NULL */
	char *help;
	bool is_plain_counter; /* the classic format has no _total, because a script chose the name */
	GArray *samples; /* of struct metric_sample */
	GHashTable *seen; /* names and labels of the samples */
};

struct metric_set {
	const struct exporter_limits *limits;
	GPtrArray *families; /* of struct metric_family */
	GHashTable *names; /* names of samples that are taken; the values are the families */
	size_t series, size;
	uint64_t dropped[DROP_REASON_COUNT_], shortened; /* samples; labels */
};

struct metric_set *metric_set_new(const struct exporter_limits *limits);
void metric_set_free(struct metric_set *set);

/**
 * Add a family.
 *
 * @param[in] unit NULL, or a suffix for the name, with or without which the name is given.
 * @return NULL if one of its samples could have the name of another family's.
 */
struct metric_family *metric_set_add(struct metric_set *set, enum metric_type type, const char *name, const char *unit,
				     const char *help);

/** Add a family under a name that is not taken: NAME, NAME_2, and so on, before the unit. */
struct metric_family *metric_set_add_unique(struct metric_set *set, enum metric_type type, const char *name,
					    const char *unit, const char *help);

/** Add the samples of another set, to families of the same name and type. */
void metric_set_copy(struct metric_set *to, const struct metric_set *from);

/** Return the family that has samples of this name, or NULL. */
struct metric_family *metric_set_find(const struct metric_set *set, const char *sample_name);

/** Return a new array for metric_add(). */
GArray *metric_samples_new(void);

/** Append a sample. The labels are copied. The array takes over @p le and @p value. */
struct metric_sample *metric_samples_append(GArray *samples, const char *suffix, const char *labels, char *le,
					    char *value);

/**
 * Add all of the samples, or drop all of them if a limit or a duplicate forbids one. Free the array.
 *
 * @param[in] family NULL: drop them, because their values do not fit.
 * @return Whether they were added.
 */
bool metric_add(struct metric_set *set, struct metric_family *family, GArray *samples);

/** Add one sample. @p value becomes the set's. */
bool metric_add_one(struct metric_set *set, struct metric_family *family, const char *suffix, const char *labels,
		    char *value);

#endif
