/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request to a compile server; see request.c. */
#ifndef SPILE_WIRE_REQUEST_H
#define SPILE_WIRE_REQUEST_H

#include <glib.h>

#include "common/arena.h"
#include "common/base/foreign.h"
#include "common/wire/protocol.h"

struct request_option {
	const char *name; /* a letter, or a long name without "--" */
	const char *argument; /* NULL: no argument */
};

struct request_file {
	const char *name; /* relative to its directory; "" for an item that is a file */
	const char *data;
	size_t length;
};

/* A directory or a file sent by the client. */
struct request_item {
	bool is_directory;
	const char *path; /* absolute, without "." and ".." */
	GPtrArray *files; /* of struct request_file *; exactly one for a file */
};

/* All strings and arrays belong to the arena. */
struct request {
	struct arena *arena;
	const char *version;
	const char *directory; /* the client's working directory, absolute */
	GPtrArray *environment; /* of const char *: NAME=VALUE */
	struct release release; /* of the kernel, or its beginning */
	struct build_id build_id; /* of the kernel; "" if unknown */
	int last_pass; /* 1 to 4; 0: not received yet */
	GPtrArray *options; /* of struct request_option *, in order */
	GPtrArray *items; /* of struct request_item * */
	const char *script; /* path as given on the command line; "-": see `input`; NULL: an option has the script */
	const char *input;
	size_t input_length;
	GPtrArray *arguments; /* of const char * */
	bool is_complete;
	size_t file_count;
};

void request_init(struct request *request, struct arena *arena);

/**
 * Check a received frame and add its content to the request. Frames must arrive in order.
 *
 * @return ERROR_UNSUPPORTED for another protocol version; ERROR_OTHER if the frame is invalid. Discard the request
 *         after an error.
 */
struct error *request_add(struct request *request, enum frame_kind kind, const char *data, size_t length);

/** Append the request to a buffer as frames. */
void request_append(const struct request *request, GByteArray *to);

/** Return whether the server's stap may get a variable of the client's environment. @p entry is "NAME=VALUE". */
bool request_may_have_variable(const char *entry);

/** The names of those variables, NULL-terminated. */
extern const char *const request_variables[];

#endif
