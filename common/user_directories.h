/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's directories: the cache, settings, the rc file, temporary files. The environment names them. Root uses them
 * only if no other user can change them (root_paths.h). Otherwise a warning is printed, and root's home is used
 * instead.
 */
#ifndef SPILE_COMMON_USER_DIRECTORIES_H
#define SPILE_COMMON_USER_DIRECTORIES_H

#include <glib.h>
#include <stdbool.h>

/** Return $SPILE_CACHE, $XDG_CACHE_HOME/spile or ~/.cache/spile. It may not exist; use cache_place() for its files. */
const char *cache_directory(void);

/**
 * Return the path of a directory in the cache, or of @p name in it (may be NULL).
 *
 * @return Free it with g_free(). NULL, after printing a warning once, if root must not use it.
 */
char *cache_place(const char *directory, const char *name);

/** Return the directory of stap's own cache: in cache_directory(), or $SYSTEMTAP_DIR/cache if that is set. */
const char *translation_cache_directory(void);
/** The same, or NULL if root must not use it because others can change it. */
const char *usable_translation_cache(void);

/** Return $SPILE_CONFIG, $XDG_CONFIG_HOME/spile or ~/.config/spile. */
const char *config_directory(void);

/**
 * Return the path of a file in $XDG_STATE_HOME/spile or ~/.local/state/spile, whose directory may not exist.
 *
 * @return Free it with g_free(). NULL, after printing a warning once, if root must not use it.
 */
char *state_place(const char *name);

/** Return a path that the user has typed, with their home directory for "~/". Free it with g_free(). */
char *typed_path(const char *typed);

/** Return $SYSTEMTAP_DIR/rc or ~/.systemtap/rc. Free it with g_free(). */
char *rc_file(void);

/**
 * Return a character of a path because of which the kernel's makefiles cannot build there, or would run a part of the
 * path as a command; or NUL.
 */
char path_character_unfit_for_make(const char *path);

/** Return $TMPDIR or /tmp. Ignore a TMPDIR that is unfit for make with a warning. */
const char *temporary_directory(void);

/** May the caller use a path in one of these? If root must not, print a warning once. */
bool user_path_is_safe(const char *path);

#endif
