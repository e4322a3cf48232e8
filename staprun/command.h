/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program that -c runs; see command.c. */
#ifndef SPILE_STAPRUN_COMMAND_H
#define SPILE_STAPRUN_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "translator/util/error.h"

struct command {
	pid_t pid; /* 0: there is none (any more) */
	int gate; /* a socket; writing a byte releases the process */
	bool released;
};

/**
 * Make the process for a command. It has its pid and waits; command_release() makes it run the command.
 * Until then its end goes unnoticed by the user: it just exits.
 *
 * @param[in] environment, mask The environment and the blocked signals that the command is to have.
 */
struct error *command_prepare(struct command *command, const char *text, char **environment, const sigset_t *mask);
void command_release(struct command *command);

/** The process ended (@p status as from waitpid()). False, after a warning, if it ran and failed. */
bool command_ended(struct command *command, int status);

/** The session is over: a command that never started is dropped, one that runs is asked to end. */
void command_finish(struct command *command);

#endif
