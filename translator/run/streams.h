/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several runs at once: their output becomes ours, our signals theirs; see streams.c. */
#ifndef SPILE_RUN_STREAMS_H
#define SPILE_RUN_STREAMS_H

#include "translator/run/remote.h"

struct streams;

/** @param[in] whole_lines Output of several hosts is mixed by lines. Otherwise it is passed on as it comes. */
struct streams *streams_begin(const struct options *options, bool whole_lines);

/**
 * Start what runs a host's script.
 *
 * @param[in] argv Up to a NULL.
 * @param[in] is_session It makes ready first, and is told what to do by its standard input (shell.h).
 */
struct error *streams_start(struct streams *streams, struct remote *remote, const char *const argv[], bool is_session);

/** Wait until all sessions are ready. Those that will not be have failed. */
struct error *streams_wait_ready(struct streams *streams);

/**
 * Let the sessions of hosts that have not failed run what was brought there, and wait for all ends. From here to
 * streams_end(), SIGINT and its like are for the scripts.
 */
struct error *streams_run(struct streams *streams, int *exit_status);

/** Sessions that have not run anything end. */
void streams_end(struct streams *streams);

#endif
