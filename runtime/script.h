/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a generated script module sees of the runtime.
 *
 * The translator's output includes this header alone; it pulls in no kernel header, so compiling a script takes
 * milliseconds, and it may be mixed with kernel headers when the script's own embedded C wants them. The runtime
 * proper is compiled once per kernel (kbuild) and linked to the script's object; the two meet at the functions of
 * services.h and at `stp_script`, the table that the translator emits (layout.h).
 *
 * Everything here may be called in any context: task, softirq, hardirq, NMI. Nothing sleeps or allocates.
 */
#ifndef SPILE_RUNTIME_SCRIPT_H
#define SPILE_RUNTIME_SCRIPT_H

#include "layout.h"
#include "regex_table.h"
#include "context.h"
#include "services.h"
#include "primitives.h"

#ifdef STP_KERNEL_HEADERS
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* Many scripts have it, newer kernels no more. */
#undef strlcpy
#define strlcpy(to, from, size) ((size_t)snprintf(to, size, "%s", from))
#endif

#endif
