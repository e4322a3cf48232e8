// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The log of a compile server. Messages quote what clients send. So each is written as one line of printable
 * characters: a client can neither forge further lines nor reach the terminal of whoever reads the log.
 */
#include "server/log.h"

#include <glib.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum { LONGEST_LINE = 1000 /* characters */ };

/* Return whether a character is shown, and neither begins a line nor changes the direction of others. */
static bool is_plain(gunichar c)
{
	GUnicodeType type = g_unichar_type(c);

	return g_unichar_isprint(c) && type != G_UNICODE_LINE_SEPARATOR && type != G_UNICODE_PARAGRAPH_SEPARATOR &&
	       type != G_UNICODE_FORMAT;
}

char *log_line(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	GString *line = g_string_new(NULL);
	unsigned int count = 0;

	for (const char *at = valid; *at && count < LONGEST_LINE; at = g_utf8_next_char(at), count++) {
		gunichar c = g_utf8_get_char(at);

		g_string_append_unichar(line, is_plain(c) ? c : '?');
	}
	return g_string_free(line, FALSE);
}

void server_log(const char *format, ...)
{
	g_autofree char *text = NULL, *line = NULL;
	va_list values;

	va_start(values, format);
	text = g_strdup_vprintf(format, values);
	va_end(values);
	line = log_line(text);
	/* In one call, because several processes write to the log. */
	fprintf(stderr, "%s\n", line);
}
