/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computations on a recording for the page, the terminal and the other formats. */
#ifndef SPILE_REPORT_ANALYSIS_H
#define SPILE_REPORT_ANALYSIS_H

#include "report/recording.h"

/**
 * Estimate a quantile of a histogram: values are taken as equally distributed within their bucket.
 *
 * @param share From 0 to 1.
 * @return false if the histogram is empty, or if the quantile is in a bucket without a bound, where nothing is known.
 */
bool statistics_quantile(const struct statistics *statistics, double share, double *ret);

/** The shares that are shown. */
enum { QUANTILES = 4 };
extern const double quantile_shares[QUANTILES];

/**
 * Return the increase of a histogram since an earlier one. If the count of a bucket has decreased, the script has reset
 * the histogram in between: return the histogram itself. The caller frees the result with g_free().
 */
struct histogram *histogram_increase(const struct histogram *before, const struct histogram *now);

/**
 * Does a key contain times since 1970? @p ret is the number of their units in a second.
 *
 * @param key The number of the key.
 */
bool is_time_key(const struct recording *recording, const struct global *global, const struct sample *sample, guint key,
		 double *ret);

/* ---- stacks ------------------------------------------------------------------------------------------------------ */

struct tree_node {
	guint parent; /* its own number for the root, which is 0 */
	const struct function *function; /* NULL for the root */
	int64_t line; /* 0: unknown, -1: several */
};

/* Stacks as a tree of callers; nodes are in preorder, children by name. */
struct tree {
	guint count;
	struct tree_node *nodes;
	guint *leaves; /* the node of each element */
};

enum { ALL_STACKS = -1 };

/** Collect frames of an element, the outermost first. If @p key is ALL_STACKS, user stacks precede kernel stacks. */
void element_frames(const struct global *global, const struct element *element, int key, GPtrArray *frames);

/** Make a tree of the stacks of elements. */
struct tree *tree_new(const struct global *global, const struct element *const *elements, guint count, int key);
void tree_free(struct tree *tree);

/* ---- elements of one or two recordings --------------------------------------------------------------------------- */

enum { MOST_RECORDINGS = 2 };

/* A machine in one or two recordings. */
struct shared_host {
	char *name;
	const struct host *in[MOST_RECORDINGS]; /* NULL: it is not in this recording */
};

/**
 * Match the hosts of recordings by their names. If each recording has only one host, take them for the same host,
 * whatever their names are.
 *
 * @return Array of struct shared_host *, to be freed with shared_hosts_free().
 */
GPtrArray *shared_hosts_new(struct recording *const *recordings, guint count);
void shared_hosts_free(GPtrArray *hosts);

/* The elements of a global with the same keys, on the same host. */
struct row {
	const struct element *in[MOST_RECORDINGS]; /* NULL: it is not in this recording */
	guint host;
};

/* A global of one host in one recording. */
struct part {
	const struct global *global;
	guint host, recording;
};

/* A global by name in one or two recordings. */
struct subject {
	const struct global *global; /* of the last recording that has it */
	const struct global *in[MOST_RECORDINGS]; /* of the last host; NULL: it is not in this recording */
	GArray *parts; /* struct part */
	GArray *rows; /* struct row */
	bool is_left_out; /* not selected */
};

/**
 * Find the globals of recordings, and their newest elements. If globals of the same name differ in the types of their
 * keys or values, they become two subjects.
 *
 * @return Array of struct subject *, to be freed with subjects_free().
 */
GPtrArray *subjects_new(const GPtrArray *hosts, guint recordings);
void subjects_free(GPtrArray *subjects);
void subject_free(struct subject *subject);

/** Return the subjects with the data of one host only, to be freed with subjects_free(). */
GPtrArray *subjects_of_host(const GPtrArray *subjects, guint host);

/** Return an element of a row. */
const struct element *row_any(const struct row *row);

/** Return the number that a format with one number per stack uses: the value, or the sum of statistics. */
int64_t value_weight(const struct value *value);

#endif
