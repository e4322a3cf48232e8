/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's own directories: the cache, settings, the rc file, temporary files. The environment names them, and root
 * uses them only if nobody else can change what is in them (root_paths.h). A variable that names such a directory is
 * reported and ignored; root's own home takes its place.
 */
#ifndef SPILE_UTIL_USER_FOLDERS_H
#define SPILE_UTIL_USER_FOLDERS_H

#include <glib.h>
#include <stdbool.h>

/** $SPILE_CACHE, $XDG_CACHE_HOME/spile or ~/.cache/spile; may not exist yet. See cache_place() for what is in it. */
const char *cache_folder(void);

/**
 * A directory of the cache, or one in it (@p name may be NULL).
 *
 * @return NULL if root must not use it, which is told once. Else free it with g_free().
 */
char *cache_place(const char *folder, const char *name);

/** What stap itself caches: in cache_folder(), or in $SYSTEMTAP_DIR/cache if that is set. */
const char *translation_cache_folder(void);

/** $SPILE_CONFIG, $XDG_CONFIG_HOME/spile or ~/.config/spile. */
const char *config_folder(void);

/** $SYSTEMTAP_DIR/rc or ~/.systemtap/rc. Free it with g_free(). */
char *rc_file(void);

/** $TMPDIR or /tmp. */
const char *temporary_folder(void);

/** May the caller use a path in one of these? If root must not, it is told once. */
bool user_path_is_safe(const char *path);

#endif
