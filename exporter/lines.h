/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Split a stream of bytes into lines of limited length. */
#ifndef SPILE_EXPORTER_LINES_H
#define SPILE_EXPORTER_LINES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct line_buffer {
	GString *rest; /* the beginning of a line */
	size_t longest; /* bytes */
	bool is_skipping; /* the rest of a line that is too long */
	uint64_t too_long; /* lines that were dropped */
};

typedef void line_function(void *context, const char *line, size_t length);

void lines_begin(struct line_buffer *lines, size_t longest);
void lines_end(struct line_buffer *lines);

/** Call the function for each line that the bytes complete, without its line feed, but with a NUL after it. */
void lines_feed(struct line_buffer *lines, const char *bytes, size_t length, line_function *each, void *context);

#endif
