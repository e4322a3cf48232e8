/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts that are reached by a shell: by ssh, or ours for direct:. See shell.c. */
#ifndef SPILE_RUN_SHELL_H
#define SPILE_RUN_SHELL_H

#include "translator/run/remote.h"

/** What all hosts of a run share. */
struct shells {
	struct arena *arena;
	const struct options *options;
	char *folder; /* private, here: sockets of the connections, files to bring; NULL: there is none yet */
	const char *offer; /* archive of staprun and its libraries; NULL: not made */
};

/**
 * Connect to all hosts, and ask each for its kernel, its staprun and who we are there; guests that are up are asked for
 * their kernel if @p asks_guests. Those that cannot be had have failed afterwards, with the reason told.
 *
 * @return What is wrong here; and of a single host, what is wrong with it.
 */
struct error *shells_connect(struct shells *shells, GPtrArray *remotes, bool asks_guests);

/** The exit status of ssh itself: it could not connect, or the connection was lost. */
enum { SSH_FAILED = 255 };

/** What a session says, on a line of its own, when the host's folder is there. */
#define SESSION_READY "spile-ready"
/** What it wants to read when the files are there; after that, names of signals for staprun. */
#define SESSION_RUN "run\n"

/**
 * The command of a session, up to a NULL: it makes the host's folder, says so, waits, and runs what shells_bring()
 * brought; when its input ends it ends that. Whatever happens, the folder goes with it.
 */
GPtrArray *shell_session(struct shells *shells, struct remote *remote);

/** Bring module, command line, and staprun if the host's own does not fit, to the hosts that have not failed. */
void shells_bring(struct shells *shells, GPtrArray *remotes);

/** End connections, remove what is left here. */
void shells_end(struct shells *shells, GPtrArray *remotes);

#endif
