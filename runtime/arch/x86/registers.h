/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of x86-64; see runtime/arch/registers.h. */
#ifndef SPILE_RUNTIME_ARCH_X86_REGISTERS_H
#define SPILE_RUNTIME_ARCH_X86_REGISTERS_H

#include <linux/ptrace.h>
#include <asm/msr.h>

#include "runtime/user/memory.h"

/* There are no such codes. */
static __always_inline unsigned long without_authentication(unsigned long address)
{
	return address;
}

static __always_inline bool runs_64bit_code(const struct pt_regs *regs)
{
	return user_64bit_mode((struct pt_regs *)regs);
}

/* The instruction pointer is after the breakpoint, which has one byte. */
static inline unsigned long probed_instruction(const struct pt_regs *regs)
{
	return regs->ip - 1;
}

static __always_inline void stack_pointer_set(struct pt_regs *regs, unsigned long value)
{
	regs->sp = value;
}

/* The return address. */
static __always_inline unsigned int call_pushes(unsigned int word)
{
	return word;
}

static inline bool address_at_exit(const struct pt_regs *regs, unsigned int word, unsigned long *ret)
{
	*ret = 0;
	return read_user(ret, regs->sp, word);
}

/* The kernel does not change this register, so it is the current thread's, even while it runs in the kernel. */
static inline unsigned long own_thread_pointer(void)
{
	return __rdmsr(MSR_FS_BASE);
}

#endif
