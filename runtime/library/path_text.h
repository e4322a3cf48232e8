/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths that are written from their end to their beginning; see path_text.c. */
#ifndef SPILE_RUNTIME_LIBRARY_PATH_TEXT_H
#define SPILE_RUNTIME_LIBRARY_PATH_TEXT_H

#include "runtime/core/internal.h"

/* A path under construction, from the end of a string. */
struct path_text {
	char *text;
	unsigned int start; /* of the text so far */
	bool full;
};

/** Begin a path in a string of the script. */
void path_text_begin(struct path_text *path, char *to);

/** Put text before the path. What does not fit loses its beginning, and path->full is set. */
void path_text_put(struct path_text *path, const char *text, unsigned int length);

/** Move the path to the front of the string; make it empty if the script has an error. */
void path_text_end(struct stp_context *c, struct path_text *path);

/**
 * Load a string, of which only the bytes up to the NUL need be readable. On a fault, set an error of the script and
 * return false.
 */
bool path_text_load(struct stp_context *c, char *to, const char *from, unsigned int size);

#endif
