// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON text; see json_text.h. Without GLib, since the programs of staprun write JSON, too. Streams are not locked for
 * each piece: a whole line is written by one thread.
 */
#include "common/base/json_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/utf8.h"

/* ---- strings ----------------------------------------------------------------------------------------------------- */

/*
 * The characters of ASCII that are written as they are, with the styles for which they are; all others are escaped. In
 * HTML, "</script" and "<!--" end or change the element that contains the text.
 */
enum { COMPACT = 1 << JSON_COMPACT, EMBEDDED = 1 << JSON_EMBEDDED, ALWAYS = COMPACT | EMBEDDED };
static const unsigned char plain_characters[256] = {
	[' ' ... '!'] = ALWAYS,	 ['#' ... '%'] = ALWAYS, ['&'] = COMPACT,
	['\'' ... ';'] = ALWAYS, ['<'] = COMPACT,	 ['='] = ALWAYS,
	['>'] = COMPACT,	 ['?' ... '['] = ALWAYS, [']' ... '~'] = ALWAYS,
};

static size_t plain_length(const char *text, size_t length, enum json_style style)
{
	size_t plain = 0;

	while (plain < length && plain_characters[(unsigned char)text[plain]] >> style & 1)
		plain++;
	return plain;
}

/*
 * Write a character that is not plain. Also escape the control characters of ISO 8859 (U+009B begins terminal escapes
 * as ESC [ does), and the line separators of Unicode, which end a line in JavaScript and in some tools that read lines.
 */
static void put_character(FILE *to, const char *text, size_t size, unsigned int code)
{
	if (code == '"' || code == '\\')
		fprintf(to, "\\%c", (char)code);
	else if (code == '\n')
		fputs("\\n", to);
	else if (code < 0xa0 || code == 0x2028 || code == 0x2029)
		fprintf(to, "\\u%04x", code);
	else
		fwrite_unlocked(text, 1, size, to);
}

/* Write the characters of a string. */
static void put_text(FILE *to, const char *text, size_t length, enum json_invalid invalid, enum json_style style)
{
	while (length) {
		unsigned int code;
		size_t plain = plain_length(text, length, style);
		size_t size = plain ?: utf8_character(text, length, &code);

		if (plain)
			fwrite_unlocked(text, 1, plain, to);
		else if (size)
			put_character(to, text, size, code);
		else if (invalid == JSON_SHOWN)
			fprintf(to, "\\\\x%02x", *(const unsigned char *)text);
		else
			fputs("\\ufffd", to);
		text += size ? size : 1;
		length -= size ? size : 1;
	}
}

static bool is_utf8(const char *text, size_t length)
{
	while (length) {
		unsigned int code;
		size_t size = plain_length(text, length, JSON_COMPACT) ?: utf8_character(text, length, &code);

		if (!size)
			return false;
		text += size;
		length -= size;
	}
	return true;
}

/* RFC 4648, section 4. */
static void put_base64(FILE *to, const char *text, size_t length)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *bytes = (const unsigned char *)text;

	for (size_t i = 0; i < length; i += 3) {
		size_t left = length - i;
		unsigned int group =
			bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);

		putc_unlocked(digits[group >> 18], to);
		putc_unlocked(digits[group >> 12 & 63], to);
		putc_unlocked(left > 1 ? digits[group >> 6 & 63] : '=', to);
		putc_unlocked(left > 2 ? digits[group & 63] : '=', to);
	}
}

static void put_string(FILE *to, const char *text, size_t length, enum json_invalid invalid, enum json_style style)
{
	if (invalid == JSON_BASE64 && !is_utf8(text, length)) {
		fputs("{\"base64\":\"", to);
		put_base64(to, text, length);
		fputs("\"}", to);
		return;
	}
	putc_unlocked('"', to);
	put_text(to, text, length, invalid, style);
	putc_unlocked('"', to);
}

void json_put_string(FILE *to, const char *text, size_t length, enum json_invalid invalid)
{
	put_string(to, text, length, invalid, JSON_COMPACT);
}

/* ---- objects and arrays ------------------------------------------------------------------------------------------ */

/* Write what precedes a value or name: the comma, if one is needed. */
static void begin_value(struct json_writer *w)
{
	if (!w->after_name && w->has_values[w->depth])
		putc_unlocked(',', w->to);
	w->has_values[w->depth] = true;
	w->after_name = false;
}

static void begin_level(struct json_writer *w, char bracket)
{
	begin_value(w);
	putc_unlocked(bracket, w->to);
	w->depth++;
	assert(w->depth < JSON_DEEPEST);
	w->has_values[w->depth] = false;
}

static void end_level(struct json_writer *w, char bracket)
{
	assert(w->depth > 0 && !w->after_name);
	w->depth--;
	putc_unlocked(bracket, w->to);
}

void json_object_begin(struct json_writer *w)
{
	begin_level(w, '{');
}

void json_object_end(struct json_writer *w)
{
	end_level(w, '}');
}

void json_array_begin(struct json_writer *w)
{
	begin_level(w, '[');
}

void json_array_end(struct json_writer *w)
{
	end_level(w, ']');
}

void json_line_begin(struct json_writer *w, FILE *to, const char *type)
{
	*w = (struct json_writer){.to = to};
	json_object_begin(w);
	json_name(w, "type");
	json_text(w, type);
}

void json_line_end(struct json_writer *w)
{
	json_object_end(w);
	assert(w->depth == 0);
	putc_unlocked('\n', w->to);
}

void json_name(struct json_writer *w, const char *name)
{
	begin_value(w);
	put_string(w->to, name, strlen(name), JSON_REPLACED, w->style);
	putc_unlocked(':', w->to);
	w->after_name = true;
}

void json_string(struct json_writer *w, const char *text, size_t length)
{
	begin_value(w);
	put_string(w->to, text, length, JSON_BASE64, w->style);
}

void json_shown(struct json_writer *w, const char *text, size_t length)
{
	begin_value(w);
	put_string(w->to, text, length, JSON_SHOWN, w->style);
}

void json_text(struct json_writer *w, const char *text)
{
	if (text)
		json_string(w, text, strlen(text));
	else
		json_null(w);
}

/* A value has many numbers, and printf() takes ten times as long. */
void json_number(struct json_writer *w, int64_t number)
{
	uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
	char text[24], *at = text + sizeof(text);

	do
		*--at = '0' + left % 10;
	while (left /= 10);
	if (number < 0)
		*--at = '-';
	begin_value(w);
	fwrite_unlocked(at, 1, text + sizeof(text) - at, w->to);
}

void json_real(struct json_writer *w, double number)
{
	char text[32];

	if (!isfinite(number)) {
		json_null(w);
		return;
	}
	begin_value(w);
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	fputs(text, w->to);
}

void json_bool(struct json_writer *w, bool value)
{
	begin_value(w);
	fputs(value ? "true" : "false", w->to);
}

void json_null(struct json_writer *w)
{
	begin_value(w);
	fputs("null", w->to);
}

void json_repaired(struct json_writer *w, const char *text)
{
	size_t length = strlen(text);

	begin_value(w);
	while (length) {
		unsigned int code;
		size_t size = utf8_character(text, length, &code);

		if (size)
			fwrite_unlocked(text, 1, size, w->to);
		else
			fputs("\\ufffd", w->to);
		text += size ? size : 1;
		length -= size ? size : 1;
	}
}

void json_address(struct json_writer *w, uint64_t address)
{
	begin_value(w);
	fprintf(w->to, "\"0x%" PRIx64 "\"", address);
}

void json_time_now(struct json_writer *w)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	begin_value(w);
	fprintf(w->to, "%lld.%06ld", (long long)now.tv_sec, now.tv_nsec / 1000);
}
