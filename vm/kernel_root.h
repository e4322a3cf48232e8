/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory of a fetched kernel in the cache; see kernel_root.c. */
#ifndef SPILE_VM_KERNEL_ROOT_H
#define SPILE_VM_KERNEL_ROOT_H

#include <stdbool.h>

#include "common/base/error.h"

/** Return whether @p root has a file; @p format is its path, with "%s" for the release. */
bool kernel_root_has(const char *root, const char *format, const char *release) __attribute__((format(printf, 2, 0)));

/** Return whether @p root has the debug symbols of the kernel, where a distribution puts them. */
bool kernel_root_has_debuginfo(const char *root, const char *release);

/**
 * Return whether the cache has a kernel with everything requested.
 *
 * @param[in] kernels The kernels directory of the cache.
 */
bool kernel_root_is_complete(const char *kernels, const char *release, bool debuginfo);

/**
 * Make the packages that were unpacked in @p work/root usable in place, and rename that directory to @p root. If
 * @p root exists, only move the debug symbols.
 */
struct error *kernel_root_install(const char *work, const char *root, const char *release);

#endif
