// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts of a recording on the screen and in JSON (see texts.h). */
#include "report/texts.h"

#include <string.h>

#include "common/base/utf8.h"

void text_put(struct json_writer *json, const struct text *text)
{
	if (text)
		json_string(json, text->bytes, text->length);
	else
		json_null(json);
}

void text_put_shown(struct json_writer *json, const struct text *text)
{
	if (text)
		json_shown(json, text->bytes, text->length);
	else
		json_null(json);
}

/* Does a character control the terminal or the direction of text, or is it invisible? */
static bool is_hidden(unsigned int code)
{
	GUnicodeType type = g_unichar_type(code);

	return type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT || type == G_UNICODE_LINE_SEPARATOR ||
	       type == G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* Append a text to be shown; the characters of @p kept are not escaped. */
static GString *show(const struct text *text, const char *kept)
{
	GString *out = g_string_new(NULL);

	for (size_t at = 0; at < text->length;) {
		unsigned int code;
		size_t size = utf8_character(text->bytes + at, text->length - at, &code);

		if (!size)
			g_string_append_printf(out, "\\x%02x", (unsigned char)text->bytes[at]);
		else if (is_hidden(code) && !(code && code < 0x80 && strchr(kept, (int)code)))
			g_string_append_printf(out, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
		else
			g_string_append_len(out, text->bytes + at, size);
		at += size ?: 1;
	}
	return out;
}

char *text_to_show(const struct text *text, size_t *length)
{
	GString *out = show(text, "");

	if (length)
		*length = out->len;
	return g_string_free(out, FALSE);
}

char *text_to_show_lines(const struct text *text)
{
	return g_string_free(show(text, "\n\t"), FALSE);
}
