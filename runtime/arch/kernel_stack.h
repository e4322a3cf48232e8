/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks of kernel stacks (library/stack.c), in any context including NMI. For each architecture, functions that write
 * at most @p most addresses, innermost first, and return their number. They set *is_cut if there are further frames, as
 * far as that is known:
 *
 * - walk_from_registers(regs, addresses, most, is_cut): from registers of the kernel. The first address is that of the
 *   instruction pointer.
 * - walk_from_callback(regs, addresses, most, is_cut): from the registers that CALLBACK_REGISTERS has made up
 *   (callback.h). Frames inside the callback are omitted.
 * - walk_task(task, addresses, most, is_cut): of a task that does not run, or the current one. The stack stays mapped.
 */
#ifndef SPILE_RUNTIME_ARCH_KERNEL_STACK_H
#define SPILE_RUNTIME_ARCH_KERNEL_STACK_H

#if defined(__x86_64__)
#include "runtime/arch/x86/kernel_stack.h"
#elif defined(__aarch64__)
#include "runtime/arch/arm64/kernel_stack.h"
#endif

#endif
