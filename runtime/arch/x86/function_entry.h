/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function entries by ftrace on x86-64; see runtime/arch/function_entry.h.
 *
 * struct ftrace_regs wraps a struct pt_regs (arch/x86/include/asm/ftrace.h). Without FTRACE_OPS_FL_SAVE_REGS only the
 * registers of the calling convention are set, and ftrace_get_regs() returns NULL. Entry probes read just these, so use
 * the wrapped registers directly.
 */
#ifndef SPILE_RUNTIME_ARCH_X86_FUNCTION_ENTRY_H
#define SPILE_RUNTIME_ARCH_X86_FUNCTION_ENTRY_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>

#include "runtime/compat/compat.h"

static inline bool entry_has_registers(void)
{
	return true;
}

struct entry_registers {
};

static __always_inline struct pt_regs *entry_registers_take(struct entry_registers *room,
							    struct compat_ftrace_regs *fregs)
{
#ifndef HAS_FTRACE_REGS
	return fregs;
#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#ifdef arch_ftrace_regs /* 6.13, and stable 6.12 */
	return &arch_ftrace_regs(fregs)->regs;
#else
	return &fregs->regs;
#endif
#else
	return ftrace_get_regs(fregs);
#endif
}

static __always_inline void entry_registers_return(const struct entry_registers *room, struct compat_ftrace_regs *fregs)
{
}

/* As after a breakpoint. */
static __always_inline void entry_as_breakpoint(struct pt_regs *regs, unsigned long ip)
{
	regs->ip = ip + INT3_INSN_SIZE;
}

#endif
