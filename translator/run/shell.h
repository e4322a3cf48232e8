/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts that are reached by a shell, through ssh or locally (direct:). See shell.c. */
#ifndef SPILE_RUN_SHELL_H
#define SPILE_RUN_SHELL_H

#include "translator/run/remote.h"

/** The state shared by all hosts of a run. */
struct shells {
	struct arena *arena;
	const struct options *options;
	char *directory; /* private local directory for sockets of connections and files to copy; NULL: none yet */
};

/**
 * Connect to all hosts and ask each for its kernel, its staprun and the user there. Running guests are asked for their
 * kernel if @p asks_guests. Hosts that cannot be reached have failed afterwards, and their errors are printed.
 *
 * @return A local error; or, for a single host, its error.
 */
struct error *shells_connect(struct shells *shells, GPtrArray *remotes, bool asks_guests);

/** The exit status of ssh itself if it could not connect or lost the connection. */
enum { SSH_FAILED = 255 };

/** A session prints this line when the host's directory exists. */
#define SESSION_READY "spile-ready"
/** A session expects this line when the files have been copied; later lines are names of signals for staprun. */
#define SESSION_RUN "run\n"

/**
 * Return the command of a session, terminated by a NULL. It creates the host's directory, prints SESSION_READY, waits
 * for SESSION_RUN, and runs what shells_bring() copied. When its input ends, it ends staprun. It removes the directory
 * in any case.
 */
GPtrArray *shell_session(struct shells *shells, struct remote *remote);

/** Copy the module, the command line, and staprun if the host's own does not fit, to the hosts that have not failed. */
void shells_bring(struct shells *shells, GPtrArray *remotes);

/** Close the connections and remove local files. */
void shells_end(struct shells *shells, GPtrArray *remotes);

#endif
