// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of limits. It is used by the options of stap, by pass 2 for sizes in a script (sema/privilege.c), by
 * compile servers, and by tests; the style suite compares it with the list in stap(1).
 *
 * A module of --privilege=stapusr runs in the kernel for an untrusted user. So each limit has a range for each
 * privilege:
 *
 *     - The limits of statements and lock attempts keep handlers below some milliseconds with preemption disabled.
 *     - The overload check cannot be disabled: the largest threshold is below the shortest interval.
 *     - The limits of sizes do not bound the memory of a script with many arrays. So below stapdev, STP_MAXMEMORY is
 *       always set, which the module checks before it allocates memory.
 */
#include "common/limits.h"

#include <glib.h>
#include <string.h>

#include "common/base/i18n.h"

const char *const privilege_names[PRIVILEGE_COUNT_] = {
	[PRIVILEGE_STAPUSR] = "stapusr",
	[PRIVILEGE_STAPSYS] = "stapsys",
	[PRIVILEGE_STAPDEV] = "stapdev",
};

#define FIELD(name) .offset = offsetof(struct script_limits, name)
/* The ranges of stapusr, stapsys and stapdev. */
#define RANGES(...) .ranges = {__VA_ARGS__}
#define SAME(low, high) RANGES({low, high}, {low, high}, {low, high})

/* clang-format off */
const struct limit limit_table[] = {
	{"MAXSTRINGLEN", FIELD(max_string_length), .standard = 512,
	 RANGES({16, 4096}, {16, 16384}, {16, 65536})},
	{"MAXMAPENTRIES", FIELD(max_map_entries), .standard = 2048,
	 RANGES({1, 65536}, {1, 1 << 20}, {1, 1 << 24})},
	{"MAXACTION", FIELD(max_action), .standard = 1000,
	 RANGES({1, 10000}, {1, 100000}, {1, INT32_MAX})},
	{"MAXACTION_INTERRUPTIBLE", FIELD(max_action_interruptible), .standard = 0,
	 RANGES({1, 1000000}, {1, 10000000}, {1, INT32_MAX})},
	{"MAXNESTING", FIELD(max_nesting), .standard = 0,
	 RANGES({1, 100}, {1, 1000}, {1, 1000})},
	{"MAXERRORS", FIELD(max_errors), .standard = 0,
	 RANGES({0, 10000}, {0, 1000000}, {0, INT32_MAX - 1})},
	{"MAXSKIPPED", FIELD(max_skipped), .standard = 100,
	 RANGES({0, 1000000}, {0, 100000000}, {0, INT32_MAX})},
	{"MAXTRYLOCK", FIELD(max_trylock), .standard = 1000,
	 RANGES({0, 1000}, {0, 1000}, {0, 1000000})},
	{"TRYLOCKDELAY", FIELD(trylock_delay), .standard = 10,
	 RANGES({0, 10}, {0, 100}, {0, 1000})},
	{"KRETACTIVE", FIELD(kretactive), .standard = 0,
	 RANGES({1, 1024}, {1, 4096}, {1, 65536})},
	{"HIST_ELISION", FIELD(hist_elision), .standard = 2,
	 SAME(-1, 100000)},
	{"MINSTACKSPACE", FIELD(min_stack_space), .standard = 1024,
	 RANGES({1024, 1 << 24}, {1024, 1 << 24}, {0, 1 << 24})},
	{"MAXBACKTRACE", FIELD(max_backtrace), .standard = 20,
	 SAME(1, 64)},
	{"MAPHASHBIAS", FIELD(map_hash_bias), .standard = 0,
	 RANGES({-2, 2}, {-4, 4}, {-24, 8})},
	{"MAXTRACKS", FIELD(max_tracks), .standard = 2048,
	 RANGES({1, 16384}, {1, 1 << 16}, {1, 1 << 20})},
	{"STP_MAXMEMORY", FIELD(max_memory), .standard = 0,
	 RANGES({1, 64 << 10}, {1, 1 << 20}, {1, INT32_MAX})},
	{"STP_PROCFS_BUFSIZE", FIELD(procfs_buffer), .standard = 0,
	 RANGES({1, 1 << 18}, {1, 1 << 20}, {1, 1 << 24})},
	{"INTERRUPTIBLE", FIELD(interruptible), .standard = 1,
	 RANGES({1, 1}, {1, 1}, {0, 1})},
	{"STP_FAIL_ALLOCATION", FIELD(fail_allocation), .standard = 0,
	 RANGES({0, 0}, {0, 0}, {0, 1000000})},
	{"STP_OVERLOAD_INTERVAL", FIELD(overload_interval), .standard = 1000000000,
	 RANGES({1000000000, 2000000000}, {1000000000, 10000000000}, {1, INT64_MAX})},
	{"STP_OVERLOAD_THRESHOLD", FIELD(overload_threshold), .standard = 500000000,
	 RANGES({1, 500000000}, {1, 900000000}, {1, INT64_MAX})},
	{"STP_NO_OVERLOAD", FIELD(no_overload), .is_flag = true, .standard = 0,
	 RANGES({0, 0}, {0, 0}, {0, 1})},
	{"STAP_CALLEE_MATCHALL", FIELD(callee_matchall), .is_flag = true, .standard = 0,
	 SAME(0, 1)},
	{"STP_TIMING_NSECS", FIELD(timing_nsecs), .is_flag = true, .standard = 0,
	 SAME(0, 1)},
	{"STP_EXECTRACE", FIELD(exec_trace), .is_flag = true, .standard = 0,
	 SAME(0, 1)},
	{"-s", FIELD(buffer_megabytes), .is_option = true, .standard = 0,
	 RANGES({1, 16}, {1, 64}, {1, 4095})},
};
/* clang-format on */
const size_t limit_count = G_N_ELEMENTS(limit_table);

bool privilege_find(const char *name, enum privilege *ret)
{
	for (int i = 0; i < PRIVILEGE_COUNT_; i++) {
		if (!strcmp(privilege_names[i], name)) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static const struct limit *find_row(const char *name)
{
	for (size_t i = 0; i < limit_count; i++)
		if (!strcmp(limit_table[i].name, name))
			return &limit_table[i];
	return NULL;
}

const struct limit *limit_find(const char *name)
{
	const struct limit *limit = find_row(name);

	return limit && !limit->is_option ? limit : NULL;
}

int64_t *limit_value(struct script_limits *values, const struct limit *limit)
{
	return (int64_t *)((char *)values + limit->offset);
}

int64_t limit_highest(const char *name, enum privilege privilege)
{
	const struct limit *limit = find_row(name);

	g_assert(limit);
	return limit->ranges[privilege].high;
}

void limits_set_standard(struct script_limits *values)
{
	for (size_t i = 0; i < limit_count; i++)
		*limit_value(values, &limit_table[i]) = limit_table[i].standard;
}

/* Return "-D MAXACTION=5", "-D STP_NO_OVERLOAD" or "-s 5". */
static char *limit_text(const struct limit *limit, int64_t value)
{
	if (limit->is_option)
		return g_strdup_printf("%s %lld", limit->name, (long long)value);
	return limit->is_flag ? g_strdup_printf("-D %s", limit->name)
			      : g_strdup_printf("-D %s=%lld", limit->name, (long long)value);
}

static struct error *refusal(const struct limit *limit, int64_t value, enum privilege privilege)
{
	const struct limit_range *range = &limit->ranges[privilege];
	const char *name = privilege_names[privilege];
	g_autofree char *text = limit_text(limit, value);

	if (range->low == range->high)
		return error_with_hint(error_new(ERROR_OTHER, _("%s is not allowed with --privilege=%s"), text, name),
				       _("leave it out, or use --privilege=stapdev, for modules that root and members "
					 "of stapdev run"));
	return error_with_hint(error_new(ERROR_OTHER,
					 value > range->high
						 ? _("%s is above %lld, the largest value with --privilege=%s")
						 : _("%s is below %lld, the smallest value with --privilege=%s"),
					 text, (long long)(value > range->high ? range->high : range->low), name),
			       _("use a value from %lld to %lld, or --privilege=stapdev, for modules that root and "
				 "members of stapdev run"),
			       (long long)range->low, (long long)range->high);
}

struct error *limits_check(const struct script_limits *values, enum privilege privilege)
{
	for (size_t i = 0; i < limit_count; i++) {
		const struct limit *limit = &limit_table[i];
		int64_t value = *(const int64_t *)((const char *)values + limit->offset);

		if (value != limit->standard &&
		    (value < limit->ranges[privilege].low || value > limit->ranges[privilege].high))
			return refusal(limit, value, privilege);
	}
	return NULL;
}

bool limit_parse(struct script_limits *values, const struct limit *limit, const char *text, bool *is_cut)
{
	const struct limit_range *possible = &limit->ranges[PRIVILEGE_STAPDEV];
	g_autofree char *digits = g_strdup(text);
	size_t length = strlen(digits);
	int64_t value;
	char *end;

	while (length && strchr("uUlL", digits[length - 1]))
		digits[--length] = '\0';
	value = g_ascii_strtoll(digits, &end, 0);
	if (!length || *end)
		return false;
	*limit_value(values, limit) = CLAMP(value, possible->low, possible->high);
	if (is_cut)
		*is_cut = value < possible->low || value > possible->high;
	return true;
}
