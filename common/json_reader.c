// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The JSON reader (see json_reader.h). It is strict, because a lenient reader turns a damaged line into wrong numbers.
 *
 * It is our own because libraries build a tree of a line, which for 50,000 stacks takes gigabytes, end strings at
 * "\u0000", and wrap integers that are too large.
 */
#include "common/json_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/i18n.h"
#include "common/base/utf8.h"

enum { DEEPEST = 64 };

/* Classes of bytes. PLAIN: it stands for itself in a string. The classes of VALUE: it may begin such a value. */
enum {
	PLAIN = 1 << 0,
	SPACE = 1 << 1,
	OBJECT = 1 << 2,
	ARRAY = 1 << 3,
	STRING = 1 << 4,
	BOOLEAN = 1 << 5,
	NOTHING = 1 << 6, /* null */
	NUMBER = 1 << 7,
	VALUE = OBJECT | ARRAY | STRING | BOOLEAN | NOTHING | NUMBER,
};

static const unsigned char byte_classes[256] = {
	['\t' ... '\n'] = SPACE, ['\r'] = SPACE,	  [' '] = SPACE | PLAIN,
	['!'] = PLAIN,		 ['"'] = STRING,	  ['#' ... ','] = PLAIN,
	['-'] = NUMBER | PLAIN,	 ['.' ... '/'] = PLAIN,	  ['0' ... '9'] = NUMBER | PLAIN,
	[':' ... 'Z'] = PLAIN,	 ['['] = ARRAY | PLAIN,	  [']' ... 'e'] = PLAIN,
	['f'] = BOOLEAN | PLAIN, ['g' ... 'm'] = PLAIN,	  ['n'] = NOTHING | PLAIN,
	['o' ... 's'] = PLAIN,	 ['t'] = BOOLEAN | PLAIN, ['u' ... 'z'] = PLAIN,
	['{'] = OBJECT | PLAIN,	 ['|' ... 0x7f] = PLAIN,
};

static inline bool is(char byte, unsigned int classes)
{
	return byte_classes[(unsigned char)byte] & classes;
}

void json_reader_init(struct json_reader *reader, const char *text, size_t length)
{
	*reader = (struct json_reader){.start = text, .at = text, .end = text + length, .buffer = g_string_new(NULL)};
}

void json_reader_clear(struct json_reader *reader)
{
	g_string_free(reader->buffer, TRUE);
	g_free(reader->mistake);
}

void json_fail(struct json_reader *reader, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	if (reader->mistake)
		return;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	/* TRANSLATORS: the column of a mistake in a line, then the mistake */
	reader->mistake = g_strdup_printf(_("column %zu: %s"), (size_t)(reader->at - reader->start) + 1, text);
}

static void skip_space(struct json_reader *reader)
{
	while (reader->at < reader->end && is(*reader->at, SPACE))
		reader->at++;
}

char json_peek(struct json_reader *reader)
{
	if (reader->mistake)
		return 0;
	skip_space(reader);
	if (reader->at == reader->end) {
		json_fail(reader, _("the line ends within a value"));
		return 0;
	}
	if (!is(*reader->at, VALUE)) {
		json_fail(reader, _("a value is expected"));
		return 0;
	}
	return *reader->at;
}

/* Skip one punctuation character. Return false if there is another. */
static bool take(struct json_reader *reader, char character)
{
	if (reader->mistake)
		return false;
	skip_space(reader);
	if (reader->at == reader->end || *reader->at != character)
		return false;
	reader->at++;
	return true;
}

static void expect(struct json_reader *reader, char character)
{
	if (take(reader, character))
		return;
	if (reader->at == reader->end)
		json_fail(reader, _("the line ends where '%c' is expected"), character);
	else
		json_fail(reader, _("'%c' is expected"), character);
}

/*
 * Enter an object or array, or go to its next element. The opening bracket precedes the first one, a comma all others.
 */
static bool next_element(struct json_reader *reader, char open, char close)
{
	bool is_first = !reader->is_after_value;

	reader->is_after_value = false;
	if (is_first) {
		expect(reader, open);
		if (++reader->depth > DEEPEST)
			json_fail(reader, _("values are nested too deeply"));
		if (!take(reader, close))
			return !reader->mistake;
	} else if (!take(reader, close)) {
		if (take(reader, ','))
			return true;
		expect(reader, close);
		return false;
	}
	reader->depth--;
	reader->is_after_value = true;
	return false;
}

/* Report whether the next value is of a class. @p kind names the class in the message, before translation. */
static bool check_kind(struct json_reader *reader, unsigned int class, const char *kind)
{
	char first = json_peek(reader);

	if (!first)
		return false;
	if (is(first, class))
		return true;
	json_fail(reader, _("%s is expected"), _(kind));
	return false;
}

bool json_next_member(struct json_reader *reader, struct json_bytes *name)
{
	*name = (struct json_bytes){"", 0};
	if (reader->mistake || (!reader->is_after_value && !check_kind(reader, OBJECT, N_("an object"))))
		return false;
	if (!next_element(reader, '{', '}'))
		return false;
	*name = json_read_string(reader);
	expect(reader, ':');
	reader->is_after_value = false;
	return !reader->mistake;
}

bool json_next_item(struct json_reader *reader)
{
	if (reader->mistake || (!reader->is_after_value && !check_kind(reader, ARRAY, N_("an array"))))
		return false;
	return next_element(reader, '[', ']');
}

static unsigned int read_four_digits(struct json_reader *reader)
{
	unsigned int code = 0;

	for (int i = 0; i < 4; i++) {
		int digit = reader->at < reader->end ? g_ascii_xdigit_value(*reader->at) : -1;

		if (digit < 0) {
			json_fail(reader, _("four hexadecimal digits are expected"));
			return 0;
		}
		code = code << 4 | digit;
		reader->at++;
	}
	return code;
}

/* Read what follows "\u". A character outside of the first plane consists of two surrogates. */
static void read_code_point(struct json_reader *reader)
{
	unsigned int code = read_four_digits(reader), low;

	if (code >= 0xd800 && code < 0xdc00) {
		if (reader->end - reader->at < 2 || reader->at[0] != '\\' || reader->at[1] != 'u') {
			json_fail(reader, _("half of a surrogate pair is missing"));
			return;
		}
		reader->at += 2;
		low = read_four_digits(reader);
		if (low < 0xdc00 || low > 0xdfff) {
			json_fail(reader, _("half of a surrogate pair is missing"));
			return;
		}
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	} else if (code >= 0xdc00 && code < 0xe000) {
		json_fail(reader, _("half of a surrogate pair is missing"));
		return;
	}
	if (!code)
		g_string_append_c(reader->buffer, '\0');
	else
		g_string_append_unichar(reader->buffer, code);
}

static void read_escape(struct json_reader *reader)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	char letter = reader->at < reader->end ? *reader->at : '\0';
	const char *found = letter ? strchr(letters, letter) : NULL;

	if (letter == 'u') {
		reader->at++;
		read_code_point(reader);
	} else if (found) {
		reader->at++;
		g_string_append_c(reader->buffer, meanings[found - letters]);
	} else {
		json_fail(reader, _("unknown escape sequence"));
	}
}

/* Skip bytes that stand for themselves. Return false at a mistake. */
static bool skip_plain_bytes(struct json_reader *reader)
{
	while (reader->at < reader->end && *reader->at != '"' && *reader->at != '\\') {
		unsigned int code;
		size_t size;

		if (is(*reader->at, PLAIN)) {
			reader->at++;
			continue;
		}
		size = utf8_character(reader->at, reader->end - reader->at, &code);
		if (!size || code < 0x20) {
			json_fail(reader, size ? _("control character in a string") : _("string is not UTF-8"));
			return false;
		}
		reader->at += size;
	}
	if (reader->at < reader->end)
		return true;
	json_fail(reader, _("the line ends within a string"));
	return false;
}

struct json_bytes json_read_string(struct json_reader *reader)
{
	const char *start;

	if (!check_kind(reader, STRING, N_("a string")))
		return (struct json_bytes){"", 0};
	start = ++reader->at;
	reader->is_after_value = true;
	if (!skip_plain_bytes(reader))
		return (struct json_bytes){"", 0};
	if (*reader->at == '"')
		return (struct json_bytes){start, reader->at++ - start};
	g_string_truncate(reader->buffer, 0);
	for (;;) {
		g_string_append_len(reader->buffer, start, reader->at - start);
		if (*reader->at++ == '"')
			return (struct json_bytes){reader->buffer->str, reader->buffer->len};
		read_escape(reader);
		start = reader->at;
		if (reader->mistake || !skip_plain_bytes(reader))
			return (struct json_bytes){"", 0};
	}
}

static bool skip_digits(const char **at, const char *end)
{
	const char *start = *at;

	while (*at < end && g_ascii_isdigit(**at))
		(*at)++;
	return *at > start;
}

/* Find the end of a number. Return NULL if it is malformed; report whether it is an integer. */
static const char *number_end(const struct json_reader *reader, bool *is_integer)
{
	const char *at = reader->at, *end = reader->end;

	*is_integer = true;
	if (at < end && *at == '-')
		at++;
	if (at < end && *at == '0')
		at++;
	else if (!skip_digits(&at, end))
		return NULL;
	if (at < end && *at == '.') {
		*is_integer = false;
		at++;
		if (!skip_digits(&at, end))
			return NULL;
	}
	if (at < end && (*at == 'e' || *at == 'E')) {
		*is_integer = false;
		at++;
		if (at < end && (*at == '+' || *at == '-'))
			at++;
		if (!skip_digits(&at, end))
			return NULL;
	}
	return at < end && (g_ascii_isalnum(*at) || *at == '.') ? NULL : at;
}

struct number {
	const char *start, *end; /* NULL: a mistake */
	bool is_integer;
};

static struct number read_number(struct json_reader *reader)
{
	struct number number = {.start = NULL};
	const char *end;

	if (!check_kind(reader, NUMBER, N_("a number")))
		return number;
	end = number_end(reader, &number.is_integer);
	if (!end) {
		json_fail(reader, _("malformed number"));
		return number;
	}
	number.start = reader->at;
	number.end = reader->at = end;
	reader->is_after_value = true;
	return number;
}

/* Return false if the integer does not fit. */
static bool integer_value(const struct number *number, int64_t *value)
{
	bool is_negative = *number->start == '-';
	uint64_t sum = 0;

	for (const char *at = number->start + is_negative; at < number->end; at++)
		if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, *at - '0', &sum))
			return false;
	*value = is_negative ? (int64_t)-sum : (int64_t)sum;
	return sum <= (uint64_t)INT64_MAX + is_negative;
}

int64_t json_read_integer(struct json_reader *reader)
{
	struct number number = read_number(reader);
	g_autofree char *text = NULL;
	int64_t value;

	if (!number.start)
		return 0;
	if (number.is_integer && integer_value(&number, &value))
		return value;
	text = g_strndup(number.start, number.end - number.start);
	if (number.is_integer)
		json_fail(reader, _("the number '%.40s' does not fit in 64 bits"), text);
	else
		json_fail(reader, _("an integer is expected, not '%.40s'"), text);
	return 0;
}

double json_read_real(struct json_reader *reader)
{
	struct number number = read_number(reader);
	g_autofree char *text = g_strndup(number.start, number.end - number.start);
	double value = text ? g_ascii_strtod(text, NULL) : 0;

	if (isfinite(value))
		return value;
	json_fail(reader, _("the number '%.40s' is too large"), text);
	return 0;
}

static bool take_word(struct json_reader *reader, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length))
		return false;
	reader->at += length;
	reader->is_after_value = true;
	return true;
}

bool json_read_boolean(struct json_reader *reader)
{
	if (!check_kind(reader, BOOLEAN, N_("true or false")))
		return false;
	if (take_word(reader, "true"))
		return true;
	if (!take_word(reader, "false"))
		json_fail(reader, _("unknown word"));
	return false;
}

bool json_read_null(struct json_reader *reader)
{
	if (json_peek(reader) != 'n')
		return false;
	if (!take_word(reader, "null"))
		json_fail(reader, _("unknown word"));
	return !reader->mistake;
}

static void skip_number(struct json_reader *reader)
{
	bool is_integer;
	const char *end = number_end(reader, &is_integer);

	if (!end) {
		json_fail(reader, _("malformed number"));
		return;
	}
	reader->at = end;
	reader->is_after_value = true;
}

void json_skip(struct json_reader *reader)
{
	struct json_bytes name;

	switch (json_peek(reader)) {
	case '{':
		while (json_next_member(reader, &name))
			json_skip(reader);
		break;
	case '[':
		while (json_next_item(reader))
			json_skip(reader);
		break;
	case '"':
		json_read_string(reader);
		break;
	case 't':
	case 'f':
		json_read_boolean(reader);
		break;
	case 'n':
		json_read_null(reader);
		break;
	case 0:
		break;
	default:
		skip_number(reader);
	}
}

void json_finish(struct json_reader *reader)
{
	if (reader->mistake)
		return;
	skip_space(reader);
	if (reader->at < reader->end)
		json_fail(reader, _("text after the value"));
}
