/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5: run the module, on this machine or elsewhere. */
#ifndef SPILE_RUN_RUN_H
#define SPILE_RUN_RUN_H

#include "translator/options.h"
#include "translator/run/remote.h"
#include "translator/translation.h"

/** All hosts of --remote. */
struct remotes;

/**
 * Parse each --remote, connect to the hosts that need a connection, and ask for their kernels. A host that cannot be
 * reached has failed, and its error is printed; if it is the only one, the error is returned.
 *
 * @param[out] ret To be closed, even after an error.
 */
struct error *remotes_open(struct arena *arena, const struct options *options, struct remotes **ret);

/**
 * Return the hosts (struct remote *). Before run_script(), the caller sets the script of those that have not failed.
 */
GPtrArray *remotes_hosts(struct remotes *remotes);

/** Open the sessions, which stay open while the script is translated. */
struct error *remotes_begin(struct remotes *remotes);

/**
 * Run the script on this machine, or on all hosts that have not failed, and wait for it.
 *
 * @param[in] remotes NULL: this machine.
 * @param[in] t A translation of the script; with @p module_path, that for this machine.
 * @param[out] exit_status The exit status for stap.
 */
struct error *run_script(struct remotes *remotes, const struct translation *t, const struct options *options,
			 const char *module_path, int *exit_status);

/** Close all connections. NULL is allowed. */
void remotes_close(struct remotes *remotes);

#endif
