// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Count the elements that programs in D drop because an array is full (stp_script.drops_elements). A full array is no
 * error there: the clause continues, and the counts are reported.
 */
#include <linux/percpu.h>

#include "runtime/core/drops.h"
#include "runtime/core/full_context.h"

struct drop_counts {
	atomic_long_t of_kind[DROP_KIND_COUNT_];
};

static DEFINE_PER_CPU(struct drop_counts, drop_counts);

void count_drop(enum drop_kind kind)
{
	atomic_long_inc(&raw_cpu_ptr(&drop_counts)->of_kind[kind]);
}

stp_long *slot_of_dropped(struct stp_context *c)
{
	stp_long *slot = &full_context_of(c)->dropped_slot;

	*slot = 0;
	return slot;
}

static long take_drops(int cpu, enum drop_kind kind)
{
	return atomic_long_xchg(&per_cpu_ptr(&drop_counts, cpu)->of_kind[kind], 0);
}

/* The messages are those of dtrace(1). */
void stp_report_drops(struct stp_context *c)
{
	long variables = 0, aggregations;
	char text[64];
	int cpu;

	for_each_possible_cpu(cpu) {
		variables += take_drops(cpu, DROP_VARIABLE);
		aggregations = take_drops(cpu, DROP_AGGREGATION);
		if (!aggregations)
			continue;
		scnprintf(text, sizeof(text), "dtrace: %ld aggregation drop%s on CPU %d", aggregations,
			  aggregations > 1 ? "s" : "", cpu);
		stp_message(c, text);
	}
	if (!variables)
		return;
	scnprintf(text, sizeof(text), "dtrace: %ld dynamic variable drop%s", variables, variables > 1 ? "s" : "");
	stp_message(c, text);
}
