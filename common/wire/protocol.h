/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The protocol between stap and a compile server; see protocol.c. */
#ifndef SPILE_WIRE_PROTOCOL_H
#define SPILE_WIRE_PROTOCOL_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/base/error.h"

/* Client and server must use the same version. */
#define SERVER_PROTOCOL_VERSION "spile 1"

/* The default port, as a string for getaddrinfo(). */
#define SERVER_STANDARD_PORT "7827"

enum {
	FRAME_HEAD_LENGTH = 5, /* the length of the data, big-endian, and the kind */
	REQUEST_MOST_BYTES = 8 << 20, /* total of all frames of a request; a server holds many in memory */
	ANSWER_MOST_BYTES = 256 << 20,
};

/* Kinds of frames. Those of a request are in this order, apart from repetitions. */
enum frame_kind {
	FRAME_VERSION = 'V', /* SERVER_PROTOCOL_VERSION */
	FRAME_DIRECTORY = 'L', /* the client's working directory */
	FRAME_ENVIRONMENT = 'E', /* NAME=VALUE */
	FRAME_KERNEL = 'K', /* release, NUL, and the build-id in hexadecimal digits or nothing */
	FRAME_PASS = 'P', /* digit of the last pass */
	FRAME_OPTION = 'O', /* letter or name of an option; if it has an argument: NUL, argument */
	FRAME_ITEM = 'I', /* 'd' or 'f', and the path of a directory or file of the client */
	FRAME_FILE = 'F', /* of the latest item: name in that directory ("" if the item is a file), NUL, content */
	FRAME_SCRIPT = 'S', /* path of the script as given on the command line */
	FRAME_INPUT = 'i', /* the script itself, read from standard input */
	FRAME_ARGUMENT = 'A', /* of the script */
	FRAME_END = '.',

	/* Frames of an answer. */
	FRAME_CLIENT = 'C', /* within the server only: the client's fingerprint from TLS */
	FRAME_MESSAGES = 'm', /* for standard error */
	FRAME_OUTPUT = 'o', /* for standard output */
	FRAME_RELEASE = 'r', /* release of the kernel that the script was translated for */
	FRAME_NAME = 'n', /* of the module */
	FRAME_MODULE = 'k',
	FRAME_SIGNATURE = 's', /* of the module */
	FRAME_STATUS = 'x', /* exit status of the server's stap in decimal digits; the last frame */
	FRAME_ERROR = 'e', /* instead of a status: message, NUL, hint or nothing */
};

/* A buffer of received bytes, from which frames are taken. */
struct frame_reader {
	GByteArray *bytes;
	size_t used; /* bytes of frames already taken */
	size_t most; /* limit for the bytes of all frames together */
	size_t sum; /* total size of the frames taken so far */
};

void frame_reader_init(struct frame_reader *reader, size_t most);
void frame_reader_clear(struct frame_reader *reader);

/** Append received bytes. */
void frame_reader_feed(struct frame_reader *reader, const void *data, size_t length);

/**
 * Take the next frame if it is complete.
 *
 * @param[out] kind 0: no complete frame yet.
 * @param[out] data Valid until the next call of one of these functions.
 * @return ERROR_OTHER if the frame is unknown or too large; the stream cannot be read any further.
 */
struct error *frame_reader_next(struct frame_reader *reader, enum frame_kind *kind, const char **data, size_t *length);

/** Append a frame to a buffer. */
void frame_append(GByteArray *to, enum frame_kind kind, const void *data, size_t length);

/** Append a frame whose payload is a string, its NUL and the data. */
void frame_append_pair(GByteArray *to, enum frame_kind kind, const char *text, const void *data, size_t length);

/** Append the FRAME_ERROR of an error. */
void frame_append_error(GByteArray *to, const struct error *error);

#endif
