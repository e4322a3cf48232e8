// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Aggregates ("<<<").
 *
 * An aggregate is an array of slots, two per CPU: one for ordinary contexts (interrupts are off while it is updated, so
 * nothing but an NMI gets in between) and one for NMIs. Adding touches only the CPU's own slot; reading merges them all
 * under the global's write lock, which no adder holds shared.
 */
#include <linux/math64.h>
#include <linux/smp.h>

#include "internal.h"

enum { SLOTS_PER_CPU = 2 };

static unsigned int slot_count(void)
{
	return nr_cpu_ids * SLOTS_PER_CPU;
}

size_t statistic_size(void)
{
	return slot_count() * sizeof(struct statistic_slot);
}

void *statistic_create(void)
{
	return kvzalloc(statistic_size(), GFP_KERNEL);
}

void statistic_destroy(void *statistic)
{
	kvfree(statistic);
}

void statistic_add(const struct stp_context *c, struct statistic_slot *slots, s64 value)
{
	/* Raw: the session context is preemptible, but alone. */
	struct statistic_slot *slot = &slots[raw_smp_processor_id() * SLOTS_PER_CPU + context_nmi_slot(c)];

	if (!slot->count || value < slot->min)
		slot->min = value;
	if (!slot->count || value > slot->max)
		slot->max = value;
	slot->sum += (u64)value;
	slot->count++;
}

void statistic_read(const struct statistic_slot *slots, struct stp_statistic_values *values)
{
	unsigned int i;

	memset(values, 0, sizeof(*values));
	for (i = 0; i < slot_count(); i++) {
		const struct statistic_slot *slot = &slots[i];

		if (!slot->count)
			continue;
		if (!values->count || slot->min < values->min)
			values->min = slot->min;
		if (!values->count || slot->max > values->max)
			values->max = slot->max;
		values->count += slot->count;
		values->sum += slot->sum;
	}
}

void statistic_reset(struct statistic_slot *slots)
{
	memset(slots, 0, statistic_size());
}

void stp_aggregate(struct stp_context *c, unsigned int global, void *statistic, stp_long value)
{
	bool shared = !handler_holds(c, global);
	unsigned long flags = 0;

	if (shared && !lock_shared(c, global, &flags))
		return;
	statistic_add(c, statistic, value);
	if (shared)
		unlock_shared(c, global, flags);
}

void stp_statistic(struct stp_context *c, void *statistic, struct stp_statistic_values *values)
{
	statistic_read(statistic, values);
}

void stp_statistic_clear(struct stp_context *c, void *statistic)
{
	statistic_reset(statistic);
}

stp_long stp_average(struct stp_context *c, const struct stp_statistic_values *values)
{
	return div64_s64(values->sum, values->count);
}

int stp_statistic_nonempty(struct stp_context *c, const struct stp_statistic_values *values, const char *what)
{
	if (values->count)
		return 1;
	stp_error(c, "empty aggregate: @%s has no value", what);
	return 0;
}
