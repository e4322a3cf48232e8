// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * String functions for the tapset. Results are cut to MAXSTRINGLEN - 1 bytes. Result buffers must not be arguments,
 * unless stated otherwise.
 */
#include <linux/ctype.h>
#include <linux/siphash.h>

#include "runtime/core/context.h"
#include "runtime/core/internal.h"

void stp_substr(char *to, const char *text, stp_long start, stp_long length)
{
	stp_long have = strlen(text);

	to[0] = '\0';
	if (start < 0 || start >= have || length <= 0)
		return;
	length = min(length, have - start);
	memcpy(to, text + start, length);
	to[length] = '\0';
}

stp_long stp_string_at(struct stp_context *c, const char *text, stp_long position)
{
	if (position >= 0 && position < strlen(text))
		return (signed char)text[position]; /* char is unsigned in kernels since 6.2 */
	stp_error(c, "Position out of bounds");
	return 0;
}

stp_long stp_string_position(const char *text, const char *part)
{
	const char *found = strstr(text, part);

	return found ? found - text : -1;
}

void stp_string_replace(char *to, const char *text, const char *part, const char *by)
{
	size_t part_length = strlen(part), by_length = strlen(by), used = 0;

	while (*text && used + 1 < stp_script.string_size) {
		size_t room = stp_script.string_size - 1 - used;

		if (part_length && !strncmp(text, part, part_length)) {
			memcpy(to + used, by, min(by_length, room));
			used += min(by_length, room);
			text += part_length;
		} else {
			to[used++] = *text++;
		}
	}
	to[used] = '\0';
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */

/* Greater than the value of any digit. */
enum { NO_DIGIT = 16 };

static int digit_value(char c)
{
	if (isdigit(c))
		return c - '0';
	return isxdigit(c) ? tolower(c) - 'a' + 10 : NO_DIGIT;
}

/*
 * Convert like the kernel's own functions: no blanks and no "+" before the number, prefix 0x in base 16, base 0 to
 * detect the base, digits up to f. Overflow wraps, so that hexadecimal kernel addresses can be converted.
 */
stp_long stp_string_number(const char *text, stp_long base)
{
	u64 value = 0;
	bool negative = *text == '-';

	text += negative;
	if ((base == 0 || base == 16) && text[0] == '0' && tolower(text[1]) == 'x' &&
	    digit_value(text[2]) != NO_DIGIT) {
		text += 2;
		base = 16;
	} else if (base == 0) {
		base = *text == '0' ? 8 : 10;
	}
	if (base < 2)
		return 0;
	/* Stop at the NUL even if the base is larger than any digit. */
	for (; digit_value(*text) < min_t(stp_long, base, NO_DIGIT); text++)
		value = value * base + digit_value(*text);
	return negative ? -value : value;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* Return the length of the UTF-8 character (RFC 3629) at @p s, or 0 if it is invalid. */
static unsigned int utf8_length(const unsigned char *s)
{
	unsigned int length = s[0] < 0x80   ? 1
			      : s[0] < 0xc2 ? 0
			      : s[0] < 0xe0 ? 2
			      : s[0] < 0xf0 ? 3
			      : s[0] < 0xf5 ? 4
					    : 0;
	unsigned int i;

	for (i = 1; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* An overlong form, a surrogate, or beyond the last code point. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return length;
}

enum { JSON_SEQUENCE = 8 };

/* Write one character as in JSON (RFC 8259, section 7). Return how many bytes of the text it takes. */
static unsigned int json_escape(char sequence[JSON_SEQUENCE], const unsigned char *text)
{
	unsigned int length = utf8_length(text);

	if (!length)
		strcpy(sequence, "\\ufffd");
	else if (*text == '"' || *text == '\\')
		sprintf(sequence, "\\%c", *text);
	else if (*text == '\n')
		strcpy(sequence, "\\n");
	else if (*text == '\t')
		strcpy(sequence, "\\t");
	else if (*text < ' ' || *text == 0x7f)
		sprintf(sequence, "\\u%04x", *text);
	else
		sprintf(sequence, "%.*s", length, text);
	return length ?: 1;
}

void stp_quote_json(char *to, const char *from)
{
	size_t used = 0, room = stp_script.string_size - 1;
	char sequence[JSON_SEQUENCE];

	to[used++] = '"';
	while (*from) {
		from += json_escape(sequence, (const unsigned char *)from);
		if (used + strlen(sequence) + 1 > room)
			break;
		used += strscpy(to + used, sequence, JSON_SEQUENCE);
	}
	strcpy(to + used, "\"");
}

void stp_print_json(struct stp_context *c, const char *text, unsigned int length)
{
	const char *end = text + length;
	char sequence[JSON_SEQUENCE];

	stp_print(c, "\"", 1);
	while (text < end) {
		const char *start = text;

		while (text < end && *text >= ' ' && *text < 0x7f && *text != '"' && *text != '\\')
			text++;
		if (text > start) {
			stp_print(c, start, text - start);
		} else {
			text += json_escape(sequence, (const unsigned char *)text);
			stp_print(c, sequence, strlen(sequence));
		}
	}
	stp_print(c, "\"", 1);
}

/* ---- hashes ----------------------------------------------------------------------------------------------------- */

stp_ulong stp_keyed_hash(const stp_ulong key[2], const char *text, unsigned int length)
{
	siphash_key_t secret = {{key[0], key[1]}};

	return siphash(text, length, &secret);
}

/* ---- tokens ---------------------------------------------------------------------------------------------------- */

/* The rest of the string stays in the context until the handler ends (stp_script.keeps_tokens). */
void stp_tokenize(struct stp_context *c, char *to, const char *input, const char *delimiters)
{
	char *rest = c->tokens;
	size_t length;

	context_keeps(c);
	if (*input) {
		strscpy(c->tokens, input, stp_script.string_size);
		rest = c->tokens;
	}
	rest += strspn(rest, delimiters);
	length = strcspn(rest, delimiters);
	memcpy(to, rest, length);
	to[length] = '\0';
	rest += length;
	if (*rest)
		rest++; /* skip the delimiter, because the next call may have other delimiters */
	memmove(c->tokens, rest, strlen(rest) + 1);
}

void stp_format(char *to, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vscnprintf(to, stp_script.string_size, format, args);
	va_end(args);
}
