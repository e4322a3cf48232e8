/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running other programs (make, stap-vm, staprun): no shell, the failure carries what the program said. */
#ifndef SPILE_UTIL_PROCESS_H
#define SPILE_UTIL_PROCESS_H

#include <glib.h>

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

/** Remove a folder and all in it; what cannot be removed is left. */
void remove_tree(const char *path);

#endif
