/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5: run the module, on this machine or in a guest. */
#ifndef SPILE_RUN_RUN_H
#define SPILE_RUN_RUN_H

#include "translator/options.h"
#include "translator/translation.h"

/**
 * Run a module through staprun where --remote says.
 *
 * @param[in] kernel_argument The kernel for stap-vm: a release or a path.
 * @param[out] exit_status What stap is to exit with.
 */
struct error *run_module(const struct translation *t, const struct options *options, const char *module_path,
			 const char *kernel_argument, int *exit_status);

/** Is this a --remote that exists? Checked before the work of passes 1 to 4. */
struct error *run_check_remote(const char *remote);

#endif
