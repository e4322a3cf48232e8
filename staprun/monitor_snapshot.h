/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the file "monitor" of a module said at one moment; see monitor_snapshot.c. */
#ifndef SPILE_STAPRUN_MONITOR_SNAPSHOT_H
#define SPILE_STAPRUN_MONITOR_SNAPSHOT_H

#include "staprun/status.h"
#include "translator/util/error.h"

struct watched_probe {
	unsigned int index;
	const char *state; /* "on", "off", "waits" */
	long long hits, least, average, most; /* the latter in cycles */
	const char *point;
};

struct watched_global {
	const char *name;
	const char *count; /* of an array's elements; "-": it is none */
	const char *value; /* JSON, but for bytes that are no UTF-8 */
};

struct snapshot {
	struct control_status status;
	struct watched_probe *probes;
	unsigned int probe_count;
	struct watched_global *globals;
	unsigned int global_count;
	char *text; /* that all of these point into */
};

/**
 * Read the whole file from its beginning.
 *
 * @param[out] snapshot Zeroed, or an earlier one, which is given up if this succeeds.
 */
struct error *snapshot_read(int file, struct snapshot *snapshot);

/** Take a text apart, which is changed and given to the snapshot. For snapshot_read(). */
void snapshot_parse(char *text, struct snapshot *snapshot);

void snapshot_clear(struct snapshot *snapshot);

#endif
