/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debuggers that write where a probe is. */
#ifndef SPILE_RUNTIME_USER_DEBUGGER_H
#define SPILE_RUNTIME_USER_DEBUGGER_H

#include "runtime/core/internal.h"

struct inode;

/**
 * Start and stop to warn about debuggers. May sleep.
 *
 * @param is_armed Returns whether a probe is at an offset of a file. Not called after user_debuggers_ignore().
 */
SHARED void user_debuggers_watch(bool (*is_armed)(const struct inode *inode, loff_t offset));
SHARED void user_debuggers_ignore(void);

#endif
