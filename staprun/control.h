/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The debugfs folder of a loaded module; see control.c. */
#ifndef SPILE_STAPRUN_CONTROL_H
#define SPILE_STAPRUN_CONTROL_H

#include <stdbool.h>

#include "staprun/status.h"
#include "translator/util/error.h"

/** See to it that debugfs is mounted; mounts it if it is not. */
struct error *control_find_debugfs(void);

/** Open the folder of a module: a descriptor in @p ret. ERROR_LOOKUP: the module has none. */
struct error *control_open_folder(const char *module, int *ret);

/** Open the control file: this process drives the session from now on. */
struct error *control_open(int folder, const char *module, int *ret);

/** Write one command. errno of the kernel in error->errnum. */
struct error *control_command(int control, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct error *control_read_status(int control, struct control_status *status);

/** The same of a module that this process does not drive. Without the file, all is 0. */
void control_look(int folder, struct control_status *status);

/**
 * Open the trace files that are not open yet.
 *
 * @param[in] folder From control_open_folder().
 * @param[in] is_open One byte per processor number, @p limit of them; set for each file opened.
 * @param[in] opened Called with each descriptor, which it takes over.
 */
struct error *control_open_traces(int folder, char *is_open, unsigned int limit,
				  void (*opened)(void *data, unsigned int cpu, int fd), void *data);

/** Call @p visit with the name of each module that has a folder in debugfs. */
struct error *control_each_module(void (*visit)(void *data, const char *module), void *data);

#endif
