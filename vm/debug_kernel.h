/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel with KASAN, lockdep and other checks; see debug_kernel.c. */
#ifndef SPILE_VM_DEBUG_KERNEL_H
#define SPILE_VM_DEBUG_KERNEL_H

#include "common/architecture.h"
#include "common/base/error.h"

/**
 * Build Debian's 6.1 with a small debug configuration as CACHE/kernels/debug-6.1-..., unless it exists. For another
 * architecture than this machine's, the cross compiler must be installed.
 *
 * @param[in] fragment Configuration to append to that of "make tinyconfig"; NULL: our own debug-kernel.config.
 */
struct error *debug_kernel_build(const char *fragment, const struct architecture *architecture);

#endif
