/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breakpoints of arm64; see runtime/arch/breakpoints.h. */
#ifndef SPILE_RUNTIME_ARCH_ARM64_BREAKPOINTS_H
#define SPILE_RUNTIME_ARCH_ARM64_BREAKPOINTS_H

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "runtime/abi/layout.h"

/* The exception counts as disabled preemption only (arch/arm64/mm/fault.c, debug_exception_enter()). */
enum { BREAKPOINT_PREEMPT_COUNT = 0 };

#define WATCHPOINTS_EXIST "most processors have 4"
/* arch/arm64/kernel/hw_breakpoint.c, watchpoint_report() */
#define WATCHPOINTS_PASS_ANY_HANDLER 0

/* The kernel only uses breakpoints. */
static inline bool kprobe_uses_ftrace(const struct stp_probe *probe)
{
	return false;
}

/* brk with any number */
static inline bool is_breakpoint(const u8 *bytes, unsigned int size)
{
	u32 code = 0;

	memcpy(&code, bytes, min_t(unsigned int, size, sizeof(code)));
	return (code & 0xffe0001f) == 0xd4200000;
}

#endif
