// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timer.*: periodic probes, optionally with a random shift of each period. timer.profile and its variants run on every
 * CPU and see the interrupted code, because they use the kernel's software clock event (runtime/probes/perf.c).
 */
#include <linux/perf_event.h>

#include "common/base/i18n.h"
#include "translator/probes/provider.h"

enum unit { NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, HERTZ, JIFFIES, TICK, PROFILE_HERTZ, UNIT_COUNT_ };

#define TIMER(text, unit)                                                                                              \
	{{{"timer", NO_ARGUMENT}, {text, NUMBER_ARGUMENT}}, unit},                                                     \
	{                                                                                                              \
		{{"timer", NO_ARGUMENT}, {text, NUMBER_ARGUMENT}, {"randomize", NUMBER_ARGUMENT}}, unit                \
	}

static const struct point_pattern patterns[] = {
	TIMER("s", SECONDS),
	TIMER("sec", SECONDS),
	TIMER("ms", MILLISECONDS),
	TIMER("msec", MILLISECONDS),
	TIMER("us", MICROSECONDS),
	TIMER("usec", MICROSECONDS),
	TIMER("ns", NANOSECONDS),
	TIMER("nsec", NANOSECONDS),
	TIMER("jiffies", JIFFIES),
	{{{"timer", NO_ARGUMENT}, {"hz", NUMBER_ARGUMENT}}, HERTZ},
	{{{"timer", NO_ARGUMENT}, {"profile", NO_ARGUMENT}}, TICK},
	{{{"timer", NO_ARGUMENT}, {"profile", NO_ARGUMENT}, {"tick", NO_ARGUMENT}}, TICK},
	{{{"timer", NO_ARGUMENT}, {"profile", NO_ARGUMENT}, {"freq", NO_ARGUMENT}, {"hz", NUMBER_ARGUMENT}},
	 PROFILE_HERTZ},
	{0},
};

/* Nanoseconds per unit. -1 marks jiffies, which the module converts because it knows the kernel's HZ. */
static const int64_t scale[UNIT_COUNT_] = {
	/* others: not in units of time */
	[NANOSECONDS] = 1, [MICROSECONDS] = 1000, [MILLISECONDS] = 1000000, [SECONDS] = 1000000000, [JIFFIES] = -1,
};

enum { NANOSECONDS_PER_SECOND = 1000000000 };

/* Limit of the kernel's software clock event, in Hz. */
enum { PROFILE_HERTZ_LIMIT = 100000 };

static void resolve_profile(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
			    GPtrArray *ret)
{
	struct stp_details *details = arena_new0(t->arena, struct stp_details);
	struct derived_probe *derived = derived_probe_new(t, point);

	details->type = PERF_TYPE_SOFTWARE;
	details->config = PERF_COUNT_SW_CPU_CLOCK;
	if (pattern->variant == PROFILE_HERTZ) {
		int64_t rate = point_number(point, 3);

		if (rate < 1 || rate > PROFILE_HERTZ_LIMIT) {
			diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
				 _("a profiling timer's rate must be between 1 and %d"), PROFILE_HERTZ_LIMIT);
			return;
		}
		details->period = NANOSECONDS_PER_SECOND / rate;
	}
	derived->registration.kind = STP_PROBE_PERF;
	derived->registration.details = details;
	g_ptr_array_add(ret, derived);
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	struct derived_probe *derived;
	int64_t number, shift, most;

	if (pattern->variant >= TICK) {
		resolve_profile(t, pattern, point, ret);
		return;
	}
	number = point_number(point, 1);
	shift = point->components->len > 2 ? point_number(point, 2) : 0;
	most = pattern->variant == HERTZ ? NANOSECONDS_PER_SECOND : INT64_MAX / ABS(scale[pattern->variant]);
	if (number <= 0 || number > most || shift < 0 || shift > most) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("a timer's period must be between 1 and %lld"), (long long)most);
		return;
	}
	if (shift > number) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("the random shift must not be larger than the period"));
		return;
	}
	derived = derived_probe_new(t, point);
	derived->registration.kind = STP_PROBE_TIMER;
	derived->registration.interval =
		pattern->variant == HERTZ ? NANOSECONDS_PER_SECOND / number : number * scale[pattern->variant];
	derived->registration.randomize = shift * scale[pattern->variant];
	g_ptr_array_add(ret, derived);
}

const struct provider timer_provider = {
	.name = "timer",
	.summary = N_("periodic probes"),
	.patterns = patterns,
	.unprivileged = true,
	.resolve = resolve,
};
