/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap-tables, the process that makes tables of programs while a script runs; see tables.c. */
#ifndef SPILE_STAPRUN_TABLES_H
#define SPILE_STAPRUN_TABLES_H

#include <signal.h>
#include <sys/types.h>

#include "translator/util/error.h"

struct tables {
	pid_t pid;
	int socket; /* its end is the end of the process */
};

/** Start it, as the user who called staprun. As runner_prepare(). */
struct error *tables_prepare(struct tables *tables, char **environment, const sigset_t *mask);
/** The module is loaded, and made a @p folder in debugfs. */
void tables_begin(const struct tables *tables, int folder);
/** End it: it holds a file of the module. */
void tables_finish(struct tables *tables);

#endif
