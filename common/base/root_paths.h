/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check which paths root may use. Files in our directories are loaded into the kernel or executed: kernels and their
 * makefiles, modules, the rc file, trusted servers, temporary files. So root uses a path only if no other user can
 * change it, even if the environment names it (as after sudo -E or su -m).
 */
#ifndef SPILE_BASE_ROOT_PATHS_H
#define SPILE_BASE_ROOT_PATHS_H

#include <stdbool.h>

/**
 * May the caller use this path? Always true for users other than root.
 *
 * Each directory and link on the path, and the file itself, must belong to root and not be writable by others. In a
 * sticky directory, it suffices that the name exists. So there is no race. The path may end in a file that does not
 * exist, unless others could create it first.
 *
 * @param[out] culprit If not: the directory, link or file that is the reason, or NULL. Free it with free().
 */
bool root_may_use(const char *path, char **culprit);

/**
 * Unset environment variables with paths that root must not use, and set HOME to root's own. Print a warning for each.
 * Only the first call has an effect. Call it before reading such a variable.
 */
void environment_check(void);

struct passwd;

/** Let the environment name the directories of a user that root has become, and none of root's. */
void environment_become(const struct passwd *user);

/** Restore the original environment, before starting the user's command. */
void environment_restore(void);

#endif
