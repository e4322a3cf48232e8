/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of scripts, and the ranges that each privilege allows; see limits.c. */
#ifndef SPILE_COMMON_LIMITS_H
#define SPILE_COMMON_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/error.h"

/* --privilege: the group whose members may run the module. */
enum privilege { PRIVILEGE_STAPUSR, PRIVILEGE_STAPSYS, PRIVILEGE_STAPDEV, PRIVILEGE_COUNT_ };

/** "stapusr", "stapsys", "stapdev" */
extern const char *const privilege_names[PRIVILEGE_COUNT_];

/** Find a privilege by its name. Return false if it does not exist. */
bool privilege_find(const char *name, enum privilege *ret);

/* Limits of a script, set with -D NAME=VALUE, and -s. */
struct script_limits {
	int64_t max_string_length; /* MAXSTRINGLEN */
	int64_t max_map_entries; /* MAXMAPENTRIES */
	int64_t max_action; /* MAXACTION */
	int64_t max_action_interruptible; /* MAXACTION_INTERRUPTIBLE, 0: 10 * MAXACTION */
	int64_t max_nesting; /* MAXNESTING, 0: pass 3 computes the depth of the script's calls */
	int64_t max_errors; /* MAXERRORS */
	int64_t max_memory; /* STP_MAXMEMORY: kilobytes; 0: no limit */
	int64_t max_skipped; /* MAXSKIPPED */
	int64_t max_trylock; /* MAXTRYLOCK */
	int64_t trylock_delay; /* TRYLOCKDELAY, us */
	int64_t kretactive; /* KRETACTIVE, 0: the runtime chooses */
	int64_t overload_interval; /* STP_OVERLOAD_INTERVAL, cycles */
	int64_t overload_threshold; /* STP_OVERLOAD_THRESHOLD, cycles */
	int64_t hist_elision; /* HIST_ELISION, empty rows that a histogram shows next to filled ones; negative: all */
	int64_t min_stack_space; /* MINSTACKSPACE */
	int64_t max_backtrace; /* MAXBACKTRACE */
	int64_t map_hash_bias; /* MAPHASHBIAS */
	int64_t max_tracks; /* MAXTRACKS, of tapset/trace.stp */
	int64_t procfs_buffer; /* STP_PROCFS_BUFSIZE, 0: MAXSTRINGLEN */
	int64_t interruptible; /* INTERRUPTIBLE */
	int64_t fail_allocation; /* STP_FAIL_ALLOCATION, for tests: which allocation of the runtime fails; 0: none */
	int64_t no_overload; /* STP_NO_OVERLOAD */
	int64_t callee_matchall; /* STAP_CALLEE_MATCHALL: .callee probes ignore the caller */
	int64_t timing_nsecs; /* STP_TIMING_NSECS: -t reports nanoseconds, not cycles */
	int64_t exec_trace; /* STP_EXECTRACE: report each statement that runs */
	int64_t drops_elements; /* a full array is no error, and elements are dropped and counted, as in D */
	int64_t array_bytes, aggregation_bytes; /* D's dynvarsize, and aggsize for each CPU; 0: the defaults of D */
	int64_t buffer_policy; /* enum stp_buffer_policy */
	int64_t buffer_megabytes; /* -s: output buffer per CPU; 0: the runtime chooses */
};

struct limit_range {
	int64_t low, high;
};

struct limit {
	const char *name;
	size_t offset; /* in struct script_limits */
	bool is_flag; /* -D NAME sets it; a value is ignored */
	bool is_option; /* set by its own option, not by -D */
	int64_t standard;
	struct limit_range ranges[PRIVILEGE_COUNT_]; /* the range of stapdev is the largest */
};

extern const struct limit limit_table[];
extern const size_t limit_count;

/** Find the limit that -D sets by this name, or return NULL. */
const struct limit *limit_find(const char *name);

/** Return the member of @p values for a limit. */
int64_t *limit_value(struct script_limits *values, const struct limit *limit);

/** Return the largest value of a limit for a privilege. */
int64_t limit_highest(const char *name, enum privilege privilege);

void limits_set_standard(struct script_limits *values);

/**
 * Check that the limits are within the ranges of a privilege. Limits with their standard value are not checked.
 *
 * @return NULL, or an error that names the limit, its value, the bound and the privilege, with a hint.
 */
struct error *limits_check(const struct script_limits *values, enum privilege privilege);

/**
 * Set a limit from a text, which may end in U and L as in C. A value out of range becomes the nearest value in range.
 *
 * @param[out] is_cut The value was out of range. May be NULL.
 * @return False if the text is not a number.
 */
bool limit_parse(struct script_limits *values, const struct limit *limit, const char *text, bool *is_cut);

#endif
