/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stap and a compile server say to each other, as bytes; see protocol.c. */
#ifndef SPILE_SERVER_PROTOCOL_H
#define SPILE_SERVER_PROTOCOL_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "translator/util/error.h"

/* Both sides must have the same one. */
#define SERVER_PROTOCOL_VERSION "spile 1"

/* A port of no other service's; as text, since that is how ports are given to getaddrinfo(). */
#define SERVER_STANDARD_PORT "7827"

enum {
	FRAME_HEAD_LENGTH = 5, /* the length of the data, the highest byte first, and the kind */
	REQUEST_MOST_BYTES = 8 << 20, /* of all frames of one; a server has many in memory */
	ANSWER_MOST_BYTES = 256 << 20,
};

/* What a frame is. Those of a request come in this order, but for the repeated ones. */
enum frame_kind {
	FRAME_VERSION = 'V', /* SERVER_PROTOCOL_VERSION */
	FRAME_FOLDER = 'L', /* the client's working folder */
	FRAME_ENVIRONMENT = 'E', /* NAME=VALUE */
	FRAME_KERNEL = 'K', /* release, NUL, build-id in hexadecimal digits or nothing */
	FRAME_PASS = 'P', /* the digit of the last one */
	FRAME_OPTION = 'O', /* its letter or name; with an argument: NUL, argument */
	FRAME_ITEM = 'I', /* 'd' or 'f', and the path of a folder or file of the client's */
	FRAME_FILE = 'F', /* of the latest item: name in that folder ("" if it is a file), NUL, content */
	FRAME_SCRIPT = 'S', /* the script's path as it was given */
	FRAME_INPUT = 'i', /* the script itself, from standard input */
	FRAME_ARGUMENT = 'A', /* of the script */
	FRAME_END = '.',

	/* Of an answer. */
	FRAME_CLIENT = 'C', /* within the server: the client's fingerprint, as TLS has it */
	FRAME_MESSAGES = 'm', /* for standard error */
	FRAME_OUTPUT = 'o', /* for standard output */
	FRAME_RELEASE = 'r', /* the kernel that was translated for */
	FRAME_NAME = 'n', /* of the module */
	FRAME_MODULE = 'k',
	FRAME_SIGNATURE = 's', /* of the module */
	FRAME_STATUS = 'x', /* how stap ended there, in decimal digits; the last frame */
	FRAME_ERROR = 'e', /* instead: message, NUL, hint or nothing */
};

/* Bytes as they come, and where the next frame begins in them. */
struct frame_reader {
	GByteArray *bytes;
	size_t used; /* by frames that were taken */
	size_t most; /* bytes of all frames together */
	size_t sum; /* of those that were taken */
};

void frame_reader_init(struct frame_reader *reader, size_t most);
void frame_reader_clear(struct frame_reader *reader);

/** Bytes that have come. */
void frame_reader_feed(struct frame_reader *reader, const void *data, size_t length);

/**
 * Take the next frame, if it is there as a whole.
 *
 * @param[out] kind 0: not yet.
 * @param[out] data Stays as it is up to the next call of one of these functions.
 * @return ERROR_OTHER: no such frame, or more than is allowed; what follows makes no sense.
 */
struct error *frame_reader_next(struct frame_reader *reader, enum frame_kind *kind, const char **data, size_t *length);

/** Write a frame behind what is there. */
void frame_append(GByteArray *to, enum frame_kind kind, const void *data, size_t length);

/** The same with two parts: a text, and behind its NUL the data. */
void frame_append_pair(GByteArray *to, enum frame_kind kind, const char *text, const void *data, size_t length);

/** The frame FRAME_ERROR of an error. */
void frame_append_error(GByteArray *to, const struct error *error);

#endif
