/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a compile server is asked for; see request.c. */
#ifndef SPILE_SERVER_REQUEST_H
#define SPILE_SERVER_REQUEST_H

#include <glib.h>

#include "translator/server/protocol.h"
#include "translator/util/arena.h"
#include "translator/util/foreign.h"

struct request_option {
	const char *name; /* a letter, or what stands behind "--" */
	const char *argument; /* NULL: it has none */
};

struct request_file {
	const char *name; /* in its folder; "" for an item that is a file */
	const char *data;
	size_t length;
};

/* A folder or a file of the client's. */
struct request_item {
	bool is_folder;
	const char *path; /* absolute, without "." and ".." */
	GPtrArray *files; /* of struct request_file *; of a file: one */
};

/* All texts and arrays are of the arena. */
struct request {
	struct arena *arena;
	const char *version;
	const char *folder; /* where the client was: absolute */
	GPtrArray *environment; /* of const char *: NAME=VALUE */
	struct release release; /* of the kernel, or its beginning */
	struct build_id build_id; /* of the kernel; "": not known */
	int last_pass; /* 1 to 4; 0: not said yet */
	GPtrArray *options; /* of struct request_option *, in their order */
	GPtrArray *items; /* of struct request_item * */
	const char *script; /* its path as it was given; "-": `input`; NULL: an option has it */
	const char *input;
	size_t input_length;
	GPtrArray *arguments; /* of const char * */
	bool is_complete;
	size_t file_count;
};

void request_init(struct request *request, struct arena *arena);

/**
 * A frame that has come, in its turn: is checked for itself and copied.
 *
 * @return ERROR_UNSUPPORTED: another version of the protocol; ERROR_OTHER: it cannot be that way, and what was asked
 * for is to be forgotten.
 */
struct error *request_add(struct request *request, enum frame_kind kind, const char *data, size_t length);

/** As frames, behind what is there. */
void request_append(const struct request *request, GByteArray *to);

/** May a variable of the client's environment reach the stap of a server? @p entry: "NAME=VALUE". */
bool request_may_have_variable(const char *entry);

/** Names of those variables, up to a NULL. */
extern const char *const request_variables[];

#endif
