/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats that stap-report writes. Each function appends a whole file to a string. */
#ifndef SPILE_REPORT_FORMATS_H
#define SPILE_REPORT_FORMATS_H

#include <stdio.h>

#include "report/analysis.h"

/* The report to write. */
struct report {
	struct recording *recordings[MOST_RECORDINGS];
	guint count; /* of recordings */
	GPtrArray *hosts; /* struct shared_host */
	GPtrArray *subjects; /* struct subject: the selected globals */
	bool uses_color; /* in text */
	guint screen_rows; /* draw a text that fits into a terminal of this height; 0: all */
	bool is_selection; /* one global was requested, which is shown whatever its "show" says */
};

/** Is the global shown, or does its script say "show: none"? */
bool is_shown(const struct report *report, const struct global *global);

/** Write a self-contained page of HTML. */
struct error *write_page(const struct report *report, FILE *out);

/** Write tables, bars, heat maps and stacks for a terminal. */
struct error *write_text(const struct report *report, FILE *out);

/* The following formats are of one recording. */

/** Write the recording as JSON lines, which can be read again. */
struct error *write_json(const struct report *report, FILE *out);

/* The following formats are of one array with a stack. */

/** Write a line per stack: functions from the outermost, separated by ';', and a number. */
struct error *write_folded(const struct report *report, FILE *out);
/** Write the JSON of speedscope. */
struct error *write_speedscope(const struct report *report, FILE *out);
/** Write the compressed protobuf of pprof. */
struct error *write_pprof(const struct report *report, FILE *out);

#endif
