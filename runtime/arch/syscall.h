/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls. For each architecture:
 *
 * - task_is_32_bit(): whether the current task's system call is one of a 32-bit program.
 * - SYSCALL_PAIRS_ARE_EVEN: whether the two registers of a 64-bit argument of a 32-bit program begin at an even one.
 * - SYSCALL_FUNCTION(name): the kernel's function for a system call of 64-bit programs, as a string. Its only argument
 *   is the struct pt_regs.
 */
#ifndef SPILE_RUNTIME_ARCH_SYSCALL_H
#define SPILE_RUNTIME_ARCH_SYSCALL_H

#if defined(__x86_64__)
#include "runtime/arch/x86/syscall.h"
#elif defined(__aarch64__)
#include "runtime/arch/arm64/syscall.h"
#endif

#endif
