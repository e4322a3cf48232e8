/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program that -c runs; see command.c. */
#ifndef SPILE_STAPRUN_COMMAND_H
#define SPILE_STAPRUN_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/base/error.h"
#include "staprun/options.h"

struct command {
	pid_t pid; /* 0 if the command was not started or has ended */
	int gate; /* writing a byte to this socket releases the process */
	bool released;
	bool is_traced; /* the process is stopped at its main() and not at the socket */
	enum command_report report;
	enum command_start start;
};

/**
 * Fork the process of a command. It waits until command_release() makes it run the command, or continue at its main(),
 * as command->start says. If it ends before that, and has not executed the command, the user sees no message.
 *
 * @param[in] environment, mask The environment and the blocked signals of the command.
 */
struct error *command_prepare(struct command *command, const char *text, char **environment, const sigset_t *mask);
void command_release(struct command *command);

/**
 * Handle the end of the process; @p status is from waitpid(). Report it as command->report says. Return false, after a
 * warning, if the session has to fail with the command.
 */
bool command_ended(struct command *command, int status);

/** Discard a command that never started, or send SIGTERM to one that runs. Called when the session is over. */
void command_finish(struct command *command);

#endif
