/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script and the stap that runs it, or a bundle; see script.c. */
#ifndef SPILE_EXPORTER_SCRIPT_H
#define SPILE_EXPORTER_SCRIPT_H

#include <glib.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "exporter/configuration.h"
#include "exporter/metrics.h"
#include "exporter/text_output.h"

enum script_state {
	SCRIPT_IDLE, /* not requested */
	SCRIPT_RUNNING, /* stap or the bundle runs; stap may be translating */
	SCRIPT_STOPPING, /* it was told to end */
	SCRIPT_UNLOADING, /* it has ended, its module is still loaded */
	SCRIPT_WAITING, /* it will be started again after a pause */
};

/* Results of a scrape. */
enum scrape_result {
	SCRAPE_READY,
	SCRAPE_PENDING, /* no data yet */
	SCRAPE_FAILED, /* the script does not run; there is a reason */
};

/* Counters since the exporter began, for its own metrics. */
struct script_counts {
	uint64_t starts, restarts, scrapes, failed_scrapes;
	uint64_t errors, warnings, snapshots, incomplete, lost, shortened;
	uint64_t long_lines, invalid_lines, throttled;
	uint64_t dropped[DROP_REASON_COUNT_];
	int64_t microseconds; /* of scrapes */
};

struct script;

/** Called when a scrape that was pending may succeed or has failed, and when a script has ended. */
typedef void script_observer(struct script *script, void *context);

/**
 * Make a script that does not run.
 *
 * @param[in] file The name of its file, a script or a bundle.
 */
struct script *script_new(struct exporter_settings *settings, const char *file, const struct stat *status,
			  script_observer *observer, void *context);
void script_free(struct script *script);

/** Return its name, without the ending of the file. */
const char *script_name(const struct script *script);
const char *script_file(const struct script *script);
enum script_state script_state(const struct script *script);
/** Does it run and have data? */
bool script_is_up(const struct script *script);
/** Return what was counted so far, including the current run. */
struct script_counts script_counts(const struct script *script);
/** Count a scrape that took so many microseconds. */
void script_count_scrape(struct script *script, int64_t microseconds, bool failed);

/** Use new settings. If they, or the file, have changed, end the running script; it starts again if it is wanted. */
void script_reconfigure(struct script *script, struct exporter_settings *settings, const struct stat *status);

/** Start it if it is configured to start without a scrape. */
void script_boot(struct script *script);

/**
 * Note that a client wants the script, and get its metrics. It is started if necessary.
 *
 * @param[out] text If ready, the response, which the caller unreferences.
 */
enum scrape_result script_scrape(struct script *script, enum text_format format, GBytes **text);

/** Return why it does not run, or what it is doing; one or more lines. Free with g_free(). */
char *script_explain(const struct script *script);

/** Keep it wanted, because a client still waits for the data of a pending scrape. */
void script_keep(struct script *script);

/** May a pending scrape succeed or fail now? */
bool script_may_answer(const struct script *script);

/** End it for good. The observer is called when its module is unloaded; the state is then SCRIPT_IDLE. */
void script_stop(struct script *script);

#endif
