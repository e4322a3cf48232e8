/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Child processes of staprun and the sockets to them; see child.c. */
#ifndef SPILE_STAPRUN_CHILD_H
#define SPILE_STAPRUN_CHILD_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include <wordexp.h>

#include "common/base/error.h"

/**
 * Fork a process. Call this only while the caller has a single thread.
 *
 * @param[in] run Main function of the child. It gets its end of a SOCK_SEQPACKET socket and returns the exit status.
 * @param[out] pid The child.
 * @param[out] socket The parent's end of the socket; the child does not hold it.
 */
struct error *child_start(int (*run)(void *data, int socket), void *data, pid_t *pid, int *socket);

/** Send a one-byte message, with a descriptor if @p fd >= 0. Return false if the peer has closed the socket. */
bool child_send(int socket, char message, int fd);
/** Receive a one-byte message. *fd is the descriptor sent with it, or -1. Return 0 if the peer closed the socket. */
int child_receive(int socket, int *fd);

/** Call waitpid() again until no signal interrupts it. */
pid_t child_wait(pid_t pid, int *status, int options);

/** Redirect standard input, output and error to /dev/null. */
void child_leave_terminal(void);

/**
 * Execute an internal helper program. Called in a child that has the user's identity; returns on failure.
 *
 * @param[in] file The program's file; NULL: the one in libexec.
 * @param[in] arguments NULL-terminated; the first one is the program's name.
 */
void child_become_helper(const char *file, char **arguments, char **environment, const sigset_t *mask);
/**
 * Drop all capabilities for good, called by a helper program. An exec as root restores them; without them, access to
 * files follows owner and mode only. Return false with errno on failure.
 */
bool child_drop_capabilities(void);

/* A command that a child process executes. The caller sets the first three members. */
struct child_command {
	const char *text;
	char **environment;
	const sigset_t *mask; /* blocked signals */
	bool is_program; /* a program and its arguments, and no text for a shell */
	wordexp_t words;
	char path[PATH_MAX]; /* of the program; "" if it is not found */
	int problem; /* why it is not found: an errno, or 0 */
};

/**
 * Do what the child process can do before the module is loaded, so that probes of target() see few system calls before
 * its execve(). Find the program and map it as executable: the module requests the tables of all programs that target()
 * has mapped before it arms a probe, so that the first stack of the command is complete.
 */
void child_prepare_command(struct child_command *command);
/** Execute the command in the child process: directly if it is a program and its arguments, else with the shell. */
void child_run_command(const struct child_command *command) __attribute__((noreturn));
/** Execute a command with the shell, in a child process, with this environment and these blocked signals. */
void child_run_shell(const char *text, char **environment, const sigset_t *mask) __attribute__((noreturn));

#endif
