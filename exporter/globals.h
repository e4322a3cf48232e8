/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turn the globals of a script (stap-json(5)) into metrics; see globals.c. */
#ifndef SPILE_EXPORTER_GLOBALS_H
#define SPILE_EXPORTER_GLOBALS_H

#include <json-glib/json-glib.h>

#include "exporter/metrics.h"

/* A host of --remote. */
struct remote_host {
	int64_t number;
	char *uri;
};

/* Memory about globals from one snapshot to the next. */
struct globals_memory;

struct globals_memory *globals_memory_new(void);
void globals_memory_free(struct globals_memory *memory);

/**
 * Add the global of a line "global" to the set.
 *
 * @param[in] script The name of the script.
 * @param[in] host The values of the labels "remote_id" and "remote_uri"; NULL: no such labels.
 */
void globals_add(struct metric_set *set, struct globals_memory *memory, const char *script,
		 const struct remote_host *host, JsonObject *line);

#endif
