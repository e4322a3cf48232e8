// SPDX-License-Identifier: GPL-2.0-or-later
/* Split a stream of bytes into lines; see lines.h. */
#include "exporter/lines.h"

#include <string.h>

/* Keep no large buffer for a stream that once had a long line. */
enum { KEPT_SIZE = 64 << 10 };

void lines_begin(struct line_buffer *lines, size_t longest)
{
	*lines = (struct line_buffer){.rest = g_string_new(NULL), .longest = longest};
}

void lines_end(struct line_buffer *lines)
{
	if (lines->rest)
		g_string_free(lines->rest, TRUE);
	lines->rest = NULL;
}

static void empty(struct line_buffer *lines)
{
	if (lines->rest->allocated_len > KEPT_SIZE) {
		g_string_free(lines->rest, TRUE);
		lines->rest = g_string_new(NULL);
	}
	g_string_truncate(lines->rest, 0);
}

static void add(struct line_buffer *lines, const char *bytes, size_t length)
{
	if (lines->is_skipping)
		return;
	if (lines->rest->len + length <= lines->longest) {
		g_string_append_len(lines->rest, bytes, (gssize)length);
		return;
	}
	lines->is_skipping = true;
	lines->too_long++;
	empty(lines);
}

void lines_feed(struct line_buffer *lines, const char *bytes, size_t length, line_function *each, void *context)
{
	while (length) {
		const char *end = memchr(bytes, '\n', length);
		size_t size = end ? (size_t)(end - bytes) : length;

		add(lines, bytes, size);
		if (!end)
			return;
		if (!lines->is_skipping)
			each(context, lines->rest->str, lines->rest->len);
		lines->is_skipping = false;
		empty(lines);
		bytes += size + 1;
		length -= size + 1;
	}
}
