/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several short programs at once, one for each host; see jobs.c. */
#ifndef SPILE_RUN_JOBS_H
#define SPILE_RUN_JOBS_H

#include <glib.h>
#include <sys/types.h>

#include "translator/util/error.h"

struct job {
	const char *const *argv; /* up to a NULL */
	const char *input; /* the file that is its standard input; NULL: empty */
	bool may_ask; /* the user, at the terminal: it is not to be one of several, then */

	/* What came of it. */
	struct error *error; /* it could not be run, or did not end well */
	GString *output, *messages; /* what it wrote to its two streams */
	int status; /* as exit() had it, or 128 and a signal's number */

	pid_t pid;
	int fds[2]; /* where these come from; -1: at its end */
};

/**
 * Run all of them, and wait for their ends; Ctrl-C ends them. For one that fails without saying why in @p messages,
 * the error says no more than its status.
 */
void jobs_run(GPtrArray *jobs);

/** Of an array of jobs in an arena: release what came of them. */
void job_clear(struct job *job);

#endif
