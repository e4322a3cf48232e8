/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data about registers for library/registers.c. Each architecture defines:
 *
 * - named_registers[]: the registers by their names.
 * - TASK_REGISTERS: how many words of struct pt_regs are registers.
 * - argument_offsets[]: where struct pt_regs has the registers of a function's arguments.
 * - stack_arguments(regs): the address of the first argument on the stack, at the entry of a function.
 * - print_all_registers(c, regs): some lines of text.
 * - read_vector(number): the low 64 bits of a vector register of the current program. Interrupts are off.
 */
#ifndef SPILE_RUNTIME_ARCH_REGISTER_NAMES_H
#define SPILE_RUNTIME_ARCH_REGISTER_NAMES_H

#include <linux/ptrace.h>

/* Names of the full register, then of its low 32 bits. */
struct named_register {
	unsigned int offset; /* in struct pt_regs */
	const char *names[3];
	const char *half;
};

#if defined(__x86_64__)
#include "runtime/arch/x86/register_names.h"
#elif defined(__aarch64__)
#include "runtime/arch/arm64/register_names.h"
#endif

#endif
