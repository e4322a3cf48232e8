/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the answer of a compile server; see answer.c. */
#ifndef SPILE_CLIENT_ANSWER_H
#define SPILE_CLIENT_ANSWER_H

#include <stdio.h>

#include "common/arena.h"
#include "common/base/foreign.h"
#include "common/wire/protocol.h"

/* The result of a request; paths and strings belong to the arena. */
struct server_answer {
	int status; /* exit status of the server's stap */
	struct release release; /* the kernel that the script was translated for, or "" */
	struct module_name module_name;
	const char *module_path; /* NULL: no module */
};

/* The state of a partly received answer. */
struct answer_reader {
	struct arena *arena;
	const char *work_directory;
	struct server_answer *answer;
	FILE *output, *messages; /* receive the server's output and messages; by default the standard streams */
	struct frame_reader frames;
	bool is_complete;
};

/** Initialize a reader. The module is written to @p work_directory. */
void answer_init(struct answer_reader *reader, struct arena *arena, const char *work_directory,
		 struct server_answer *answer);
void answer_clear(struct answer_reader *reader);

/**
 * Process received bytes: forward text to its stream, and write the module and its signature to the work directory.
 *
 * @return The server's error, or ERROR_OTHER if the answer is invalid.
 */
struct error *answer_feed(struct answer_reader *reader, const void *data, size_t length);

/** Print foreign output at once, after clearing the progress line. */
void answer_show(FILE *to, const char *data, size_t length);

#endif
