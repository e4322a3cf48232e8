/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording while its lines are read: what the functions for the types of lines share. */
#ifndef SPILE_REPORT_SOURCE_H
#define SPILE_REPORT_SOURCE_H

#include "common/json_reader.h"
#include "report/recording.h"

struct source {
	struct pool *pool;
	struct recording *recording;
	struct json_reader json;
	GString *bytes; /* the last text */
	uint64_t line_number;
	int64_t number; /* the current line's member "remote"; NO_HOST without it */
	const struct recording_watch *watch; /* NULL: none */
};

/** Read the current line, whose syntax is not checked. Return its mistake, or NULL. The caller frees it. */
char *read_line(struct source *source, const char *line, size_t length);

/* ---- types of lines ---------------------------------------------------------------------------------------------- */

void read_script(struct source *source);
void read_start(struct source *source);
void read_output(struct source *source);
void read_message(struct source *source);
void read_end(struct source *source);
void read_global(struct source *source);
void read_snapshot(struct source *source);

/** At the end, add a note about the messages that were not kept. */
void note_left_out_messages(struct source *source);

/* ---- values ------------------------------------------------------------------------------------------------------ */

/** Read a string, or the object that stands for one that is not UTF-8. */
const struct text *read_text(struct source *source);
/** The same, but the caller frees the text. */
struct text *read_own_text(struct source *source);
void read_texts(struct source *source, GPtrArray *texts);
double read_time(struct source *source);
/** Append the bytes to source->bytes. */
void decode_base64(struct source *source, const struct json_bytes *encoded);

/* ---- hosts ------------------------------------------------------------------------------------------------------- */

/** Return the number of a remote host in the recording's hosts, or NO_HOST. */
int find_host(const struct recording *recording, int64_t number);
struct host *add_host(struct source *source, int64_t number);
/** Return the host of the current line, which is added by its first line. */
struct host *current_host(struct source *source);
/** Return the number of the host that has printed the current line; NO_HOST if it is stap itself. */
int host_of_line(struct source *source);

#endif
