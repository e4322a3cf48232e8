/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers in struct pt_regs, and those that it does not contain. For each architecture:
 *
 * - runs_64bit_code(regs): whether the registers are of a 64-bit program or of the kernel.
 * - probed_instruction(regs): the address of the instruction that a kprobe's handler was called for.
 * - stack_pointer_set(regs, value).
 * - call_pushes(word): how many bytes a call puts onto the stack, in a program with words of this size.
 * - address_at_exit(regs, word, ret): the return address at an instruction of a program that returns from a function.
 *   Return false if it cannot be read.
 * - without_authentication(address): a code address without the authentication code that its upper bits may contain.
 * - own_thread_pointer(): the thread pointer of the current program's thread.
 */
#ifndef SPILE_RUNTIME_ARCH_REGISTERS_H
#define SPILE_RUNTIME_ARCH_REGISTERS_H

#if defined(__x86_64__)
#include "runtime/arch/x86/registers.h"
#elif defined(__aarch64__)
#include "runtime/arch/arm64/registers.h"
#endif

#endif
