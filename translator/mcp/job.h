/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command of a call, while it runs: its output is limited, and so is its time. */
#ifndef SPILE_MCP_JOB_H
#define SPILE_MCP_JOB_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "translator/mcp/tools.h"

struct job {
	struct call *call;
	pid_t pid;
	int fds[2]; /* pipes from its standard output and standard error; -1: at their end */
	GString *texts[2]; /* what came from them, without NUL bytes */
	gint64 deadline; /* monotonic time in microseconds */
	int status; /* exit status, or 128 plus a signal's number */
	bool is_cut, is_late; /* it printed too much, or took too long */
	bool was_asked_to_end;
};

/** Start the command of a call, which belongs to the job. Return an error if it cannot be started. */
struct error *job_start(struct call *call, struct job **ret);
/** Read what has come, and end a command that takes too long or prints too much. Has it ended? */
bool job_continue(struct job *job);
/** End the command, and wait. */
void job_cancel(struct job *job);
void job_free(struct job *job);

#endif
