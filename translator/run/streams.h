/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running several hosts in parallel: their output becomes ours, our signals are passed to them; see streams.c. */
#ifndef SPILE_RUN_STREAMS_H
#define SPILE_RUN_STREAMS_H

#include "translator/run/remote.h"

struct streams;

/**
 * Create the streams, without hosts. With @p whole_lines, output of several hosts is mixed by lines; otherwise it is
 * passed on unchanged.
 */
struct streams *streams_begin(const struct options *options, bool whole_lines);

/**
 * Start the process that runs a host's script.
 *
 * @param[in] argv Terminated by a NULL.
 * @param[in] is_session It is a session, which is controlled by its standard input (shell.h).
 */
struct error *streams_start(struct streams *streams, struct remote *remote, const char *const argv[], bool is_session);

/** Wait until all sessions are ready. Those that end before have failed. */
struct error *streams_wait_ready(struct streams *streams);

/**
 * Start the scripts in the sessions of hosts that have not failed, and wait for all of them. From here to
 * streams_end(), SIGINT and similar signals are passed to the scripts.
 */
struct error *streams_run(struct streams *streams, int *exit_status);

/** End the remaining sessions and free everything. */
void streams_end(struct streams *streams);

#endif
