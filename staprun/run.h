/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line asks for; see run.c. */
#ifndef SPILE_STAPRUN_RUN_H
#define SPILE_STAPRUN_RUN_H

#include "staprun/module.h"
#include "staprun/options.h"

/**
 * Do what the options ask for.
 *
 * @param[in] given The module to run, which becomes owned by this function; NULL: read the one that the options name.
 * @param[in] environment The environment of the user's commands.
 * @return The exit status.
 */
int run_as_asked(const struct options *options, const struct module_image *given, char **environment);

#endif
