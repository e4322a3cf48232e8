/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * __has_include for sparse, which does not know it. Every compiler that builds kernels does. To sparse, no optional
 * header exists, as in the oldest supported kernel.
 */
#ifndef SPILE_RUNTIME_COMPAT_HAS_INCLUDE_H
#define SPILE_RUNTIME_COMPAT_HAS_INCLUDE_H

#ifndef __has_include
#define __has_include(header) 0
#endif

#endif
