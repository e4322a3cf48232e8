/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --report: stap-report makes a page of a script's run; see report.c. */
#ifndef SPILE_RUN_REPORT_H
#define SPILE_RUN_REPORT_H

#include <sys/types.h>

#include "translator/options.h"

struct report {
	pid_t pid; /* 0: none was started */
	int saved; /* our standard output */
};

/** Start stap-report, and have it read what is written to our standard output from now on. */
struct error *report_begin(const struct options *options, struct report *report);

/** Restore standard output, and wait until the report is written. If that failed, set @p exit_status. */
struct error *report_end(struct report *report, int *exit_status);

#endif
