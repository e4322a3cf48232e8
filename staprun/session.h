/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One session, from the checks to the removal of the module; see session.c. */
#ifndef SPILE_STAPRUN_SESSION_H
#define SPILE_STAPRUN_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "staprun/command.h"
#include "staprun/module.h"
#include "staprun/monitor.h"
#include "staprun/output.h"
#include "staprun/runner.h"
#include "staprun/tables.h"

struct session_options {
	struct module_image image;
	struct module_info info;
	struct output *output;
	struct bulk *bulk; /* or NULL */
	struct command *command; /* -c */
	struct tables *tables; /* of programs; NULL: the script needs none */
	struct monitor *monitor; /* -M; or NULL */
	struct runner *runner; /* of the script's commands; NULL: it has none */
	pid_t target; /* -x, or of the command; 0: none */
	pid_t namespaces; /* -n: whose the script shows; 0: staprun's */
	char **settings; /* NAME=VALUE of globals, up to a NULL */
	const char *remote; /* -r, behind the number; or NULL */
	long remote_number;
	int buffer_megabytes; /* -b, for each processor; 0: what the script was made with */
	bool rename; /* -R */
	int timeout; /* milliseconds */
	bool leaves; /* -L: the session goes on by itself when the script has begun */
	const char *attach; /* -A: the module of a session that goes on by itself; there is no image then; or NULL */
	enum access access; /* of the user; only with ACCESS_ALL may he attach to what others left */
	int began; /* -D: who waits at the other end is told that the script has begun; -1: nobody */
};

/**
 * Block the signals that session_run() waits for. To be called before any child process is made.
 *
 * @param[out] before The mask that was, for programs of the user.
 *
 * With an error, no end of a child process would be heard of.
 */
struct error *session_catch_signals(sigset_t *before);

/** Load, run, unload. Privileges are given up on the way. Returns the exit status of staprun. */
int session_run(struct session_options *options);

#endif
