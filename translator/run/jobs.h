/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running several short programs in parallel, one per host; see jobs.c. */
#ifndef SPILE_RUN_JOBS_H
#define SPILE_RUN_JOBS_H

#include <glib.h>
#include <sys/types.h>

#include "common/base/error.h"

struct job {
	const char *const *argv; /* terminated by a NULL */
	const char *input; /* file for standard input; NULL: empty */
	bool may_ask; /* may ask the user at the terminal; then it must be the only job */

	/* The results. */
	struct error *error; /* it could not be run, or failed */
	GString *output, *messages; /* its standard output and standard error */
	int status; /* exit status, or 128 plus a signal's number */

	bool is_cut_off; /* it printed too much, and was ended */
	pid_t pid;
	int fds[2]; /* pipes of these two; -1: at their end */
};

/**
 * Run all jobs and wait for them; Ctrl-C ends them. If one fails without @p messages, its error has only the status.
 */
void jobs_run(GPtrArray *jobs);

/** Free the results of a job; the job itself is in an arena. */
void job_clear(struct job *job);

#endif
