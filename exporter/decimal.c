// SPDX-License-Identifier: GPL-2.0-or-later
/* Decimal numbers as text; see decimal.h. */
#include "exporter/decimal.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

char *decimal_scaled(int64_t value, unsigned int exponent)
{
	/* Negating the smallest number as unsigned is defined. */
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value, unit = 1;
	const char *sign = value < 0 ? "-" : "";
	GString *text;

	for (unsigned int i = 0; i < exponent; i++)
		unit *= 10;
	text = g_string_new(NULL);
	g_string_printf(text, "%s%" PRIu64, sign, magnitude / unit);
	if (magnitude % unit) {
		g_string_append_printf(text, ".%0*" PRIu64, (int)exponent, magnitude % unit);
		while (text->str[text->len - 1] == '0')
			g_string_truncate(text, text->len - 1);
	}
	return g_string_free(text, FALSE);
}

static char *special(double value)
{
	return g_strdup(isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf");
}

char *decimal_scaled_double(double value, unsigned int exponent)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	if (!isfinite(value))
		return special(value);
	for (unsigned int i = 0; i < exponent; i++)
		value /= 10;
	return g_strdup(g_ascii_dtostr(text, sizeof(text), value));
}

char *decimal_parse(const char *text)
{
	char *end;
	double value = g_ascii_strtod(text, &end);

	/* strtod() also accepts white space in front, hexadecimal numbers and nan(...). */
	if (end == text || *end || g_ascii_isspace(*text) || strpbrk(text, "xX()"))
		return NULL;
	/* A number that is too large for a double is finite in the text. */
	if (!g_ascii_isdigit(text[strcspn(text, "0123456789")]))
		return special(value);
	return g_strdup(*text == '+' ? text + 1 : text);
}
