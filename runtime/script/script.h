/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header that generated script modules include.
 *
 * It includes no kernel header, so compiling a script takes milliseconds. It can be combined with kernel headers if the
 * script's embedded C needs them. The rest of the runtime is compiled once per kernel (Kbuild) and linked with the
 * script's object. The two share the functions of services.h and `stp_script`, the table that the translator emits
 * (layout.h).
 *
 * Everything here may be called in any context: task, softirq, hardirq, NMI. Nothing sleeps or allocates.
 */
#ifndef SPILE_RUNTIME_SCRIPT_H
#define SPILE_RUNTIME_SCRIPT_H

#include "runtime/abi/layout.h"
#include "runtime/abi/regex_table.h"
#include "runtime/script/handler.h"
#include "runtime/script/services.h"
#include "runtime/script/primitives.h"

#ifdef STP_KERNEL_HEADERS
#include "runtime/script/systemtap.h"
#endif

#endif
