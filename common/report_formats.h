/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats of reports: stap-report writes them, and stap --report selects one by the name of the file. */
#ifndef SPILE_COMMON_REPORT_FORMATS_H
#define SPILE_COMMON_REPORT_FORMATS_H

#include <stdbool.h>

enum report_format {
	REPORT_TEXT,
	REPORT_HTML,
	REPORT_FOLDED,
	REPORT_SPEEDSCOPE,
	REPORT_PPROF,
	REPORT_JSON,
	REPORT_FORMAT_COUNT_
};

struct report_format_facts {
	const char *name;
	const char *ending; /* suffix of the file names; it precedes any shorter suffix that it ends with */
	bool needs_stack; /* shows one array with a stack as key */
};

extern const struct report_format_facts report_formats[REPORT_FORMAT_COUNT_];

/** Find a format by its name. Return REPORT_FORMAT_COUNT_ if it does not exist. */
enum report_format report_format_find(const char *name);

/** Return the format of a file by its ending; text for "-". Return REPORT_FORMAT_COUNT_ if no format has the ending. */
enum report_format report_format_of_file(const char *path);

/** Return all endings, separated by commas. Free with g_free(). */
char *report_format_endings(void);

#endif
