/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write JSON: compact or indented, as a file or embedded in a page. */
#ifndef SPILE_REPORT_JSON_WRITER_H
#define SPILE_REPORT_JSON_WRITER_H

#include "report/recording.h"

enum json_style {
	JSON_COMPACT,
	JSON_INDENTED,
	JSON_EMBEDDED, /* compact, without characters that could end an element of HTML */
};

struct json_writer {
	GString *out;
	enum json_style style;
	guint depth;
	gboolean is_first, is_after_name;
};

#define JSON_WRITER(output, json_style)                                                                                \
	(struct json_writer)                                                                                           \
	{                                                                                                              \
		.out = (output), .style = (json_style), .is_first = TRUE                                               \
	}

void json_open(struct json_writer *json, char bracket);
void json_close(struct json_writer *json, char bracket);
void json_name(struct json_writer *json, const char *name);

void json_integer(struct json_writer *json, int64_t value);
void json_real(struct json_writer *json, double value);
void json_boolean(struct json_writer *json, bool value);
void json_null(struct json_writer *json);
/** Write a C string that is UTF-8. */
void json_string(struct json_writer *json, const char *text);
/** Write a text as the schema does: if it is not UTF-8, as an object with "base64". NULL is null. */
void json_text(struct json_writer *json, const struct text *text);
/** Write a text to be shown: bytes that are not UTF-8 become "\xNN". NULL is null. */
void json_shown_text(struct json_writer *json, const struct text *text);

/** Copy a text to be shown. The caller frees it; @p length may be NULL. */
char *text_to_show(const struct text *text, size_t *length);

#endif
