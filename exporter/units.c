// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Units of metrics. Prometheus wants base units, in full, as the end of a metric's name. Times become seconds, which is
 * exact because values are text (decimal.c). Other units keep their values and their names. The word "total" after, or
 * instead of, a unit says that the script only adds: the global is a counter. It cannot be known otherwise.
 */
#include "exporter/units.h"

#include <glib.h>
#include <string.h>

#include "exporter/labels.h"

enum { LONGEST_SUFFIX = 32 /* bytes */ };

static const struct {
	const char *name, *suffix;
	unsigned int exponent;
} units[] = {
	{"ns", "seconds", 9},  {"us", "seconds", 6},  {"ms", "seconds", 3}, {"s", "seconds", 0},
	{"bytes", "bytes", 0}, {"pages", "pages", 0}, {"count", NULL, 0},
};

/* Take the word "total" from the end of the text. */
static bool take_total(char *text)
{
	char *word = strrchr(text, ' ');

	word = word ? word + 1 : text;
	if (g_ascii_strcasecmp(word, "total"))
		return false;
	*word = '\0';
	g_strchomp(text);
	return true;
}

static char *suffix_of(const char *text)
{
	GString *suffix = g_string_new(NULL);
	g_autofree char *lower = g_ascii_strdown(text, -1);

	for (const char *at = lower; *at && suffix->len < LONGEST_SUFFIX; at++) {
		if (g_ascii_isalnum(*at))
			g_string_append_c(suffix, *at);
		else if (suffix->len && suffix->str[suffix->len - 1] != '_')
			g_string_append_c(suffix, '_');
	}
	while (suffix->len && suffix->str[suffix->len - 1] == '_')
		g_string_truncate(suffix, suffix->len - 1);
	return g_string_free(suffix, !suffix->len);
}

void unit_parse(const char *text, struct metric_unit *ret)
{
	g_autofree char *word = g_strstrip(g_strdup(text ?: ""));

	*ret = (struct metric_unit){.is_total = take_total(word)};
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (strcmp(word, units[i].name))
			continue;
		ret->suffix = g_strdup(units[i].suffix);
		ret->exponent = units[i].exponent;
		return;
	}
	ret->suffix = suffix_of(word);
}

void unit_clear(struct metric_unit *unit)
{
	g_free(unit->suffix);
	unit->suffix = NULL;
}

void unit_strip(const char *text, char *name)
{
	g_autofree char *word = g_strstrip(g_strdup(text ?: "")), *ending = NULL;

	take_total(word);
	ending = g_strconcat("_", word, NULL);
	if (*word && strlen(name) > strlen(ending) && g_str_has_suffix(name, ending))
		name[strlen(name) - strlen(ending)] = '\0';
}
