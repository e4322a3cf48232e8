/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run translations in a sandbox; see sandbox.c. */
#ifndef SPILE_SERVER_SANDBOX_H
#define SPILE_SERVER_SANDBOX_H

#include <sys/types.h>

#include "common/wire/request.h"
#include "server/settings.h"

/* A running stap. */
struct translation_process {
	pid_t pid;
	int output, messages, module; /* non-blocking; -1 if closed */
};

/** Return an error if requests can read a directory, in which the server keeps its keys. */
struct error *sandbox_hides(const struct server_settings *settings, const char *directory);

/** Check that bubblewrap is installed and works. */
struct error *sandbox_check(const struct server_settings *settings);

/**
 * Start the translation of a request.
 *
 * @param[in] directory A new directory of the caller, in which the request's files are created.
 * @param[out] process For pass 4, its output is the module's file name, and `module` is the module's content.
 */
struct error *sandbox_start(const struct server_settings *settings, struct arena *arena, const struct request *request,
			    const char *directory, struct translation_process *process);

/** Start "stap --prepare" for a kernel in a sandbox. It handles no client's data and may write to the shared cache. */
struct error *sandbox_start_preparation(const struct server_settings *settings, struct arena *arena,
					const char *release, struct translation_process *process);

/** Return whether the request is for a module, not for a list or the output of an earlier pass. */
bool sandbox_makes_module(const struct request *request);

/** Copy the process's output to our own streams, and wait for its end. @p status is from waitpid(). */
void sandbox_show(struct translation_process *process, int *status);

/**
 * Kill the process and everything that it started, and reap it.
 *
 * @return Its status as from waitpid().
 */
int sandbox_end(struct translation_process *process);

#endif
