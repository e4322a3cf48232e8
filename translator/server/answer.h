/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a compile server answers; see answer.c. */
#ifndef SPILE_SERVER_ANSWER_H
#define SPILE_SERVER_ANSWER_H

#include <stdio.h>

#include "translator/server/protocol.h"
#include "translator/util/arena.h"
#include "translator/util/foreign.h"

/* What came of it; paths and texts of the arena. */
struct server_answer {
	int status; /* of stap there */
	struct release release; /* of the kernel that it was translated for, or "" */
	struct module_name module_name;
	const char *module_path; /* NULL: there is no module */
};

/* What has come so far. */
struct answer_reader {
	struct arena *arena;
	const char *work_folder;
	struct server_answer *answer;
	FILE *output, *messages; /* where the server's go: the standard streams, if nobody says otherwise */
	struct frame_reader frames;
	bool is_complete;
};

/** @p work_folder: where the module is put. */
void answer_init(struct answer_reader *reader, struct arena *arena, const char *work_folder,
		 struct server_answer *answer);
void answer_clear(struct answer_reader *reader);

/**
 * Bytes that have come: text goes on to its stream, the module and its signature into files of the work folder.
 *
 * @return What the server says is wrong; or ERROR_OTHER: that is no answer.
 */
struct error *answer_feed(struct answer_reader *reader, const void *data, size_t length);

/** Show what is not ours, at once, in the place of the progress line. */
void answer_show(FILE *to, const char *data, size_t length);

#endif
