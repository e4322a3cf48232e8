// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The CPU time of handlers.
 *
 * Reading the clock twice is a large part of the cost of a quick hit, so only some hits are timed. Their time counts
 * for those that follow. The script ends if its handlers take too much of an interval. With -t and after "measure",
 * each hit is timed, and the times are also kept by probe.
 */
#include <linux/cpu.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timex.h>

#include "runtime/core/allocation.h"
#include "runtime/core/full_context.h"
#include "runtime/core/internal.h"
#include "runtime/core/overload.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"

struct probe_timing *probe_timings;

/* ---- overload ---------------------------------------------------------------------------------------------------- */

static noinline void overloaded(void)
{
	if (atomic_xchg(&session_failed, 1))
		return;
	transport_error("probe overhead exceeded threshold (see STP_OVERLOAD_THRESHOLD in stap(1))");
	session_request_exit();
}

enum {
	QUICK_CYCLES = 8192, /* of quicker hits, only some are timed */
	MOST_UNTIMED = 15,
	SPREAD = 4, /* vary backoffs by this, to see every pattern of hits */
};

/* Return where to count a handler of this level, or NULL if the interrupted handler includes it. */
struct usage *usage_of(struct cpu_contexts *cpu, enum context_level level)
{
	unsigned int below = 0, i;

	for (i = LEVEL_TASK; i < level; i++)
		below += cpu->busy[i];
	if (below)
		return below == 1 ? &cpu->nested : NULL;
	return &cpu->usage;
}

static void add_usage(struct usage *usage, u64 start, u64 cycles)
{
	if (start - usage->start > stp_script.overload_interval) {
		usage->start = start;
		usage->cycles = 0;
	}
	usage->cycles += cycles;
	if (unlikely(usage->cycles > stp_script.overload_threshold))
		overloaded();
}

/* Set how many hits of this CPU are not timed. An interrupt may do the same at any point. */
void grant_untimed(int count)
{
	this_cpu_add(contexts.timed_budget, (s64)count - this_cpu_xchg(contexts.untimed, count));
}

/* The same for light handlers. If the task migrates, this may affect another CPU, which does no harm. */
void grant_light_untimed(int count)
{
	this_cpu_add(contexts.timed_budget, (s64)count - this_cpu_xchg(contexts.light_untimed, count));
}

/*
 * End the script when its handlers take too much CPU time. Reading the clock twice is a large part of the cost of a
 * quick hit, so only some are timed and count for those that follow. The more quick hits in a row, the fewer are timed.
 */
void check_overload(struct cpu_contexts *cpu, struct usage *usage, u64 start, u64 cycles, bool is_light)
{
	if (cycles < QUICK_CYCLES && !runs_slow) {
		cpu->backoff = min(2 * cpu->backoff + 1, (int)MOST_UNTIMED);
		grant_untimed(cpu->backoff - (start + cycles) % SPREAD * (cpu->backoff > SPREAD));
		cycles *= (is_light ? LIGHT_UNTIMED : cpu->untimed) + 1;
	} else {
		cpu->backoff = 0;
	}
	add_usage(usage, start, cycles);
}

u64 context_hits(void)
{
	u64 hits = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct cpu_contexts *of_cpu = &per_cpu(contexts, cpu);

		hits += READ_ONCE(of_cpu->timed_budget) - READ_ONCE(of_cpu->untimed) - READ_ONCE(of_cpu->light_untimed);
	}
	return hits;
}

/* ---- times of each probe ----------------------------------------------------------------------------------------- */

bool timings_create(void)
{
	struct probe_timing *room = checked(kvcalloc(stp_script.probe_count, sizeof(*room), GFP_KERNEL));
	unsigned int i;

	for (i = 0; room && i < stp_script.probe_count; i++)
		atomic64_set(&room[i].least, S64_MAX);
	smp_store_release(&probe_timings, room); /* pairs with the acquire in context_probe_hits() */
	return room;
}

/* Hits of one probe may end on several CPUs, and in an NMI, at the same time. */
void note_timing(const struct stp_probe *probe, s64 time)
{
	struct probe_timing *timing = &probe_timings[probe - stp_script.probes];
	s64 least = atomic64_read(&timing->least), most = atomic64_read(&timing->most);

	atomic64_inc(&timing->hits);
	atomic64_add(time, &timing->total);
	while (time < least && !atomic64_try_cmpxchg(&timing->least, &least, time))
		;
	while (time > most && !atomic64_try_cmpxchg(&timing->most, &most, time))
		;
}

static void print_text(struct stp_context *c, const char *text)
{
	stp_print(c, text, strlen(text));
}

static void print_timing(struct stp_context *c, unsigned int index)
{
	const struct stp_probe_origin *origin = &stp_script.origins[index];
	const struct probe_timing *timing = &probe_timings[index];
	s64 hits = atomic64_read(&timing->hits);
	char text[512];

	if (!origin->place || !hits)
		return;
	print_text(c, stp_script.probes[index].point);
	scnprintf(text, sizeof(text), ", (%s), hits: %lld, %s: %lldmin/%lldavg/%lldmax, from: ", origin->place, hits,
		  stp_script.timing_nsecs ? "nsecs" : "cycles", atomic64_read(&timing->least),
		  div64_s64(atomic64_read(&timing->total), hits), atomic64_read(&timing->most));
	print_text(c, text);
	print_text(c, origin->derivation);
	scnprintf(text, sizeof(text), ", index: %u\n", index);
	print_text(c, text);
	flush_stream(session_context);
}

void context_report_timings(void)
{
	struct stp_context *c = &session_context->script;
	unsigned int i;

	if (!stp_script.origins)
		return;
	c->sink = &session_context->stream;
	print_text(c, "----- probe hit report: \n");
	for (i = 0; i < stp_script.probe_count; i++)
		print_timing(c, i);
}

static void time_next_hit(void *unused)
{
	grant_untimed(0);
	grant_light_untimed(0);
}

/* Time the first hits of CPUs that come online later. */
static void time_hits_of_offline(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct cpu_contexts *of_cpu = &per_cpu(contexts, cpu);

		if (cpu_online(cpu))
			continue;
		of_cpu->timed_budget -= (s64)of_cpu->untimed + of_cpu->light_untimed;
		of_cpu->untimed = 0;
		of_cpu->light_untimed = 0;
	}
}

int contexts_measure(void)
{
	if (probe_timings)
		return 0;
	if (!timings_create())
		return -ENOMEM;
	WRITE_ONCE(runs_slow, true);
	atomic_or(SILENT_NEVER_LIGHT, &session_silence);
	/* Timed hits that are running may still set the counters. */
	synchronize_rcu();
	cpus_read_lock();
	time_hits_of_offline();
	on_each_cpu(time_next_hit, NULL, 1);
	cpus_read_unlock();
	return 0;
}

struct probe_hits context_probe_hits(unsigned int index)
{
	const struct probe_timing *room = smp_load_acquire(&probe_timings);
	struct probe_hits known = {};

	if (!room || !atomic64_read(&room[index].hits))
		return known;
	known.hits = atomic64_read(&room[index].hits);
	known.total = atomic64_read(&room[index].total);
	known.least = atomic64_read(&room[index].least);
	known.most = atomic64_read(&room[index].most);
	return known;
}
