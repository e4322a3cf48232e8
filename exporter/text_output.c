// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text formats of Prometheus: OpenMetrics 1.0, and the older one, version 0.0.4, here called classic. They differ
 * in the names of counters and infos, in types, in how bounds and times are written, and in the end mark.
 */
#include "exporter/text_output.h"

#include <inttypes.h>
#include <string.h>

#include "exporter/decimal.h"

const char *const text_content_types[TEXT_FORMAT_COUNT_] = {
	[TEXT_CLASSIC] = "text/plain; version=0.0.4; charset=utf-8",
	[TEXT_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

static const char *const type_names[TEXT_FORMAT_COUNT_][METRIC_TYPE_COUNT_] = {
	[TEXT_CLASSIC] =
		{
			[METRIC_UNKNOWN] = "untyped",
			[METRIC_GAUGE] = "gauge",
			[METRIC_COUNTER] = "counter",
			[METRIC_SUMMARY] = "summary",
			[METRIC_HISTOGRAM] = "histogram",
			[METRIC_INFO] = "gauge",
		},
	[TEXT_OPENMETRICS] =
		{
			[METRIC_UNKNOWN] = "unknown",
			[METRIC_GAUGE] = "gauge",
			[METRIC_COUNTER] = "counter",
			[METRIC_SUMMARY] = "summary",
			[METRIC_HISTOGRAM] = "histogram",
			[METRIC_INFO] = "info",
		},
};

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Return the suffix that the name of a family has in its TYPE and HELP lines. */
static const char *family_suffix(const struct metric_family *family, enum text_format format)
{
	if (format == TEXT_OPENMETRICS || family->is_plain_counter)
		return "";
	return family->type == METRIC_COUNTER ? "_total" : family->type == METRIC_INFO ? "_info" : "";
}

static void write_help(GString *to, const char *help, enum text_format format)
{
	for (; *help; help++) {
		if (*help == '\n')
			g_string_append(to, "\\n");
		else if (*help == '\\' || (*help == '"' && format == TEXT_OPENMETRICS))
			g_string_append_printf(to, "\\%c", *help);
		else
			g_string_append_c(to, *help);
	}
}

static void write_head(GString *to, const struct metric_family *family, enum text_format format)
{
	const char *suffix = family_suffix(family, format);

	g_string_append_printf(to, "# HELP %s%s ", family->name, suffix);
	write_help(to, family->help, format);
	g_string_append_printf(to, "\n# TYPE %s%s %s\n", family->name, suffix, type_names[format][family->type]);
	if (family->unit && format == TEXT_OPENMETRICS)
		g_string_append_printf(to, "# UNIT %s %s\n", family->name, family->unit);
}

static void write_labels(GString *to, const struct metric_sample *sample, enum text_format format)
{
	if (!*sample->labels && !sample->le)
		return;
	g_string_append_printf(to, "{%s", sample->labels);
	if (sample->le) {
		/* OpenMetrics wants bounds as floating-point numbers. */
		bool is_integer = !strpbrk(sample->le, ".eEIN");

		g_string_append_printf(to, "%sle=\"%s%s\"", *sample->labels ? "," : "", sample->le,
				       is_integer && format == TEXT_OPENMETRICS ? ".0" : "");
	}
	g_string_append_c(to, '}');
}

static void write_time(GString *to, int64_t milliseconds, enum text_format format)
{
	g_autofree char *seconds = decimal_scaled(milliseconds, 3);

	if (format == TEXT_OPENMETRICS)
		g_string_append_printf(to, " %s", seconds);
	else
		g_string_append_printf(to, " %" PRId64, milliseconds);
}

static void write_sample(GString *to, const struct metric_family *family, const struct metric_sample *sample,
			 enum text_format format)
{
	bool is_plain = family->is_plain_counter && format == TEXT_CLASSIC;

	if (sample->is_classic && format == TEXT_OPENMETRICS)
		return;
	g_string_append_printf(to, "%s%s", family->name, is_plain ? "" : sample->suffix);
	write_labels(to, sample, format);
	g_string_append_printf(to, " %s", sample->value);
	if (sample->has_time)
		write_time(to, sample->time, format);
	g_string_append_c(to, '\n');
}

GBytes *text_write(const struct metric_set *set, enum text_format format)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < set->families->len; i++) {
		const struct metric_family *family = g_ptr_array_index(set->families, i);

		if (!family->samples->len)
			continue;
		write_head(text, family, format);
		for (guint j = 0; j < family->samples->len; j++)
			write_sample(text, family, &g_array_index(family->samples, struct metric_sample, j), format);
	}
	if (format == TEXT_OPENMETRICS)
		g_string_append(text, "# EOF\n");
	return g_string_free_to_bytes(text);
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

static double parse_quality(const char *text)
{
	char *end;
	double quality = g_ascii_strtod(text, &end);

	return end == text || *end || !(quality >= 0) ? 0 : MIN(quality, 1);
}

/* Return the quality of a range, and its type in lower case. The quality of an unknown version is 0. */
static double parse_range(const char *text, char **type)
{
	g_auto(GStrv) parts = g_strsplit(text, ";", -1);
	bool is_openmetrics;
	double quality = 1;

	*type = parts[0] ? g_ascii_strdown(g_strstrip(parts[0]), -1) : g_strdup("");
	is_openmetrics = !strcmp(*type, "application/openmetrics-text");
	for (char **part = parts[0] ? parts + 1 : parts; *part; part++) {
		const char *parameter = g_strstrip(*part);

		if (!g_ascii_strncasecmp(parameter, "q=", 2))
			quality = parse_quality(parameter + 2);
		else if (is_openmetrics && !g_ascii_strncasecmp(parameter, "version=", 8) &&
			 strcmp(parameter + 8, "1.0.0") && strcmp(parameter + 8, "0.0.1"))
			return 0;
	}
	return quality;
}

/* A client that accepts neither format, or anything, gets the classic one, which people can read, too. */
enum text_format text_format_of(const char *accept)
{
	double classic = 0, openmetrics = 0;
	g_auto(GStrv) ranges = g_strsplit(accept ?: "", ",", 100);

	for (char **range = ranges; *range; range++) {
		g_autofree char *type = NULL;
		double quality = parse_range(*range, &type);

		if (!strcmp(type, "application/openmetrics-text"))
			openmetrics = MAX(openmetrics, quality);
		else if (!strcmp(type, "text/plain") || !strcmp(type, "text/*"))
			classic = MAX(classic, quality);
	}
	return openmetrics > 0 && openmetrics >= classic ? TEXT_OPENMETRICS : TEXT_CLASSIC;
}
