/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Build the initial root file system of a guest. */
#ifndef SPILE_VM_INITRAMFS_H
#define SPILE_VM_INITRAMFS_H

#include "vm/cache.h"

/**
 * Build the initial root common to all guests of a kernel: the agent, busybox, and the modules of the port.
 *
 * @param[out] fd A file in memory, to be closed by the caller.
 */
struct error *initramfs_base(const struct kernel *kernel, int *fd);

/**
 * Build the archive with the files of one guest, which is unpacked over the base.
 *
 * @param[in] modules Names of modules to load after the files are unpacked, or NULL. Only they need @p kernel.
 * @param[in] files HOSTPATH[:GUESTPATH] strings. Libraries of dynamically linked programs and the contents of
 *            directories are included.
 * @param[out] fd A file in memory, to be closed by the caller.
 */
struct error *initramfs_pack(const struct kernel *kernel, char **modules, char **files, int *fd);

/** Append an archive to another; the kernel unpacks both. */
struct error *initramfs_append(int to, int from);

/** Return the path in the guest of a HOSTPATH[:GUESTPATH]. Free with g_free(). */
char *initramfs_guest_path(const char *text);

#endif
