/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest's root folder holds, made on the fly. */
#ifndef SPILE_VM_INITRAMFS_H
#define SPILE_VM_INITRAMFS_H

#include "vm/cache.h"

/**
 * Make the initial root of a guest: the agent, busybox, modules and the user's files.
 *
 * @param[in] modules Names of modules to load at boot, or NULL.
 * @param[in] files HOSTPATH[:GUESTPATH] texts, or NULL. A dynamically linked program brings its libraries along; a
 *                  folder all that is in it.
 * @param[out] fd A file in memory, to be closed by the caller.
 */
struct error *initramfs_build(const struct kernel *kernel, char **modules, char **files, int *fd);

/** Where a HOSTPATH[:GUESTPATH] goes in the guest; free with g_free(). */
char *initramfs_guest_path(const char *text);

/** The user's files alone, as a cpio archive for a guest that runs already. */
struct error *initramfs_pack(char **files, int *fd);

#endif
