/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that runs the commands of system(); see runner.c. */
#ifndef SPILE_STAPRUN_RUNNER_H
#define SPILE_STAPRUN_RUNNER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "translator/util/error.h"

struct runner {
	pid_t pid;
	int socket; /* takes commands; it ends when all that hold this have closed it, and its commands have ended */
};

/**
 * Make the process. To be called while there is but one thread, with all privileges that the user is to have.
 *
 * @param[in] environment, mask The environment and the blocked signals that commands are to have.
 */
struct error *runner_prepare(struct runner *runner, char **environment, const sigset_t *mask);

/** Have a command run. False, with errno: the process is gone. */
bool runner_send(int socket, const char *command, size_t length);

#endif
