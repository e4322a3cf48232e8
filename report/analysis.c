// SPDX-License-Identifier: GPL-2.0-or-later
/* Estimates from histograms, and times in keys (see analysis.h). */
#include "report/analysis.h"

#include <math.h>

const double quantile_shares[QUANTILES] = {0.5, 0.9, 0.99, 0.999};

/* Return the values that a bucket can contain, narrowed by the smallest and the largest value. */
static bool bucket_range(const struct statistics *statistics, const struct bucket *bucket, double *from, double *to)
{
	*from = bucket->lower;
	*to = bucket->upper - 1.0;
	if (statistics->has_range) {
		*from = MAX(*from, statistics->min);
		*to = MIN(*to, statistics->max);
	}
	return bucket->has_lower && bucket->has_upper;
}

bool statistics_quantile(const struct statistics *statistics, double share, double *ret)
{
	const struct histogram *histogram = statistics->histogram;
	double total = 0, rank, before = 0, from, to;

	for (guint i = 0; histogram && i < histogram->count; i++)
		total += histogram->buckets[i].count;
	rank = share * total;
	for (guint i = 0; histogram && i < histogram->count; i++) {
		const struct bucket *bucket = &histogram->buckets[i];

		if (!bucket->count || before + bucket->count < rank) {
			before += bucket->count;
			continue;
		}
		if (!bucket_range(statistics, bucket, &from, &to))
			return false;
		*ret = from + (MAX(to, from) - from) * (rank - before) / bucket->count;
		return true;
	}
	return false;
}

static int64_t count_before(const struct histogram *before, const struct bucket *bucket)
{
	for (guint i = 0; before && i < before->count; i++) {
		const struct bucket *other = &before->buckets[i];

		if (other->has_lower == bucket->has_lower && other->has_upper == bucket->has_upper &&
		    other->lower == bucket->lower && other->upper == bucket->upper)
			return other->count;
	}
	return 0;
}

/* Sum the counts, which may be any numbers: the result may wrap. */
static uint64_t total_count(const struct histogram *histogram)
{
	uint64_t total = 0;

	for (guint i = 0; histogram && i < histogram->count; i++)
		total += histogram->buckets[i].count;
	return total;
}

struct histogram *histogram_increase(const struct histogram *before, const struct histogram *now)
{
	struct histogram *increase = g_malloc0(sizeof(*increase) + MAX(now->count, 1) * sizeof(struct bucket));
	uint64_t subtracted = 0;
	bool is_reset = false;

	increase->is_log = now->is_log;
	increase->count = now->count;
	increase->buckets = (struct bucket *)(increase + 1);
	for (guint i = 0; i < now->count; i++) {
		int64_t less = count_before(before, &now->buckets[i]);

		increase->buckets[i] = now->buckets[i];
		increase->buckets[i].count -= less;
		subtracted += less;
		is_reset |= increase->buckets[i].count < 0;
	}
	/* If a bucket has disappeared, its count has decreased, too. */
	if (is_reset || subtracted != total_count(before))
		for (guint i = 0; i < now->count; i++)
			increase->buckets[i].count = now->buckets[i].count;
	return increase;
}

bool is_time_key(const struct recording *recording, const struct global *global, const struct sample *sample, guint key,
		 double *ret)
{
	static const double scales[] = {1, 1e3, 1e6, 1e9};
	const double day = 24 * 60 * 60;
	double least = INFINITY, most = -INFINITY, from = recording->start_time ?: recording->last_time;

	if (global->keys[key] != VALUE_NUMBER || !sample->elements || sample->count < 2)
		return false;
	for (guint i = 0; i < sample->count; i++) {
		least = MIN(least, sample->elements[i].keys[key].number);
		most = MAX(most, sample->elements[i].keys[key].number);
	}
	for (guint i = 0; i < G_N_ELEMENTS(scales) && from > day; i++) {
		if (least / scales[i] < from - day || most / scales[i] > recording->last_time + day)
			continue;
		*ret = scales[i];
		return true;
	}
	return false;
}

int64_t value_weight(const struct value *value)
{
	switch (value->kind) {
	case VALUE_NUMBER:
		return value->number;
	case VALUE_STATISTICS:
		return value->statistics->sum;
	default:
		return 0;
	}
}
