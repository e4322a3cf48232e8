/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Breakpoints of kprobes and of debuggers, and watchpoints. For each architecture:
 *
 * - BREAKPOINT_PREEMPT_COUNT: what the exception of a breakpoint adds to preempt_count() in the fields of interrupts
 *   and NMIs.
 * - kprobe_uses_ftrace(probe): whether the kernel uses ftrace for a kprobe at the probe's address, and so decodes no
 *   instruction.
 * - WATCHPOINTS_EXIST: how many debug registers there are, for a message.
 * - WATCHPOINTS_PASS_ANY_HANDLER: whether the access that hits a watchpoint is executed with any handler of the event.
 * - is_breakpoint(bytes, size): whether these bytes of a program begin with a breakpoint instruction.
 */
#ifndef SPILE_RUNTIME_ARCH_BREAKPOINTS_H
#define SPILE_RUNTIME_ARCH_BREAKPOINTS_H

#if defined(__x86_64__)
#include "runtime/arch/x86/breakpoints.h"
#elif defined(__aarch64__)
#include "runtime/arch/arm64/breakpoints.h"
#endif

#endif
