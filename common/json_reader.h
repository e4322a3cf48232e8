/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read one JSON text (RFC 8259) from memory, value by value. The caller asks for what it expects, and skips the rest:
 *
 *	while (json_next_member(reader, &name))
 *		if (json_bytes_are(&name, "time"))
 *			time = json_read_time(reader);
 *		else
 *			json_skip(reader);
 *
 * The first mistake is kept in the reader. After it, all functions return 0, false or an empty text, so that only the
 * end needs to check. Strings may contain NUL bytes. Integers have 64 bits; others are an error, not a wrong value.
 */
#ifndef SPILE_COMMON_JSON_READER_H
#define SPILE_COMMON_JSON_READER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct json_bytes {
	const char *bytes;
	size_t length;
};

struct json_reader {
	const char *start, *at, *end;
	GString *buffer; /* the last string that contained escapes */
	unsigned int depth;
	bool is_after_value; /* a comma or closing bracket follows, and no value */
	char *mistake; /* NULL: none so far; else with the column */
};

void json_reader_init(struct json_reader *reader, const char *text, size_t length);
void json_reader_clear(struct json_reader *reader);

/** Keep a mistake at the current place, unless there was one before. */
void json_fail(struct json_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Return the first character of the next value: one of { [ " t f n, a digit or '-'; 0 if there is no value. */
char json_peek(struct json_reader *reader);

/**
 * Enter an object, or go to its next member. Call this in a loop, and read or skip the value each time.
 *
 * @param[out] name Valid until the next string is read.
 * @return false after the last member.
 */
bool json_next_member(struct json_reader *reader, struct json_bytes *name);

/** The same for the items of an array. */
bool json_next_item(struct json_reader *reader);

/** Read a string. It is valid until the next string is read. */
struct json_bytes json_read_string(struct json_reader *reader);
int64_t json_read_integer(struct json_reader *reader);
/** Read a number that may have a fraction. */
double json_read_real(struct json_reader *reader);
bool json_read_boolean(struct json_reader *reader);
/** Skip a null. Return false if the next value is something else. */
bool json_read_null(struct json_reader *reader);

/** Skip the next value, and check its syntax. */
void json_skip(struct json_reader *reader);

/** Check that nothing follows. */
void json_finish(struct json_reader *reader);

/* Inlined because it runs for each member of each object; the length of a word is then a constant. */
static inline bool json_bytes_are(const struct json_bytes *text, const char *word)
{
	return strlen(word) == text->length && !memcmp(text->bytes, word, text->length);
}

#endif
