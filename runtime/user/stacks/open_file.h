/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a file that a process maps. */
#ifndef SPILE_RUNTIME_USER_STACKS_OPEN_FILE_H
#define SPILE_RUNTIME_USER_STACKS_OPEN_FILE_H

#include "runtime/core/internal.h"

struct file;
struct user_file;

/**
 * Return a new reference to a file that a process maps, or to a perf map, which is opened with the process's
 * credentials. Return NULL if it no longer exists, or a perf map cannot be trusted. May sleep.
 *
 * @param trusted If false, consider only processes that the session's user may ptrace(), and only perf maps that the
 *                caller may read.
 */
struct file *user_file_open(const struct user_file *file, bool trusted);

#endif
