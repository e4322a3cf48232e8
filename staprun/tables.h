/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap-tables, the process that builds unwind tables of programs while a script runs; see tables.c. */
#ifndef SPILE_STAPRUN_TABLES_H
#define SPILE_STAPRUN_TABLES_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/base/error.h"

struct tables {
	pid_t pid;
	int socket; /* the process exits when this socket is closed */
};

/** Start stap-tables as the invoking user. The parameters are those of runner_prepare(). */
struct error *tables_prepare(struct tables *tables, char **environment, const sigset_t *mask);
/**
 * Pass the module's file "objects" to stap-tables. @p directory is the module's debugfs directory. If @p trusted, the
 * user may load any module, and the tables are used for all processes; else only for the user's own.
 */
void tables_begin(const struct tables *tables, int directory, bool trusted);
/** Kill stap-tables, which holds a file of the module. */
void tables_finish(struct tables *tables);

#endif
