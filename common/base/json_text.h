/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Write JSON text. Strings are escaped, so that no text can end its string early. Control characters that terminals act
 * on are escaped, too. JSON is UTF-8, but names of files and output of scripts are bytes.
 */
#ifndef SPILE_BASE_JSON_TEXT_H
#define SPILE_BASE_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The replacement for a text that is not UTF-8. */
enum json_invalid {
	JSON_REPLACED, /* a string with U+FFFD for each invalid byte */
	JSON_BASE64, /* an object {"base64": "..."} with all bytes */
	JSON_SHOWN, /* a string with the four characters \xNN for each invalid byte */
};

/** Write a string; @p invalid selects what is written if it is not UTF-8. */
void json_put_string(FILE *to, const char *text, size_t length, enum json_invalid invalid);

/* ---- objects and arrays ------------------------------------------------------------------------------------------ */

enum { JSON_DEEPEST = 16 };

enum json_style {
	JSON_COMPACT,
	JSON_EMBEDDED, /* compact, without the characters that could end an element of HTML */
};

/* Writes values, and the commas between them. Initialize "to", and "style" unless it is compact. */
struct json_writer {
	FILE *to;
	enum json_style style;
	unsigned int depth; /* of open objects and arrays */
	bool has_values[JSON_DEEPEST]; /* is a comma needed before the next value at this depth? */
	bool after_name; /* the next value belongs to a member whose name is written */
};

/** Begin and end a line with one object; end flushes nothing. */
void json_line_begin(struct json_writer *w, FILE *to, const char *type);
void json_line_end(struct json_writer *w);

void json_object_begin(struct json_writer *w);
void json_object_end(struct json_writer *w);
void json_array_begin(struct json_writer *w);
void json_array_end(struct json_writer *w);

/** Write the name of a member; its value must follow. */
void json_name(struct json_writer *w, const char *name);

/** Write values. A string that is not UTF-8 becomes {"base64": ...}; a text of NULL becomes null. */
void json_string(struct json_writer *w, const char *text, size_t length);
void json_text(struct json_writer *w, const char *text);
/** Write a string to be shown: invalid bytes become "\xNN". */
void json_shown(struct json_writer *w, const char *text, size_t length);
void json_number(struct json_writer *w, int64_t number);
/** Write a number with enough digits to be read back unchanged; null if it is not finite. */
void json_real(struct json_writer *w, double number);
void json_bool(struct json_writer *w, bool value);
void json_null(struct json_writer *w);
/** Write a value that is JSON already, except that it may contain invalid UTF-8, which becomes U+FFFD. */
void json_repaired(struct json_writer *w, const char *text);
/** Write an address as a string, "0x...", because readers with floating-point numbers would round it. */
void json_address(struct json_writer *w, uint64_t address);
/** Write the time of day in seconds with microseconds. */
void json_time_now(struct json_writer *w);

#endif
