/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of the Language Server Protocol: a header with the length of a JSON text, and the text. Messages are read when
 * they arrive, so that a request can be cancelled while it waits.
 */
#ifndef SPILE_LSP_INBOX_H
#define SPILE_LSP_INBOX_H

#include <glib.h>
#include <stdbool.h>

/* Larger messages, and longer headers, end the connection. */
enum { LARGEST_MESSAGE = 64 << 20, LONGEST_HEADER = 4096 };

struct inbox {
	GByteArray *bytes; /* that belong to no complete message yet */
	gsize used; /* of them */
	bool is_at_end;
	const char *mistake; /* why the rest of the input cannot be read; or NULL */
};

void inbox_init(struct inbox *inbox);
void inbox_clear(struct inbox *inbox);

/** Read what a descriptor has, once. Sets is_at_end after the last byte. */
void inbox_read(struct inbox *inbox, int fd);
/** Append bytes, as if they had been read. */
void inbox_feed(struct inbox *inbox, const void *bytes, gsize length);
/** Take the text of the next message; NULL if none is complete, or after a mistake. Free with g_free(). */
char *inbox_take(struct inbox *inbox, gsize *length);

/** Write a message. Return false if the reader closed the connection. */
bool frame_write(int fd, const char *text, gsize length);

#endif
