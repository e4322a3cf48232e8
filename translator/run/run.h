/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5: run the module, on this machine or elsewhere. */
#ifndef SPILE_RUN_RUN_H
#define SPILE_RUN_RUN_H

#include "translator/options.h"
#include "translator/run/remote.h"
#include "translator/translation.h"

/**
 * Run a module through staprun on this machine.
 *
 * @param[out] exit_status What stap is to exit with.
 */
struct error *run_module(const struct translation *t, const struct options *options, const char *module_path,
			 int *exit_status);

/** All that --remote names. */
struct remotes;

/**
 * Take each --remote apart, connect to those that take a connection, and ask for their kernels. A host that cannot be
 * had has failed, with the reason told; if it is the only one, that is the error.
 *
 * @param[out] ret To be closed, even after an error.
 */
struct error *remotes_open(struct arena *arena, const struct options *options, struct remotes **ret);

/** The hosts (struct remote *). Before remotes_run(), those that have not failed are given what they are to run. */
GPtrArray *remotes_hosts(struct remotes *remotes);

/** Keep the connections while the script is translated. */
struct error *remotes_begin(struct remotes *remotes);

/**
 * Run on all hosts that have not failed, and wait for all of them.
 *
 * @param[out] exit_status What stap is to exit with.
 */
struct error *remotes_run(struct remotes *remotes, const struct options *options, int *exit_status);

/** End connections. NULL is nothing to close. */
void remotes_close(struct remotes *remotes);

#endif
