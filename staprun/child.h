/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process of staprun's own that it talks to; see child.c. */
#ifndef SPILE_STAPRUN_CHILD_H
#define SPILE_STAPRUN_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "translator/util/error.h"

/**
 * Start a process. To be called while there is but one thread.
 *
 * @param[in] run What it does with its end of a socket that keeps messages apart; gives its exit status.
 * @param[out] pid, socket The process and this one's end, which the process does not hold.
 */
struct error *child_start(int (*run)(void *data, int socket), void *data, pid_t *pid, int *socket);

/** Send one message of a byte, with a descriptor if @p fd >= 0. False: the other end is gone. */
bool child_send(int socket, char message, int fd);
/** The message's byte, 0 when the other end is gone. A descriptor goes to *fd, else -1 does. */
int child_receive(int socket, int *fd);

/** waitpid(), which no signal ends early. */
pid_t child_wait(pid_t pid, int *status, int options);

/** Standard input, output and errors lead nowhere from here on. */
void child_leave_terminal(void);

/**
 * In a process of its own that is its user: become a program of ours that no user calls. Returns if there is none.
 *
 * @param[in] arguments Up to a NULL; the first one is the program's name.
 */
void child_become_helper(char **arguments, char **environment, const sigset_t *mask);
/** In such a program: give up for good what an exec has given back to root. That a file may be read is asked of its
 * owner and mode alone then. False: errno says why not. */
bool child_drop_capabilities(void);

/**
 * Map the program that a command names as executable, before the module is loaded. The module asks for the tables of
 * all programs that target() has mapped before it arms a probe, so that the first stack of the command is complete.
 * A command that needs a shell is left alone.
 */
void child_map_command(const char *text, char **environment);
/**
 * In a process of its own: become the program that a command names with its arguments, or, if there is more in it than
 * that, the shell that runs it.
 */
void child_run_command(const char *text, char **environment, const sigset_t *mask) __attribute__((noreturn));
/** In a process of its own: become the shell that runs a command, with this environment and these blocked signals. */
void child_run_shell(const char *text, char **environment, const sigset_t *mask) __attribute__((noreturn));

#endif
