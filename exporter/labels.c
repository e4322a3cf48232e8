// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Labels and names of metrics. Keys of scripts are bytes that a traced program may have chosen. A label's value is made
 * in three steps: bytes that are not printable UTF-8 become \xNN, a long value is cut, and the result is escaped as
 * both text formats want it. A cut value ends with '~' and a checksum of all bytes, so two long values with the same
 * beginning stay different series.
 */
#include "exporter/labels.h"

#include <string.h>

#include "common/base/utf8.h"

enum { MARK_LENGTH = 9 /* '~' and eight digits */ };

/* Is it a character of ASCII or ISO 8859 on which terminals act? The formats have an escape for a line feed. */
static bool is_control(unsigned int code)
{
	return (code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0);
}

/* Append the first character of the bytes in its safe form. Return its size in bytes. */
static size_t append_safe(GString *to, const char *bytes, size_t length)
{
	unsigned int code;
	size_t size = utf8_character(bytes, length, &code);

	if (size && !is_control(code)) {
		g_string_append_len(to, bytes, (gssize)size);
		return size;
	}
	size = size ?: 1;
	for (size_t i = 0; i < size; i++)
		g_string_append_printf(to, "\\x%02x", (unsigned char)bytes[i]);
	return size;
}

/* FNV-1a. */
static guint32 checksum(const char *bytes, size_t length)
{
	guint32 sum = 2166136261u;

	for (size_t i = 0; i < length; i++)
		sum = (sum ^ (unsigned char)bytes[i]) * 16777619u;
	return sum;
}

/* Return the safe form of the bytes, cut to the limit. */
static GString *safe_text(const char *bytes, size_t length, size_t limit, bool *is_cut)
{
	GString *text = g_string_new(NULL);
	size_t at = 0, whole = 0; /* whole: length of the text that leaves space for the mark */

	while (at < length && text->len <= limit) {
		at += append_safe(text, bytes + at, length - at);
		if (text->len + MARK_LENGTH <= limit)
			whole = text->len;
	}
	*is_cut = text->len > limit;
	if (*is_cut) {
		g_string_truncate(text, whole);
		g_string_append_printf(text, "~%08x", checksum(bytes, length));
	}
	return text;
}

bool label_append(GString *labels, const char *name, const char *bytes, size_t length,
		  const struct exporter_limits *limits)
{
	bool is_cut;
	GString *text = safe_text(bytes, length, (size_t)limits->label_length, &is_cut);

	g_string_append_printf(labels, "%s%s=\"", labels->len ? "," : "", name);
	for (size_t i = 0; i < text->len; i++) {
		char c = text->str[i];

		if (c == '\n')
			g_string_append(labels, "\\n");
		else if (c == '"' || c == '\\')
			g_string_append_printf(labels, "\\%c", c);
		else
			g_string_append_c(labels, c);
	}
	g_string_append_c(labels, '"');
	g_string_free(text, TRUE);
	return is_cut;
}

static bool is_name_character(char c, bool is_first, bool allows_colon)
{
	return g_ascii_isalpha(c) || c == '_' || (c == ':' && allows_colon) || (g_ascii_isdigit(c) && !is_first);
}

/* Colons are reserved for rules of Prometheus; names that we make have none. */
void metric_name_append(GString *name, const char *text)
{
	for (; *text; text++)
		g_string_append_c(name, is_name_character(*text, !name->len, false) ? *text : '_');
}

static bool is_name(const char *text, bool allows_colon)
{
	if (!*text)
		return false;
	for (const char *at = text; *at; at++)
		if (!is_name_character(*at, at == text, allows_colon))
			return false;
	return true;
}

bool is_metric_name(const char *text)
{
	return is_name(text, true);
}

bool is_label_name(const char *text)
{
	return is_name(text, false);
}
