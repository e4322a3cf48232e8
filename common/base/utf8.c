// SPDX-License-Identifier: GPL-2.0-or-later
/* UTF-8 as Unicode wants it read: no character in more bytes than it needs, no surrogates. See utf8.h. */
#include "common/base/utf8.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "common/base/memory.h"

size_t utf8_character(const char *text, size_t length, unsigned int *code)
{
	static const unsigned int least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)text;
	size_t size = *bytes < 0x80   ? 1
		      : *bytes < 0xc2 ? 0
		      : *bytes < 0xe0 ? 2
		      : *bytes < 0xf0 ? 3
		      : *bytes < 0xf5 ? 4
				      : 0;

	*code = size < 2 ? *bytes : *bytes & (0xffu >> (size + 1));
	if (size < 2)
		return size;
	if (size > length)
		return 0;
	for (size_t i = 1; i < size; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (bytes[i] & 0x3f);
	}
	return *code < least[size] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0 : size;
}

/* Terminals also interpret the C1 control characters, both as UTF-8 and as single bytes. */
static bool is_control(unsigned int code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Copy a text, and escape the characters that @is_escaped selects. It gets UINT_MAX for invalid UTF-8. */
static char *escape(const char *text, bool (*is_escaped)(unsigned int code))
{
	static const size_t longest = sizeof("\\377") - 1;
	size_t left = strlen(text);
	char *escaped = memory_new(longest * left + 1, 1), *to = escaped;

	while (left) {
		unsigned int code;
		size_t size = utf8_character(text, left, &code), length = size ?: 1;

		if (!is_escaped(size ? code : UINT_MAX))
			to = mempcpy(to, text, length);
		else
			for (size_t i = 0; i < length; i++)
				to += sprintf(to, "\\%03o", (unsigned char)text[i]);
		text += length;
		left -= length;
	}
	return escaped;
}

static bool is_control_or_invalid(unsigned int code)
{
	return code == UINT_MAX || is_control(code);
}

char *utf8_escaped(const char *text)
{
	return escape(text, is_control_or_invalid);
}

static bool is_control_within_line(unsigned int code)
{
	return code != '\n' && code != '\t' && is_control(code);
}

char *utf8_escaped_lines(const char *text)
{
	return escape(text, is_control_within_line);
}

/* The locale knows the width of a character. What it cannot read, or show, counts as one column. */
int utf8_columns(const char *text)
{
	size_t left = strlen(text);
	mbstate_t state = {0};
	int width = 0;

	while (left) {
		wchar_t wide = 0;
		size_t size = mbrtowc(&wide, text, left, &state);
		bool is_valid = size <= left;
		int columns = is_valid ? wcwidth(wide) : 1;

		if (!is_valid) {
			size = 1;
			state = (mbstate_t){0};
		}
		width += columns < 0 ? 1 : columns;
		text += size;
		left -= size;
	}
	return width;
}

char *utf8_padded(const char *text, int columns)
{
	int spaces = abs(columns) - utf8_columns(text);

	if (spaces < 0)
		spaces = 0;
	return columns < 0 ? text_format("%s%*s", text, spaces, "") : text_format("%*s%s", spaces, "", text);
}
