// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON writer (see json_writer.h). Commas, line breaks and indentation are its business. */
#include "report/json_writer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/base/utf8.h"

static void new_line(struct json_writer *json)
{
	if (json->style != JSON_INDENTED)
		return;
	g_string_append_c(json->out, '\n');
	for (guint i = 0; i < json->depth; i++)
		g_string_append(json->out, "  ");
}

/* Write what precedes a value or a member's name. */
static void begin_value(struct json_writer *json)
{
	if (json->is_after_name) {
		json->is_after_name = FALSE;
		return;
	}
	if (!json->is_first)
		g_string_append_c(json->out, ',');
	if (json->depth)
		new_line(json);
	json->is_first = FALSE;
}

void json_open(struct json_writer *json, char bracket)
{
	begin_value(json);
	g_string_append_c(json->out, bracket);
	json->depth++;
	json->is_first = TRUE;
}

void json_close(struct json_writer *json, char bracket)
{
	json->depth--;
	if (!json->is_first)
		new_line(json);
	g_string_append_c(json->out, bracket);
	json->is_first = FALSE;
}

void json_integer(struct json_writer *json, int64_t value)
{
	begin_value(json);
	g_string_append_printf(json->out, "%" PRId64, value);
}

void json_real(struct json_writer *json, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	begin_value(json);
	g_string_append(json->out, isfinite(value) ? g_ascii_dtostr(text, sizeof(text), value) : "null");
}

void json_boolean(struct json_writer *json, bool value)
{
	begin_value(json);
	g_string_append(json->out, value ? "true" : "false");
}

void json_null(struct json_writer *json)
{
	begin_value(json);
	g_string_append(json->out, "null");
}

/*
 * Must this character be escaped? In a page, "</script" and "<!--" would end or change the element that contains the
 * text, and old parsers of JavaScript take the separators U+2028 and U+2029 for line breaks. Characters that are not
 * printable are escaped everywhere, so that a terminal shows the text unchanged.
 */
static bool needs_escape(const struct json_writer *json, unsigned int code)
{
	if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029)
		return true;
	return json->style == JSON_EMBEDDED && (code == '<' || code == '>' || code == '&');
}

/* Write one character. @p bytes are its UTF-8. */
static void append_character(struct json_writer *json, unsigned int code, const char *bytes, size_t size)
{
	static const char letters[] = "\"\\bfnrt", meanings[] = "\"\\\b\f\n\r\t";
	const char *found = code && code < 0x80 ? strchr(meanings, code) : NULL;

	if (found)
		g_string_append_printf(json->out, "\\%c", letters[found - meanings]);
	else if (needs_escape(json, code))
		g_string_append_printf(json->out, "\\u%04x", code);
	else
		g_string_append_len(json->out, bytes, size);
}

static void append_quoted(struct json_writer *json, const char *bytes, size_t length)
{
	begin_value(json);
	g_string_append_c(json->out, '"');
	while (length) {
		unsigned int code;
		size_t size = utf8_character(bytes, length, &code);

		if (size)
			append_character(json, code, bytes, size);
		else
			g_string_append_printf(json->out, "\\\\x%02x", *(const unsigned char *)bytes);
		bytes += size ?: 1;
		length -= size ?: 1;
	}
	g_string_append_c(json->out, '"');
}

void json_string(struct json_writer *json, const char *text)
{
	append_quoted(json, text, strlen(text));
}

void json_name(struct json_writer *json, const char *name)
{
	json_string(json, name);
	g_string_append(json->out, json->style == JSON_INDENTED ? ": " : ":");
	json->is_after_name = TRUE;
}

static bool is_utf8(const struct text *text)
{
	size_t at = 0, size = 1;
	unsigned int code;

	for (; at < text->length && size; at += size)
		size = utf8_character(text->bytes + at, text->length - at, &code);
	return size;
}

void json_text(struct json_writer *json, const struct text *text)
{
	g_autofree char *encoded = NULL;

	if (!text) {
		json_null(json);
	} else if (is_utf8(text)) {
		append_quoted(json, text->bytes, text->length);
	} else {
		encoded = g_base64_encode((const guchar *)text->bytes, text->length);
		json_open(json, '{');
		json_name(json, "base64");
		json_string(json, encoded);
		json_close(json, '}');
	}
}

void json_shown_text(struct json_writer *json, const struct text *text)
{
	if (text)
		append_quoted(json, text->bytes, text->length);
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

char *text_to_show(const struct text *text, size_t *length)
{
	GString *out = g_string_new(NULL);

	for (size_t at = 0; at < text->length;) {
		unsigned int code;
		size_t size = utf8_character(text->bytes + at, text->length - at, &code);

		if (!size)
			g_string_append_printf(out, "\\x%02x", (unsigned char)text->bytes[at]);
		else if (is_hidden(code))
			g_string_append_printf(out, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
		else
			g_string_append_len(out, text->bytes + at, size);
		at += size ?: 1;
	}
	if (length)
		*length = out->len;
	return g_string_free(out, FALSE);
}
