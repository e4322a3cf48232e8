/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A parsed copy of a module's file "monitor"; see monitor_snapshot.c. */
#ifndef SPILE_MONITOR_SNAPSHOT_H
#define SPILE_MONITOR_SNAPSHOT_H

#include "common/base/error.h"
#include "staprun/status.h"

struct watched_probe {
	unsigned int index;
	const char *state; /* "on", "off", "waits" */
	long long hits, least, average, most; /* durations in cycles, except hits */
	const char *point;
};

struct watched_global {
	const char *name;
	const char *count; /* number of elements of an array; "-" for a scalar */
	const char *value; /* JSON, except for bytes that are not UTF-8 */
};

struct snapshot {
	struct control_status status;
	struct watched_probe *probes;
	unsigned int probe_count;
	struct watched_global *globals;
	unsigned int global_count;
	char *text; /* the strings above point into it */
};

/**
 * Read the whole file from its beginning.
 *
 * @param[in,out] snapshot Zeroed, or an earlier snapshot, which is freed on success.
 */
struct error *snapshot_read(int file, struct snapshot *snapshot);

/** Parse a text for snapshot_read(). The text is modified, and the snapshot takes ownership of it. */
void snapshot_parse(char *text, struct snapshot *snapshot);

void snapshot_clear(struct snapshot *snapshot);

#endif
