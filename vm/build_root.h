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

/** The tools of a build root. */
struct build_root_needs {
	const struct architecture *architecture; /* of the modules that the tools build */
	/* The packages with the compiler and the kernel's own tools, then NULL; their dependencies are added. */
	const char *const *packages;
};

/**
 * Ensure that the cache has the tools to build modules for a kernel.
 *
 * @param[in] archive The packages for this machine, of the kernel's suite.
 * @param[in] kernels The kernels directory of the cache.
 * @param[out] name Name of the build root's directory. Kernels of a suite with the same compiler share one. Free with
 *            g_free().
 */
struct error *build_root_fetch(const struct archive *archive, const char *kernels, const struct build_root_needs *needs,
			       char **name);

/** Return the package of a compiler ("gcc-14") that runs here and compiles for an architecture. Free it. */
char *build_root_cross_compiler(const char *compiler, const struct architecture *architecture);

#endif
