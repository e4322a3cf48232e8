/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of scripts, and how far each privilege may move them; see limits.c. */
#ifndef SPILE_UTIL_LIMITS_H
#define SPILE_UTIL_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "translator/util/error.h"

/* --privilege: whose members may run the module. */
enum privilege { PRIVILEGE_STAPUSR, PRIVILEGE_STAPSYS, PRIVILEGE_STAPDEV, PRIVILEGE_COUNT_ };

/** "stapusr", "stapsys", "stapdev" */
extern const char *const privilege_names[PRIVILEGE_COUNT_];

/** @return False if there is no such privilege. */
bool privilege_find(const char *name, enum privilege *ret);

/* Limits of a script, set with -D NAME=VALUE, and -s. */
struct script_limits {
	int64_t max_string_length; /* MAXSTRINGLEN */
	int64_t max_map_entries; /* MAXMAPENTRIES */
	int64_t max_action; /* MAXACTION */
	int64_t max_action_interruptible; /* MAXACTION_INTERRUPTIBLE, 0: 10 * MAXACTION */
	int64_t max_nesting; /* MAXNESTING, 0: pass 3 sees how deep the script's calls go */
	int64_t max_errors; /* MAXERRORS */
	int64_t max_memory; /* STP_MAXMEMORY: kilobytes; 0: no limit */
	int64_t max_skipped; /* MAXSKIPPED */
	int64_t max_trylock; /* MAXTRYLOCK */
	int64_t trylock_delay; /* TRYLOCKDELAY, us */
	int64_t kretactive; /* KRETACTIVE, 0: the runtime chooses */
	int64_t overload_interval; /* STP_OVERLOAD_INTERVAL, cycles */
	int64_t overload_threshold; /* STP_OVERLOAD_THRESHOLD, cycles */
	int64_t hist_elision; /* HIST_ELISION, empty rows of a histogram kept next to filled ones; negative: all */
	int64_t min_stack_space; /* MINSTACKSPACE */
	int64_t max_backtrace; /* MAXBACKTRACE */
	int64_t map_hash_bias; /* MAPHASHBIAS */
	int64_t procfs_buffer; /* STP_PROCFS_BUFSIZE, 0: MAXSTRINGLEN */
	int64_t interruptible; /* INTERRUPTIBLE */
	int64_t fail_allocation; /* STP_FAIL_ALLOCATION, for tests: the runtime's allocation that fails, 0: none */
	int64_t no_overload; /* STP_NO_OVERLOAD */
	int64_t callee_matchall; /* STAP_CALLEE_MATCHALL: .callee probes whoever calls */
	int64_t buffer_megabytes; /* -s: of output, for each processor; 0: the runtime chooses */
};

struct limit_range {
	int64_t low, high;
};

struct limit {
	const char *name;
	size_t offset; /* in struct script_limits */
	bool is_flag; /* -D NAME sets it, whatever the value */
	bool is_option; /* the name is that of an option of its own */
	int64_t standard;
	struct limit_range ranges[PRIVILEGE_COUNT_]; /* that of stapdev is what is possible at all */
};

extern const struct limit limit_table[];
extern const size_t limit_count;

/** The limit that -D sets by this name; NULL if there is no such limit. */
const struct limit *limit_find(const char *name);

/** Where the value of a limit is. */
int64_t *limit_value(struct script_limits *values, const struct limit *limit);

/** The largest value of a limit of the table. */
int64_t limit_highest(const char *name, enum privilege privilege);

void limits_set_standard(struct script_limits *values);

/**
 * Refuse limits that are beyond what a privilege allows. A limit that has its standard value is not looked at.
 *
 * @return NULL, or an error that names the limit, its value, the bound and the privilege, with a hint.
 */
struct error *limits_check(const struct script_limits *values, enum privilege privilege);

/**
 * Set a limit from the text of a value, which may end in U and L as in C. A value that is not possible becomes the
 * nearest one that is.
 *
 * @param[out] is_cut The value was not possible. May be NULL.
 * @return False if the text is no number.
 */
bool limit_parse(struct script_limits *values, const struct limit *limit, const char *text, bool *is_cut);

#endif
