// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Timers: one hrtimer per probe, run in hard interrupt context. Intervals in jiffies are converted to nanoseconds here,
 * because only the running kernel knows HZ. The next expiry is computed from the last one, so a timer keeps its rate.
 * If a handler takes longer than the interval, the missed expiries are skipped, and the CPU gets a pause between two
 * hits.
 */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/condition.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/target.h"
#include "runtime/probes/families.h"

enum { SHORTEST_PAUSE_NS = 50 * NSEC_PER_USEC };

struct armed_timer {
	struct hrtimer timer;
	const struct stp_probe *probe;
	u64 interval, randomize; /* ns */
	bool is_on;
	ktime_t base; /* expiry before randomization */
};

static struct armed_timer *armed_timers;
static unsigned int armed_timer_count;

static u64 to_ns(s64 interval)
{
	return interval < 0 ? (u64)-interval * (NSEC_PER_SEC / HZ) : interval;
}

/* Return a random shift in [-randomize, randomize]. */
static s64 random_shift(const struct armed_timer *t)
{
	if (!t->randomize)
		return 0;
	return (s64)(get_random_u64() % (2 * t->randomize + 1)) - (s64)t->randomize;
}

static void set_next(struct armed_timer *t, ktime_t now)
{
	ktime_t next = ktime_add_ns(t->base, t->interval);

	if (ktime_before(next, now)) {
		u64 behind = ktime_to_ns(ktime_sub(now, t->base));

		next = ktime_add_ns(t->base, (div64_u64(behind, t->interval) + 1) * t->interval);
	}
	t->base = next;
	next = ktime_add_ns(next, random_shift(t));
	if (ktime_before(next, ktime_add_ns(now, SHORTEST_PAUSE_NS)))
		next = ktime_add_ns(now, SHORTEST_PAUSE_NS);
	hrtimer_set_expires(&t->timer, next);
}

static enum hrtimer_restart timer_hit(struct hrtimer *timer)
{
	struct armed_timer *t = container_of(timer, struct armed_timer, timer);

	context_run_hit(t->probe, NULL, NULL, false);
	set_next(t, hrtimer_cb_get_time(timer));
	return HRTIMER_RESTART;
}

static void switch_timer(struct armed_timer *t, bool on)
{
	if (t->is_on == on)
		return;
	t->is_on = on;
	if (!on) {
		hrtimer_cancel(&t->timer);
		return;
	}
	t->base = hrtimer_cb_get_time(&t->timer);
	set_next(t, t->base);
	hrtimer_start_expires(&t->timer, HRTIMER_MODE_ABS_HARD);
}

static int arm_timers(void)
{
	unsigned int i, total = probe_count(STP_PROBE_TIMER);

	if (!total)
		return 0;
	armed_timers = checked(kvcalloc(total, sizeof(*armed_timers), GFP_KERNEL));
	if (!armed_timers)
		return -ENOMEM;
	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];
		struct armed_timer *t = &armed_timers[armed_timer_count];

		if (probe->kind != STP_PROBE_TIMER)
			continue;
		t->probe = probe;
		t->interval = max_t(u64, to_ns(probe->interval), 1);
		t->randomize = to_ns(probe->randomize);
		compat_hrtimer_setup(&t->timer, timer_hit);
		armed_timer_count++;
		switch_timer(t, probe_is_wanted(probe));
	}
	return 0;
}

static void disarm_timers(void)
{
	unsigned int i;

	for (i = 0; i < armed_timer_count; i++)
		switch_timer(&armed_timers[i], false);
	armed_timer_count = 0;
	kvfree(armed_timers);
	armed_timers = NULL;
}

static void rearm_timers(void)
{
	unsigned int i;

	for (i = 0; i < armed_timer_count; i++)
		switch_timer(&armed_timers[i], probe_is_wanted(armed_timers[i].probe));
}

const struct probe_family timer_family = {
	.name = "timer",
	.arm = arm_timers,
	.disarm = disarm_timers,
	.rearm = rearm_timers,
};
