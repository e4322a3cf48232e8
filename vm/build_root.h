/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compilers and tools of another Debian, in the cache; see build_root.c. */
#ifndef SPILE_VM_BUILD_ROOT_H
#define SPILE_VM_BUILD_ROOT_H

#include "translator/util/error.h"
#include "vm/archive.h"

/** The link in an unpacked kernel's folder that leads to its build root. stap knows it, too (debuginfo/kernel). */
#define BUILD_ROOT_LINK "build-root"

/** The folder that holds them, among the kernels of the cache, where nothing is removed to save space. */
#define BUILD_ROOTS_FOLDER ".build-roots"

/**
 * Make sure that the cache has what building for a kernel takes.
 *
 * @param[in] kernels The folder of the cache's kernels.
 * @param[in] headers The package of the kernel's headers: what it depends on is what is needed.
 * @param[out] name Of the folder; kernels of a suite that were made by the same compiler share one. Free with g_free().
 */
struct error *build_root_fetch(const struct archive *archive, const char *kernels, const char *headers, char **name);

#endif
