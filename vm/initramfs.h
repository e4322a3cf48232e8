/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest's root folder holds, made on the fly. */
#ifndef SPILE_VM_INITRAMFS_H
#define SPILE_VM_INITRAMFS_H

#include "vm/cache.h"

/**
 * Make the initial root of every guest of a kernel: the agent, busybox, the modules of the port.
 *
 * @param[out] fd A file in memory, to be closed by the caller.
 */
struct error *initramfs_base(const struct kernel *kernel, int *fd);

/**
 * Make the archive of what is one guest's own; it goes over the base.
 *
 * @param[in] modules Names of modules to load when the files are there, or NULL; only then is a kernel needed.
 * @param[in] files HOSTPATH[:GUESTPATH] texts. A dynamically linked program brings its libraries along; a folder all
 *                  that is in it.
 * @param[out] fd A file in memory, to be closed by the caller.
 */
struct error *initramfs_pack(const struct kernel *kernel, char **modules, char **files, int *fd);

/** Put an archive behind another: the kernel unpacks both. */
struct error *initramfs_append(int to, int from);

/** Where a HOSTPATH[:GUESTPATH] goes in the guest; free with g_free(). */
char *initramfs_guest_path(const char *text);

#endif
