/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control file. */
#ifndef SPILE_RUNTIME_CONTROL_CONTROL_H
#define SPILE_RUNTIME_CONTROL_CONTROL_H

#include <linux/types.h>

#include "runtime/core/internal.h"

struct dentry;

/** Create the files "control" and "status". Return 0 or an errno. */
int control_create(struct dentry *directory);
/** Drop the namespaces of the driver. Called when no handler runs. */
void control_forget_namespaces(void);

/** Write the text of the status file. Return its length. */
int session_status(char *text, size_t size);
enum { SESSION_STATUS_SIZE = 1024 };

/**
 * Take the lock under which begin and end probes run and control commands are executed. Return false if it is held,
 * which may last as long as a begin probe waits for the reader of its output.
 */
bool session_try_lock(void);
void session_unlock(void);
/** Copy a line that was written to a file. @p line has STP_COMMAND_LIMIT + 1 bytes. Return 0 or an errno. */
int session_read_line(char *line, const char __user *from, size_t size);
/** Execute a control command that affects only a running script: probe, reset, measure. Needs that lock. */
int session_command(char *line);

#endif
