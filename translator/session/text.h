/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text that is being edited. Inside of a session, places are offsets in bytes. Editors count lines from 0, and the
 * characters of a line in bytes (UTF-8) or in units of two bytes (UTF-16).
 */
#ifndef SPILE_SESSION_TEXT_H
#define SPILE_SESSION_TEXT_H

#include <glib.h>
#include <stdint.h>

struct text {
	GString *bytes;
	GArray *lines; /* of size_t: the offset of each line; never empty */
};

enum encoding { ENCODING_UTF8, ENCODING_UTF16 };

struct position {
	uint32_t line, character;
};

void text_init(struct text *text, const char *bytes, size_t length);
void text_clear(struct text *text);

/** Replace the bytes from @p from up to @p to. Offsets after the end mean the end. */
void text_replace(struct text *text, size_t from, size_t to, const char *with, size_t length);

/** Return the offset of a position. A position after the end of a line or of the text means that end. */
size_t text_offset(const struct text *text, struct position position, enum encoding encoding);

/** Return the position of an offset. */
struct position text_position(const struct text *text, size_t offset, enum encoding encoding);

/** Return the number of the line of an offset, counted from 0. */
size_t text_line(const struct text *text, size_t offset);

/** Return the offset of a line's first byte, and of the byte after its last one without its end. */
size_t text_line_begin(const struct text *text, size_t line);
size_t text_line_end(const struct text *text, size_t line);

#endif
