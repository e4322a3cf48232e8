// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Aggregates ("<<<").
 *
 * An aggregate is an array of parts, one per CPU. A part has two slots, one for NMIs and one for all other contexts:
 * interrupts are off during an update, so only an NMI can nest in it. If event probes only add to the aggregate
 * (only_fed), a part has a slot for each nesting level instead, and no lock is needed. The buckets of the histogram
 * follow, if there is one. A bucket is incremented with a single instruction, so it needs no separate slots.
 *
 * Adding touches only the current CPU's part. Reading merges all parts under the global's write lock, which excludes
 * sharers.
 *
 * stp_global.statistic says which values the script uses, so that no time is spent on others, such as the variance.
 */
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <asm/local.h>

#include "runtime/abi/snapshot.h"
#include "runtime/core/allocation.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/lock.h"
#include "runtime/data/statistic.h"

/* An only_fed aggregate has a slot per nesting level, so that interrupts may occur during an update. */
enum { FED_SLOTS = 4, SHARED_SLOTS = 2 };

static __always_inline unsigned int slots_per_cpu(const struct stp_global *global)
{
	return global->only_fed ? FED_SLOTS : SHARED_SLOTS;
}

/* ---- layout ---------------------------------------------------------------------------------------------------- */

enum { VARIANCE_MEAN, VARIANCE_SQUARES, VARIANCE_WORDS };

static __always_inline size_t slot_size(const struct stp_global *global)
{
	size_t words = global->statistic & STP_STATISTIC_VARIANCE ? VARIANCE_WORDS : 0;

	return sizeof(struct statistic_slot) + words * sizeof(s64);
}

static __always_inline size_t part_size(const struct stp_global *global)
{
	return slots_per_cpu(global) * slot_size(global) + global->buckets * sizeof(local_t);
}

static __always_inline void *part_of(const struct stp_global *global, const void *statistic, unsigned int cpu)
{
	return (char *)statistic + cpu * part_size(global);
}

/* Return slot @p index, counted over all CPUs. */
static struct statistic_slot *slot_of(const struct stp_global *global, const void *statistic, unsigned int index)
{
	unsigned int per_cpu = slots_per_cpu(global);

	return part_of(global, statistic, index / per_cpu) + index % per_cpu * slot_size(global);
}

static local_t *buckets_of(const struct stp_global *global, const void *statistic, unsigned int cpu)
{
	return part_of(global, statistic, cpu) + slots_per_cpu(global) * slot_size(global);
}

static unsigned int slot_count(const struct stp_global *global)
{
	return nr_cpu_ids * slots_per_cpu(global);
}

size_t statistic_size(const struct stp_global *global)
{
	return nr_cpu_ids * part_size(global);
}

void *statistic_create(const struct stp_global *global)
{
	size_t size = statistic_size(global);

	return memory_take(size) ? checked(kvzalloc(size, GFP_KERNEL)) : NULL;
}

void statistic_destroy(void *statistic)
{
	kvfree(statistic);
}

void statistic_reset(const struct stp_global *global, void *statistic)
{
	memset(statistic, 0, statistic_size(global));
}

/* ---- histograms: choosing a bucket ----------------------------------------------------------------------------- */

/*
 * The buckets are described in runtime/abi/snapshot.h. No value is out of the range of a logarithmic histogram. The
 * steps of a linear one have full width and go from `low` to `high`, both inclusive.
 */
static unsigned int log_bucket(s64 value)
{
	if (value < 0)
		return STP_LOG_ZERO - fls64(-(u64)value);
	return STP_LOG_ZERO + fls64(value);
}

static unsigned int linear_bucket(const struct stp_global *global, s64 value)
{
	u64 steps;

	if (value < global->low)
		return 0;
	steps = div64_u64((u64)value - global->low, global->width);
	return min_t(u64, 1 + steps, global->buckets - 1);
}

static bool is_linear(const struct stp_global *global)
{
	return global->statistic & STP_STATISTIC_LINEAR;
}

static unsigned int bucket_of(const struct stp_global *global, s64 value)
{
	return global->statistic & STP_STATISTIC_LOG ? log_bucket(value) : linear_bucket(global, value);
}

/* Return the smallest value of a bucket (linear, not an outer one), or the value nearest to zero (log). */
static s64 bucket_value(const struct stp_global *global, unsigned int bucket)
{
	if (is_linear(global))
		return global->low + (u64)(bucket - 1) * global->width;
	if (bucket == STP_LOG_ZERO)
		return 0;
	return bucket < STP_LOG_ZERO ? -(1ull << (STP_LOG_ZERO - 1 - bucket)) : 1ull << (bucket - STP_LOG_ZERO - 1);
}

/* ---- adding ---------------------------------------------------------------------------------------------------- */

/*
 * Update the mean and the sum of squared distances by Welford's method in integers. The mean has `shift` fractional
 * bits. Arithmetic wraps, as documented, so it is done on unsigned numbers.
 */
static void add_variance(const struct stp_global *global, struct statistic_slot *slot, s64 value)
{
	s64 scaled = (u64)value << global->shift;
	s64 distance = (u64)scaled - slot->variance[VARIANCE_MEAN];

	slot->variance[VARIANCE_MEAN] += (u64)div64_s64(distance, slot->count);
	slot->variance[VARIANCE_SQUARES] += (u64)distance * ((u64)scaled - slot->variance[VARIANCE_MEAN]);
}

static __always_inline void slot_add(struct statistic_slot *slot, s64 value)
{
	if (!slot->count) {
		slot->min = value;
		slot->max = value;
	} else if (value < slot->min) {
		slot->min = value;
	} else if (value > slot->max) {
		slot->max = value;
	}
	slot->sum += (u64)value;
	slot->count++;
}

/* Return whether the aggregate is only_fed and has only slots of the minimal size, as most do. */
HOT bool statistic_is_simple(const struct stp_global *global)
{
	return global->only_fed && !(global->statistic & STP_STATISTIC_VARIANCE) && !global->buckets;
}

/* raw_smp_processor_id(), because the session context is preemptible, but runs alone. */
HOT void simple_statistic_add(const struct stp_context *c, void *statistic, s64 value)
{
	unsigned int index = raw_smp_processor_id() * FED_SLOTS + context_slot(c);

	slot_add(statistic + index * sizeof(struct statistic_slot), value);
}

void statistic_add(const struct stp_context *c, const struct stp_global *global, void *statistic, s64 value)
{
	unsigned int cpu = raw_smp_processor_id();
	struct statistic_slot *slot = part_of(global, statistic, cpu) +
				      (global->only_fed ? context_slot(c) : context_nmi_slot(c)) * slot_size(global);

	slot_add(slot, value);
	if (global->statistic & STP_STATISTIC_VARIANCE)
		add_variance(global, slot, value);
	if (global->buckets)
		local_inc(&buckets_of(global, statistic, cpu)[bucket_of(global, value)]);
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

void statistic_read(const struct stp_global *global, const void *statistic, struct stp_statistic_values *values)
{
	unsigned int i;

	memset(values, 0, sizeof(*values));
	for (i = 0; i < slot_count(global); i++) {
		const struct statistic_slot *slot = slot_of(global, statistic, i);

		if (!slot->count)
			continue;
		if (!values->count || slot->min < values->min)
			values->min = slot->min;
		if (!values->count || slot->max > values->max)
			values->max = slot->max;
		values->count += slot->count;
		values->sum += (u64)slot->sum;
	}
}

void stp_aggregate(struct stp_context *c, unsigned int global, void *statistic, stp_long value)
{
	bool shared = !stp_script.globals[global].only_fed && !handler_holds(c, global);
	unsigned long flags = 0;

	if (statistic_is_simple(&stp_script.globals[global])) {
		simple_statistic_add(c, statistic, value);
		return;
	}
	if (shared && !lock_shared(c, global, &flags))
		return;
	statistic_add(c, &stp_script.globals[global], statistic, value);
	if (shared)
		unlock_shared(c, global, flags);
}

void stp_statistic(struct stp_context *c, unsigned int global, void *statistic, struct stp_statistic_values *values)
{
	statistic_read(&stp_script.globals[global], statistic, values);
}

void stp_statistic_clear(struct stp_context *c, unsigned int global, void *statistic)
{
	statistic_reset(&stp_script.globals[global], statistic);
}

stp_long stp_average(struct stp_context *c, const struct stp_statistic_values *values)
{
	return div64_s64(values->sum, values->count);
}

int stp_statistic_nonempty(struct stp_context *c, const struct stp_statistic_values *values)
{
	if (values->count)
		return 1;
	stp_error(c, "empty aggregate");
	return 0;
}

/*
 * Return the sum of the squared distances of a slot's values from @p mean, the mean of all slots. The variance of the
 * slot is an integer, which is multiplied again, because SystemTap keeps the variance and not the squares.
 */
static u64 squares_of(const struct statistic_slot *slot, s64 mean)
{
	u64 distance = (u64)slot->variance[VARIANCE_MEAN] - mean;
	s64 variance = slot->count > 1 ? div64_s64(slot->variance[VARIANCE_SQUARES], slot->count - 1) : 0;

	return (u64)variance * (slot->count - 1) + slot->count * distance * distance;
}

stp_long stp_variance(struct stp_context *c, unsigned int number, const void *statistic)
{
	const struct stp_global *global = &stp_script.globals[number];
	struct stp_statistic_values all;
	u64 squares = 0;
	unsigned int i;
	s64 mean;

	statistic_read(global, statistic, &all);
	if (all.count < 2)
		return 0;
	mean = div64_s64((u64)all.sum << global->shift, all.count);
	for (i = 0; i < slot_count(global); i++) {
		const struct statistic_slot *slot = slot_of(global, statistic, i);

		if (slot->count)
			squares += squares_of(slot, mean);
	}
	/* Shift twice: the result has up to 124 fractional bits, and a shift by 64 or more is undefined. */
	return div64_s64(squares, all.count - 1) >> global->shift >> global->shift;
}

s64 statistic_bucket(const struct stp_global *global, const void *statistic, unsigned int bucket)
{
	s64 count = 0;
	unsigned int cpu;

	for (cpu = 0; statistic && cpu < nr_cpu_ids; cpu++)
		count += local_read(&buckets_of(global, statistic, cpu)[bucket]);
	return count;
}

stp_long stp_histogram_bucket(struct stp_context *c, unsigned int number, const void *statistic, stp_long index)
{
	const struct stp_global *global = &stp_script.globals[number];

	if (index >= 0 && index < global->buckets)
		return statistic_bucket(global, statistic, index);
	stp_error(c, "histogram index %lld is out of range (0 to %u)", index, global->buckets - 1);
	return 0;
}

/* Return whether bucket a comes before b. Of equal counts, the lower bucket comes first. */
static bool in_order(s64 count_a, unsigned int a, s64 count_b, unsigned int b, int direction)
{
	if (count_a != count_b)
		return (count_a < count_b) == (direction > 0);
	return a < b;
}

int stp_histogram_next(struct stp_context *c, unsigned int number, const void *statistic, int direction,
		       stp_long *index, stp_long *count)
{
	const struct stp_global *global = &stp_script.globals[number];
	stp_long best = -1, best_count = 0;
	unsigned int i;

	/* Search instead of sorting, because there is no memory to sort in. Histograms are small. */
	for (i = 0; i < global->buckets; i++) {
		s64 here = statistic_bucket(global, statistic, i);

		if (*index >= 0 && !in_order(*count, *index, here, i, direction))
			continue;
		if (best >= 0 && !in_order(here, i, best_count, best, direction))
			continue;
		best = i;
		best_count = here;
	}
	*index = best;
	*count = best_count;
	return best >= 0;
}

/* ---- the bar chart ---------------------------------------------------------------------------------------------- */

enum { BAR_WIDTH = 50, LABEL_SIZE = 24, EMPTY_AROUND = 2 };

struct chart {
	struct stp_context *c;
	const struct stp_global *global;
	const void *statistic;
	unsigned int first, last; /* rows to print */
	unsigned int label_width, count_width;
	s64 per_mark; /* number of samples for each '@' */
};

static s64 row_count(const struct chart *chart, unsigned int row)
{
	return statistic_bucket(chart->global, chart->statistic, row);
}

static unsigned int row_label(const struct chart *chart, unsigned int row, char *text)
{
	const struct stp_global *global = chart->global;
	bool is_outer = is_linear(global) && (row == 0 || row == global->buckets - 1);

	if (!is_outer)
		return scnprintf(text, LABEL_SIZE, "%lld", bucket_value(global, row));
	if (row == 0)
		return scnprintf(text, LABEL_SIZE, "<%lld", global->low);
	return scnprintf(text, LABEL_SIZE, ">%lld", bucket_value(global, row - 1));
}

/*
 * Choose the rows from the first to the last filled bucket, with some empty ones around them. Do not extend them to
 * negative numbers (log) or to the outer buckets (linear). Return false if all buckets are empty.
 */
static bool choose_rows(struct chart *chart, s64 *most)
{
	unsigned int outer = is_linear(chart->global), least, greatest = chart->global->buckets - 1 - outer, row;
	bool found = false;

	*most = 0;
	for (row = 0; row < chart->global->buckets; row++) {
		s64 count = row_count(chart, row);

		if (!count)
			continue;
		if (!found)
			chart->first = row;
		chart->last = row;
		found = true;
		*most = max(*most, count);
	}
	least = outer ?: chart->first >= STP_LOG_ZERO ? STP_LOG_ZERO : 0;
	if (chart->first > least)
		chart->first = max_t(int, chart->first - EMPTY_AROUND, least);
	if (chart->last < greatest)
		chart->last = min(chart->last + EMPTY_AROUND, greatest);
	return found;
}

static void measure(struct chart *chart, s64 most)
{
	char text[LABEL_SIZE];
	unsigned int row;

	for (row = chart->first; row <= chart->last; row++)
		chart->label_width = max(chart->label_width, row_label(chart, row, text));
	chart->count_width = scnprintf(text, sizeof(text), "%lld", most);
	chart->per_mark = most > BAR_WIDTH ? div64_s64(most + BAR_WIDTH - 1, BAR_WIDTH) : 1;
}

static void print_row(const struct chart *chart, unsigned int row)
{
	s64 count = row_count(chart, row);
	char label[LABEL_SIZE], bar[BAR_WIDTH];

	row_label(chart, row, label);
	stp_print_string(chart->c, label, 0, chart->label_width, 0);
	stp_print(chart->c, " |", 2);
	memset(bar, ' ', sizeof(bar));
	memset(bar, '@', div64_s64(count, chart->per_mark));
	stp_print(chart->c, bar, sizeof(bar));
	stp_print(chart->c, " ", 1);
	stp_print_number(chart->c, count, 10, STP_SIGNED, chart->count_width, 0);
	stp_print(chart->c, "\n", 1);
}

static void print_head(const struct chart *chart)
{
	char line[BAR_WIDTH];

	stp_print_string(chart->c, "value", 0, chart->label_width, 0);
	stp_print(chart->c, " |", 2);
	memset(line, '-', sizeof(line));
	stp_print(chart->c, line, sizeof(line));
	stp_print(chart->c, " count\n", 7);
}

static void print_elision(const struct chart *chart)
{
	stp_print_string(chart->c, "~", 0, chart->label_width + 2, 0);
	stp_print(chart->c, "\n", 1);
}

/* Return whether an empty row is too far from all filled ones to be printed. */
static bool is_elided(const struct chart *chart, unsigned int row)
{
	int near = stp_script.hist_elision;
	unsigned int from, to;

	if (near < 0)
		return false;
	from = row - min_t(unsigned int, near, row - chart->first);
	to = row + min_t(unsigned int, near, chart->last - row);
	while (from <= to && !row_count(chart, from))
		from++;
	return from > to;
}

/* Print "~" in place of each group of elided rows that is followed by another row. */
static void print_rows(const struct chart *chart)
{
	bool elided = false;
	unsigned int row;

	for (row = chart->first; row <= chart->last; row++) {
		bool shown = !is_elided(chart, row);

		if (shown && elided)
			print_elision(chart);
		if (shown)
			print_row(chart, row);
		elided = !shown;
	}
}

void stp_histogram_print(struct stp_context *c, unsigned int number, const void *statistic)
{
	struct chart chart = {
		.c = c,
		.global = &stp_script.globals[number],
		.statistic = statistic,
		.label_width = strlen("value"),
	};
	s64 most;

	/* The aggregate may have become empty since the script checked it. */
	if (!choose_rows(&chart, &most))
		return;
	measure(&chart, most);
	print_head(&chart);
	print_rows(&chart);
	stp_print(c, "\n", 1);
}
