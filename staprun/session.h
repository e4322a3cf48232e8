/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session, from the checks to the removal of the module; see session.c. */
#ifndef SPILE_STAPRUN_SESSION_H
#define SPILE_STAPRUN_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
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
	struct bulk *bulk; /* -b; or NULL */
	struct command *command; /* -c */
	struct tables *tables; /* unwind tables of programs; NULL if the script needs none */
	struct monitor *monitor; /* -M; or NULL */
	struct runner *runner; /* runs the script's commands; NULL if it has none */
	pid_t target; /* -x, or the process of -c; 0 if none */
	const char *cgroup; /* --cgroup: the group that the script is restricted to; NULL: none */
	int cgroup_directory; /* its descriptor */
	pid_t namespaces; /* -N: the process whose namespaces the script uses; 0: staprun's */
	char **settings; /* NAME=VALUE of globals, NULL-terminated */
	const char *remote; /* URI of -r; or NULL */
	int64_t remote_number;
	int buffer_megabytes; /* -b, per CPU; 0: as the script was built */
	bool rename; /* -R */
	int timeout; /* milliseconds */
	bool leaves; /* -L: leave the session running when the script has started */
	const char *attach; /* -A: a module to attach to, without an image; or NULL */
	enum access access; /* of the user; only ACCESS_ALL may attach to modules of other users */
	int began; /* -D: write a byte here when the script has started; -1 without -D */
};

/**
 * Block the signals that session_run() waits for. Call this before any child process is started: without it, the end of
 * a child would go unnoticed.
 *
 * @param[out] before The signal mask before, for programs that run as the user.
 */
struct error *session_catch_signals(sigset_t *before);

/** Load, run and remove the module. Drops privileges on the way. Return the exit status of staprun. */
int session_run(struct session_options *options);

#endif
