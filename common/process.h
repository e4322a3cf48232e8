/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run other programs (make, stap-vm, staprun), without a shell. Errors contain the program's output. */
#ifndef SPILE_COMMON_PROCESS_H
#define SPILE_COMMON_PROCESS_H

#include <glib.h>
#include <sys/types.h>

#include "common/base/error.h"

/** From now on, let Ctrl-C and SIGTERM end the program that process_run() runs. */
void process_catch_signals(void);
bool process_interrupted(void);

/** End the program that another thread runs, and all that it starts later. May be called from any thread. */
void process_interrupt(void);

/**
 * Run a program with empty standard input in @p directory (NULL: the current one), and wait. May be called from any
 * thread; it waits until another thread's program has ended.
 *
 * @param[out] output Both output streams, NUL-terminated; may be NULL. Set even on failure; free with g_free().
 * @return ERROR_LOOKUP: no such program; ERROR_BUILD: it failed; ERROR_INTERRUPTED.
 */
struct error *process_run(const char *const argv[], const char *directory, char **output);

/** Return an error if a program is not in PATH. For programs that a shell runs; the others report it themselves. */
struct error *process_check_program(const char *program);

/**
 * Start a program with this process's standard output and standard error. It stays in our process group, so Ctrl-C at
 * the terminal reaches it. The caller waits for it. It gets a signal if this process is killed.
 *
 * @param[in] input Its standard input.
 * @param[out] pid 0 if it could not be started.
 */
struct error *process_start_attached(const char *const argv[], int input, pid_t *pid);

/**
 * Run a program with this process's standard streams, and wait. It gets a signal if this process is killed.
 *
 * @param[out] status As from waitpid().
 */
struct error *process_run_attached(const char *const argv[], int *status);

/**
 * The same as process_run(), with the programs of a build root instead of the host's (build_root.h).
 *
 * @param[in] root NULL: the host.
 */
struct error *process_run_inside(const char *root, const char *const argv[], const char *directory, char **output);

/**
 * Start a program without waiting; the caller waits for it. It gets a signal if this process is killed.
 *
 * @param[in] input Its standard input; -1: empty.
 * @param[in] in_own_session Run it without the terminal: it gets no Ctrl-C, and cannot ask the user.
 * @param[out] pid 0 if it could not be started.
 * @param[out] fds Non-blocking pipes from its standard output and standard error, or -1. The caller closes them, even
 * if the program could not be started.
 */
struct error *process_start(const char *const argv[], int input, bool in_own_session, pid_t *pid, int fds[2]);

/**
 * Start a program that reads from us and has our other standard streams. The caller waits for it.
 *
 * @param[out] input The pipe to its standard input, which the caller closes.
 */
struct error *process_start_reader(const char *const argv[], int *input, pid_t *pid);

/**
 * Run a program that writes to us and has our other standard streams, and wait. It gets a signal if this process is
 * killed.
 *
 * @param[in] reader Reads the pipe from the program's standard output until its end, and closes it.
 * @param[out] status As from waitpid().
 */
struct error *process_run_writer(const char *const argv[], struct error *(*reader)(int fd, pid_t writer, void *data),
				 void *data, int *status);

/**
 * Run a program and return what it writes to standard output. Its messages go to our standard error.
 *
 * @param[out] output NUL-terminated; NULL after an error, else freed with free().
 * @return ERROR_LOOKUP: no such program; ERROR_BUILD: it failed; ERROR_INTERRUPTED.
 */
struct error *process_read_output(const char *const argv[], char **output, size_t *length);

/** Convert a status of waitpid() to an exit status as in a shell: 128 + the signal that killed the program. */
int process_exit_status(int status);

/** Is it a signal by which a user or the reader of our output ends a program, such as SIGINT or SIGPIPE? */
bool process_is_wish(int signal);

/** Remove a directory recursively. Ignore files that cannot be removed. */
void remove_tree(const char *path);

#endif
