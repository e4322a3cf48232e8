// SPDX-License-Identifier: GPL-2.0-or-later
/* timer.*: periodic probes, optionally with a random shift of each period. */
#include "translator/probes/provider.h"
#include "translator/util/i18n.h"

enum unit { NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, HERTZ, JIFFIES };

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
	{{{"timer", NO_ARGUMENT}, {"profile", NO_ARGUMENT}}, 0, true},
	{{{"timer", NO_ARGUMENT}, {"profile", NO_ARGUMENT}, {"tick", NO_ARGUMENT}}, 0, true},
	{0},
};

/* Nanoseconds per unit; jiffies are marked by a negative number and converted in the kernel, which knows its HZ. */
static const int64_t scale[] = {
	[NANOSECONDS] = 1, [MICROSECONDS] = 1000, [MILLISECONDS] = 1000000, [SECONDS] = 1000000000, [JIFFIES] = -1,
};

enum { NANOSECONDS_PER_SECOND = 1000000000 };

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	struct derived_probe *derived = derived_probe_new(t, point);
	int64_t number = point_number(point, 1);
	int64_t shift = point->components->len > 2 ? point_number(point, 2) : 0;
	int64_t most = pattern->variant == HERTZ ? NANOSECONDS_PER_SECOND : INT64_MAX / ABS(scale[pattern->variant]);

	if (number <= 0 || number > most || shift < 0 || shift > most) {
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &point->location,
			 _("a timer's period must be between 1 and %lld"), (long long)most);
		return;
	}
	if (shift >= number && shift) {
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &point->location,
			 _("the random shift must be smaller than the period"));
		return;
	}
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
