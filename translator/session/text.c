// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts that are being edited; see text.h. A line ends with "\n" or "\r\n", as for the lexer. */
#include "translator/session/text.h"

#include <string.h>

#include "common/base/utf8.h"

static void find_lines(struct text *text)
{
	const char *bytes = text->bytes->str, *end = bytes + text->bytes->len;
	size_t offset = 0;

	g_array_set_size(text->lines, 0);
	g_array_append_val(text->lines, offset);
	for (const char *p = bytes; (p = memchr(p, '\n', (size_t)(end - p)));) {
		offset = (size_t)(++p - bytes);
		g_array_append_val(text->lines, offset);
	}
}

void text_init(struct text *text, const char *bytes, size_t length)
{
	text->bytes = g_string_new_len(bytes, (gssize)length);
	text->lines = g_array_new(FALSE, FALSE, sizeof(size_t));
	find_lines(text);
}

void text_clear(struct text *text)
{
	g_string_free(text->bytes, TRUE);
	g_array_unref(text->lines);
}

void text_replace(struct text *text, size_t from, size_t to, const char *with, size_t length)
{
	to = MIN(to, text->bytes->len);
	from = MIN(from, to);
	g_string_erase(text->bytes, (gssize)from, (gssize)(to - from));
	g_string_insert_len(text->bytes, (gssize)from, with, (gssize)length);
	find_lines(text);
}

size_t text_line_begin(const struct text *text, size_t line)
{
	return line < text->lines->len ? g_array_index(text->lines, size_t, line) : text->bytes->len;
}

size_t text_line_end(const struct text *text, size_t line)
{
	size_t begin = text_line_begin(text, line), end;

	if (line + 1 >= text->lines->len)
		return text->bytes->len;
	end = text_line_begin(text, line + 1) - 1;
	return end > begin && text->bytes->str[end - 1] == '\r' ? end - 1 : end;
}

size_t text_line(const struct text *text, size_t offset)
{
	guint low = 0, high = text->lines->len;

	while (high - low > 1) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(text->lines, size_t, middle) <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Return the bytes of the character at @p text, and how many units of UTF-16 it has. Invalid bytes have one each. */
static size_t character(const char *text, size_t left, uint32_t *units)
{
	unsigned int code;
	size_t length = utf8_character(text, left, &code);

	*units = length == 4 ? 2 : 1;
	return MAX(length, 1);
}

size_t text_offset(const struct text *text, struct position position, enum encoding encoding)
{
	size_t offset = text_line_begin(text, position.line), end = text_line_end(text, position.line);
	uint32_t units, passed = 0;

	if (encoding == ENCODING_UTF8)
		return MIN(end, offset + position.character);
	while (offset < end && passed < position.character) {
		offset += character(text->bytes->str + offset, end - offset, &units);
		passed += units;
	}
	return MIN(offset, end);
}

struct position text_position(const struct text *text, size_t offset, enum encoding encoding)
{
	size_t line = text_line(text, offset), at = text_line_begin(text, line), end;
	struct position position = {.line = (uint32_t)line};
	uint32_t units;

	end = MIN(offset, text_line_end(text, line));
	if (encoding == ENCODING_UTF8) {
		position.character = (uint32_t)(end - at);
		return position;
	}
	for (; at < end; position.character += units)
		at += character(text->bytes->str + at, text->bytes->len - at, &units);
	return position;
}
