/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache folder and the kernels in it.
 *
 * CACHE/kernels/RELEASE/ is a Debian kernel unpacked as under "/": boot/vmlinuz-RELEASE, lib/modules/RELEASE,
 * usr/src/linux-headers-RELEASE and usr/lib/debug. CACHE/kernels/debug-* are build trees. Names that start with a dot
 * are work in progress.
 */
#ifndef SPILE_VM_CACHE_H
#define SPILE_VM_CACHE_H

#include <glib.h>
#include <stdbool.h>

#include "translator/util/error.h"

/** A kernel that can be booted. */
struct kernel {
	char *name; /* as the user knows it */
	char *root; /* the folder it lives in */
	char *release; /* what uname -r says in the guest */
	char *image; /* what QEMU boots */
	char *modules; /* .../lib/modules/RELEASE, or NULL for a build tree */
	bool has_virtio_console; /* built in or as a module */
};

/** CACHE/kernels, made if need be. */
struct error *cache_kernels_folder(char **folder);

/**
 * Wait for the right to work on one kernel of the cache.
 *
 * @param[out] fd Close it to give the right back. Programs that are run meanwhile inherit it: what a killed stap-vm
 * left
 *                running has to end first.
 */
struct error *cache_lock(const char *kernels, const char *name, int *fd);

/** Refuse early what cannot fit: unpacking gigabytes first and failing then helps nobody. */
struct error *cache_check_space(const char *folder, guint64 needed);

/** The names of the kernels in the cache, newest first; free with g_ptr_array_unref(). */
GPtrArray *cache_kernels(void);

/**
 * Find a kernel to boot.
 *
 * @param[in] name A release, a short form (see release.h), the name of a kernel in the cache, or (with a '/') the path
 *                 of an unpacked root or of a kernel build tree. A release that the cache does not have may be one that
 *                 is installed on this machine.
 * @param[out] kernel Free with kernel_free().
 */
struct error *cached_kernel_find(const char *name, struct kernel **kernel);

void kernel_free(struct kernel *kernel);

static inline void cleanup_kernel(struct kernel **kernel)
{
	kernel_free(*kernel);
}
#define _cleanup_kernel_ __attribute__((cleanup(cleanup_kernel)))

#endif
