/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which paths root may use. What root finds in a directory of ours gets into the kernel, or is run: kernels and their
 * makefiles, modules, the rc file, trusted servers, temporary directories. So root uses a path only if nobody else can
 * change what it names, whatever the environment says that sudo -E or su -m kept. Without GLib, for staprun.
 */
#ifndef SPILE_UTIL_ROOT_PATHS_H
#define SPILE_UTIL_ROOT_PATHS_H

#include <stdbool.h>

/**
 * May the caller use this path? Users other than root choose for themselves: always true.
 *
 * Each directory and link on the way, and the file itself, must belong to root and be writable by nobody else; in a
 * directory with the sticky bit, a name that exists is enough. So there is nothing to race with. What does not exist
 * may be made by the caller, but not in a directory where others can make it first.
 *
 * @param[out] culprit If not: which directory, link or file is the reason. Free it with free(). May stay NULL.
 */
bool root_may_use(const char *path, char **culprit);

/**
 * Stop using what the environment names and root must not use: HOME is root's own from then on, other variables are
 * unset. Each is told on standard error. Only the first call does anything; whoever reads such a variable calls it
 * before.
 */
void environment_check(void);

/** Give HOME and similar variables back as they were, before the user's own command is started. */
void environment_restore(void);

#endif
