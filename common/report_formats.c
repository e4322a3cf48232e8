// SPDX-License-Identifier: GPL-2.0-or-later
/* The formats of reports. report/stap_report.c has the functions that write them. */
#include "common/report_formats.h"

#include <glib.h>
#include <string.h>

const struct report_format_facts report_formats[REPORT_FORMAT_COUNT_] = {
	[REPORT_TEXT] = {"text", ".txt"},
	[REPORT_HTML] = {"html", ".html"},
	[REPORT_FOLDED] = {"folded", ".folded", .needs_stack = true},
	[REPORT_SPEEDSCOPE] = {"speedscope", ".speedscope.json", .needs_stack = true},
	[REPORT_PPROF] = {"pprof", ".pb.gz", .needs_stack = true},
	[REPORT_JSON] = {"json", ".json"},
};

enum report_format report_format_find(const char *name)
{
	enum report_format format = 0;

	while (format < REPORT_FORMAT_COUNT_ && strcmp(report_formats[format].name, name))
		format++;
	return format;
}

enum report_format report_format_of_file(const char *path)
{
	enum report_format format = 0;

	if (!strcmp(path, "-"))
		return REPORT_TEXT;
	while (format < REPORT_FORMAT_COUNT_ && !g_str_has_suffix(path, report_formats[format].ending))
		format++;
	return format;
}

char *report_format_endings(void)
{
	const char *endings[REPORT_FORMAT_COUNT_ + 1] = {NULL};

	for (int i = 0; i < REPORT_FORMAT_COUNT_; i++)
		endings[i] = report_formats[i].ending;
	return g_strjoinv(", ", (char **)endings);
}
