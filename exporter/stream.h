/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a run of `stap --format=json` (stap-json(5)); see stream.c. */
#ifndef SPILE_EXPORTER_STREAM_H
#define SPILE_EXPORTER_STREAM_H

#include "common/base/foreign.h"
#include "exporter/metrics.h"

enum stream_event {
	STREAM_NOTHING,
	STREAM_STARTED, /* the module is loaded; `module` has its name */
	STREAM_SNAPSHOT, /* `newest` is a new set, or NULL if no host is left */
	STREAM_MESSAGE, /* `message` has its text */
	STREAM_INVALID, /* the line is not a line of the schema */
};

struct stream {
	const struct exporter_limits *limits;
	const char *script; /* its name */
	struct globals_memory *memory;
	GPtrArray *hosts; /* of struct host; one without a number, or those of --remote */
	struct metric_set *merged; /* the snapshots of several hosts */
	const struct metric_set *newest; /* the last complete snapshots of all hosts, or NULL */
	struct module_name module; /* the last one that was loaded on this machine; "": none */
	char *message; /* the text of the last message, as one line */
	uint64_t errors, warnings, snapshots, incomplete, lost;
	uint64_t dropped[DROP_REASON_COUNT_], shortened; /* in all snapshots */
};

/** @p limits and @p script must outlive the stream. */
void stream_begin(struct stream *stream, const char *script, const struct exporter_limits *limits);
void stream_end(struct stream *stream);

/** Return whether a run has loaded a module of this name on this machine. */
bool stream_has_module(const struct stream *stream, const char *name);

/** Read one line without its line feed, but with a NUL after it. */
enum stream_event stream_line(struct stream *stream, const char *line, size_t length);

#endif
