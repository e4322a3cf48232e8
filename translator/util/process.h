/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running other programs (make, stap-vm, staprun): no shell, the failure carries what the program said. */
#ifndef SPILE_UTIL_PROCESS_H
#define SPILE_UTIL_PROCESS_H

#include <glib.h>
#include <sys/types.h>

#include "translator/util/error.h"

/** Ctrl-C and SIGTERM from here on end the program that process_run() runs. */
void process_catch_signals(void);
bool process_interrupted(void);

/** The same from within, and for programs to come. For a program that another thread runs; any thread. */
void process_interrupt(void);

/**
 * Run a program to its end with empty standard input, in @p folder (NULL: here). Any thread; another thread's program
 * is waited for.
 *
 * @param[out] output Both its output streams, NUL-terminated; may be NULL. Set even on failure; free with g_free().
 * @return ERROR_LOOKUP: no such program; ERROR_BUILD: it failed; ERROR_INTERRUPTED.
 */
struct error *process_run(const char *const argv[], const char *folder, char **output);

/**
 * Run a program on this process's own standard streams and wait; it is asked to end if this process is killed.
 *
 * @param[out] status As from waitpid().
 */
struct error *process_run_attached(const char *const argv[], int *status);

/**
 * The same with the programs of a build root in place of the host's (build_root.h).
 *
 * @param[in] root NULL: as process_run().
 */
struct error *process_run_inside(const char *root, const char *const argv[], const char *folder, char **output);

/**
 * Start a program and go on; the caller waits for it. It is asked to end if this process is killed.
 *
 * @param[in] input Its standard input; -1: empty.
 * @param[in] in_own_session The terminal's Ctrl-C is not for it, and it cannot ask the user anything.
 * @param[out] pid 0 if it could not be started.
 * @param[out] fds The other ends of its output and of its messages, which are read without waiting; the caller closes
 * them, also if it could not be started (-1: there is none).
 */
struct error *process_start(const char *const argv[], int input, bool in_own_session, pid_t *pid, int fds[2]);

/** Of what waitpid() gives: as a shell has it, 128 and the signal's number for what was killed. */
int process_exit_status(int status);

/** Is it a signal by which users, or those who read what we print, end programs? */
bool process_is_wish(int signal);

/** Remove a folder and all in it; what cannot be removed is left. */
void remove_tree(const char *path);

#endif
