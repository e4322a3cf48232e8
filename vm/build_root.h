/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compilers and tools of another Debian release, in the cache; see build_root.c. */
#ifndef SPILE_VM_BUILD_ROOT_H
#define SPILE_VM_BUILD_ROOT_H

#include "common/base/error.h"
#include "vm/archive.h"

/** Name of the link from an unpacked kernel's directory to its build root. stap follows it, too (debuginfo/kernel). */
#define BUILD_ROOT_LINK "build-root"

/** Directory of the build roots, in the kernels directory of the cache. It is exempt from the cache limit. */
#define BUILD_ROOTS_DIRECTORY ".build-roots"

/**
 * Ensure that the cache has the tools to build modules for a kernel.
 *
 * @param[in] kernels The kernels directory of the cache.
 * @param[in] headers The kernel's headers package; its dependencies are installed in the build root.
 * @param[out] name Name of the build root's directory. Kernels of a suite with the same compiler share one. Free with
 *            g_free().
 */
struct error *build_root_fetch(const struct archive *archive, const char *kernels, const char *headers, char **name);

#endif
