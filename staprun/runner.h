/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that runs the commands of system(); see runner.c. */
#ifndef SPILE_STAPRUN_RUNNER_H
#define SPILE_STAPRUN_RUNNER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/base/error.h"

struct runner {
	pid_t pid;
	int socket; /* takes commands; the process exits when every holder has closed it and its commands have ended */
};

/**
 * Fork the runner process. Call this with a single thread and before privileges are reduced.
 *
 * @param[in] environment, mask The environment and the blocked signals of the commands.
 */
struct error *runner_prepare(struct runner *runner, char **environment, const sigset_t *mask);

/** Send a command to the runner. Return false with errno if the process is gone. */
bool runner_send(int socket, const char *command, size_t length);

#endif
