/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function entries by ftrace on arm64; see runtime/arch/function_entry.h.
 *
 * Up to 6.1 there is a struct pt_regs, in which all registers are set only with FTRACE_OPS_FL_SAVE_REGS. Since 6.2,
 * struct ftrace_regs has only x0 to x8, the frame pointer, the link register, the stack pointer and the program
 * counter. Handlers get a copy of these.
 */
#ifndef SPILE_RUNTIME_ARCH_ARM64_FUNCTION_ENTRY_H
#define SPILE_RUNTIME_ARCH_ARM64_FUNCTION_ENTRY_H

#include <linux/ftrace.h>

#include "runtime/compat/compat.h"

static inline bool entry_has_registers(void)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS);
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS

#ifdef arch_ftrace_regs /* 6.13, and stable 6.12 */
#define entry_saved(fregs) arch_ftrace_regs(fregs)
#else
#define entry_saved(fregs) (fregs)
#endif

/* Only the registers that struct ftrace_regs has, and the mode, are set. */
struct entry_registers {
	struct pt_regs regs;
};

static __always_inline struct pt_regs *entry_registers_take(struct entry_registers *room,
							    struct compat_ftrace_regs *fregs)
{
	struct pt_regs *regs = &room->regs;

	memcpy(regs->regs, entry_saved(fregs)->regs, sizeof(entry_saved(fregs)->regs));
	regs->regs[29] = entry_saved(fregs)->fp;
	regs->regs[30] = entry_saved(fregs)->lr;
	regs->sp = entry_saved(fregs)->sp;
	regs->pc = entry_saved(fregs)->pc;
	regs->pstate = PSR_MODE_EL1h;
	return regs;
}

/* Only these can be changed at a function's entry. */
static __always_inline void entry_registers_return(const struct entry_registers *room, struct compat_ftrace_regs *fregs)
{
	memcpy(entry_saved(fregs)->regs, room->regs.regs, sizeof(entry_saved(fregs)->regs));
	entry_saved(fregs)->lr = room->regs.regs[30];
}

#else

struct entry_registers {
};

/* The kernel does not set the mode. */
static __always_inline struct pt_regs *entry_registers_take(struct entry_registers *room,
							    struct compat_ftrace_regs *fregs)
{
#ifdef HAS_FTRACE_REGS
	struct pt_regs *regs = ftrace_get_regs(fregs);
#else
	struct pt_regs *regs = fregs;
#endif

	regs->pstate = PSR_MODE_EL1h;
	return regs;
}

static __always_inline void entry_registers_return(const struct entry_registers *room, struct compat_ftrace_regs *fregs)
{
}

#endif

static __always_inline void entry_as_breakpoint(struct pt_regs *regs, unsigned long ip)
{
	regs->pc = ip;
}

#endif
