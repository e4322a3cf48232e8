/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first and the last JSON line of a run (stap-json(5)). */
#ifndef SPILE_STAPRUN_RUN_LINES_H
#define SPILE_STAPRUN_RUN_LINES_H

#include <stdint.h>
#include <stdio.h>

#include "staprun/status.h"

/** Write the "start" line. @p uri: the argument of --remote, or NULL. */
void run_lines_start(FILE *to, const char *module, int64_t remote_number, const char *uri);

/** Write the "end" line. @p exit_status is staprun's. */
void run_lines_end(FILE *to, int exit_status, const struct control_status *status);

#endif
