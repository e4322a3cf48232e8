/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The debugfs directory of a loaded module; see control.c. */
#ifndef SPILE_STAPRUN_CONTROL_H
#define SPILE_STAPRUN_CONTROL_H

#include <stdbool.h>

#include "common/base/error.h"
#include "staprun/status.h"

/** Mount debugfs unless it is mounted. */
struct error *control_find_debugfs(void);

/** Open the debugfs directory of a module. Return ERROR_LOOKUP if it does not exist. */
struct error *control_open_directory(const char *module, int *ret);

/** Open the control file. From now on this process drives the session. */
struct error *control_open(int directory, const char *module, int *ret);

/** Write one command to the control file. error->errnum is the error number from the kernel. */
struct error *control_command(int control, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct error *control_read_status(int control, struct control_status *status);

/** Read the status of a module that another process may drive. All fields are 0 if the file cannot be read. */
void control_look(int directory, struct control_status *status);

/**
 * Open the trace files that are not open yet.
 *
 * @param[in] directory From control_open_directory().
 * @param[in] is_open One byte per CPU number, @p limit of them; set for each file opened.
 * @param[in] opened Called with each descriptor, which it takes over.
 */
struct error *control_open_traces(int directory, char *is_open, unsigned int limit,
				  void (*opened)(void *data, unsigned int cpu, int fd), void *data);

/** Call @p visit with the name of each module that has a directory in debugfs. */
struct error *control_each_module(void (*visit)(void *data, const char *module), void *data);

#endif
