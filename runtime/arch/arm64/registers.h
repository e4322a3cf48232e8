/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of arm64; see runtime/arch/registers.h. */
#ifndef SPILE_RUNTIME_ARCH_ARM64_REGISTERS_H
#define SPILE_RUNTIME_ARCH_ARM64_REGISTERS_H

#include <linux/compat.h>
#include <linux/ptrace.h>
#include <asm/sysreg.h>

/* The processor knows which bits these are. Processors without such codes do nothing. */
static __always_inline unsigned long without_authentication(unsigned long address)
{
	register unsigned long link asm("x30") = address;

	asm("hint #7" /* xpaclri */ : "+r"(link));
	return link;
}

static __always_inline bool runs_64bit_code(const struct pt_regs *regs)
{
	return !compat_user_mode(regs);
}

static inline unsigned long probed_instruction(const struct pt_regs *regs)
{
	return regs->pc;
}

static __always_inline void stack_pointer_set(struct pt_regs *regs, unsigned long value)
{
	regs->sp = value;
}

/* The return address is in a register. */
static __always_inline unsigned int call_pushes(unsigned int word)
{
	return 0;
}

static inline bool address_at_exit(const struct pt_regs *regs, unsigned int word, unsigned long *ret)
{
	*ret = without_authentication(regs->regs[30]);
	return true;
}

/* The kernel does not change this register, so it is the current thread's, even while it runs in the kernel. */
static inline unsigned long own_thread_pointer(void)
{
	return read_sysreg(tpidr_el0);
}

#endif
