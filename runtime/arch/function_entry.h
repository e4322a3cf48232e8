/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function entries by ftrace (probes/function.c). For each architecture:
 *
 * - entry_has_registers(): whether ftrace can provide all registers. Otherwise there are only those that carry
 *   arguments, and those that the stack walk needs.
 * - struct entry_registers, entry_registers_take(), entry_registers_return(): the struct pt_regs of a callback. What a
 *   handler changes in it is valid after the return.
 * - entry_as_breakpoint(regs, ip): set the instruction pointer to what handlers of kprobes at @p ip expect.
 */
#ifndef SPILE_RUNTIME_ARCH_FUNCTION_ENTRY_H
#define SPILE_RUNTIME_ARCH_FUNCTION_ENTRY_H

#if defined(__x86_64__)
#include "runtime/arch/x86/function_entry.h"
#elif defined(__aarch64__)
#include "runtime/arch/arm64/function_entry.h"
#endif

#endif
