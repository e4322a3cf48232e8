/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Included by every file of the runtime: the declarations that it shares with scripts, and the marks of functions. Each
 * other header belongs to one file. doc/runtime.md describes the life of a session.
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

/* Marks a function or variable that the other translation unit uses, too (unit_fast.c). */
#define SHARED STP_USED

#endif
