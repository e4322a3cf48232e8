/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Translating where nothing can be harmed; see sandbox.c. */
#ifndef SPILE_SERVER_SANDBOX_H
#define SPILE_SERVER_SANDBOX_H

#include <sys/types.h>

#include "server/settings.h"
#include "translator/server/request.h"

/* A stap that runs. */
struct translation_process {
	pid_t pid;
	int output, messages, module; /* to be read without waiting; -1: none */
};

/** Is bubblewrap there, and does it work? */
struct error *sandbox_check(const struct server_settings *settings);

/**
 * Start the translation of a request.
 *
 * @param[in] folder A new folder of the caller's, in which the request's files are put.
 * @param[out] process Of pass 4, its output is the module's file name and `module` what is in it.
 */
struct error *sandbox_start(const struct server_settings *settings, struct arena *arena, const struct request *request,
			    const char *folder, struct translation_process *process);

/** The same for "stap --prepare" of a kernel, which is nobody's request and writes the cache for all. */
struct error *sandbox_start_preparation(const struct server_settings *settings, struct arena *arena,
					const char *release, struct translation_process *process);

/** Is a module asked for, and not a list or the text of an earlier pass? */
bool sandbox_makes_module(const struct request *request);

/** Show on our own streams what it says, and wait. @p status as from waitpid(). */
void sandbox_show(struct translation_process *process, int *status);

/** End it with all that it has started, and wait. @return As from waitpid(). */
int sandbox_end(struct translation_process *process);

#endif
