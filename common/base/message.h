/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages to the user that are not about a place in a script: text on standard error, or with --format=json a line on
 * standard output (stap-json(5)); and output of scripts as such lines.
 */
#ifndef SPILE_BASE_MESSAGE_H
#define SPILE_BASE_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/base/json_text.h"

enum message_level { MESSAGE_ERROR, MESSAGE_WARNING, MESSAGE_NOTE, MESSAGE_LEVEL_COUNT_ };

/** Print all messages of this process as JSON on a stream, which is flushed after each; NULL: as text again. */
void messages_use_json(FILE *to);
/** Are messages lines of JSON on standard output? */
bool messages_are_json(void);

/** Print a message; the hint may be NULL, and @p alternatives, names that the hint suggests, ends with NULL. */
void message_print(enum message_level level, const char *text, const char *hint, char *const *alternatives);

struct message_place {
	const char *file; /* NULL: no place */
	int line, column;
};

/** Print a message as a line of JSON with its place. The hint may be NULL. */
void message_print_at(enum message_level level, const char *text, const struct message_place *place, const char *hint);

/**
 * Write output of a script as a line of JSON.
 *
 * @param[in] is_of_command A command of the script printed it.
 */
void message_output(FILE *to, const char *text, size_t length, bool is_of_command);

/**
 * Write text of a message, with escapes for what terminals act on: names of files, and what other programs print, may
 * contain anything.
 */
void message_put(FILE *out, const char *text);

/** Print a warning. The text has no prefix "WARNING". */
void message_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Write the beginning of a "message" line, up to its text; the caller adds members and ends it. */
void message_begin_line(struct json_writer *w, enum message_level level, const char *kind, const char *text);

#endif
