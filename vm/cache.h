/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache directory and the kernels in it.
 *
 * CACHE/kernels/RELEASE/ is a Debian kernel unpacked as under "/": boot/vmlinuz-RELEASE, lib/modules/RELEASE,
 * usr/src/linux-headers-RELEASE and usr/lib/debug. CACHE/kernels/debug-* are build trees. Names that start with a dot
 * are work in progress.
 */
#ifndef SPILE_VM_CACHE_H
#define SPILE_VM_CACHE_H

#include <glib.h>
#include <stdbool.h>

#include "common/architecture.h"
#include "common/base/error.h"

/** A bootable kernel. */
struct kernel {
	char *name; /* as the user names it */
	char *root; /* its root directory */
	char *release; /* what uname -r prints in the guest */
	const struct architecture *architecture;
	char *image; /* the image that QEMU boots */
	char *modules; /* .../lib/modules/RELEASE, or NULL for a build tree */
	bool has_virtio_console; /* built in or as a module */
};

/** Return CACHE/kernels; create it if it does not exist. */
struct error *cache_kernels_directory(char **directory);

/**
 * Lock one kernel of the cache against other stap-vm processes; wait for the lock.
 *
 * @param[out] fd Close it to unlock. Programs run in between inherit it, so a program left behind by a killed stap-vm
 *            must end first.
 */
struct error *cache_lock(const char *kernels, const char *name, int *fd);

/** Return an error if fewer than @p needed bytes are free, to fail before gigabytes are unpacked. */
struct error *cache_check_space(const char *directory, guint64 needed);

/** Return the names of the kernels in the cache, newest first. Free with g_ptr_array_unref(). */
GPtrArray *cache_kernels(void);

/**
 * Find a kernel to boot.
 *
 * @param[in] name A release, a short form (see release.h) or the name of a kernel in the cache. With a '/', the path of
 *            an unpacked root or of a kernel build tree. Kernels installed on this machine are searched if the cache
 *            has no match.
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
