/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every file of the runtime includes: the declarations that scripts share with it, and the marks of functions. The
 * rest of the headers belong to a file each. The life of a session is described in doc/runtime.md.
 */
#ifndef SPILE_RUNTIME_CORE_INTERNAL_H
#define SPILE_RUNTIME_CORE_INTERNAL_H

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "runtime/script/script.h"

/*
 * Marks a function that is inlined because it runs on every hit; the call would cost more than the body. All its
 * callers are in unit_fast.c, which makes it static, so it may be called before it is defined.
 */
#ifndef HOT
#define HOT
#endif

/* Marks what one translation unit of the runtime uses of the other, where there are two (unit_fast.c). */
#ifdef STP_USER_SPACE
#define SHARED STP_USED
#else
#define SHARED
#endif

#endif
