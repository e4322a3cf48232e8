/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breakpoints of x86-64; see runtime/arch/breakpoints.h. */
#ifndef SPILE_RUNTIME_ARCH_X86_BREAKPOINTS_H
#define SPILE_RUNTIME_ARCH_X86_BREAKPOINTS_H

#include <linux/preempt.h>
#include <linux/types.h>

#include "runtime/abi/layout.h"

/* kernel/entry/common.c, irqentry_nmi_enter() */
enum { BREAKPOINT_PREEMPT_COUNT = NMI_OFFSET + HARDIRQ_OFFSET };

#define WATCHPOINTS_EXIST "x86-64 has 4"
/* The exception comes after the access. */
#define WATCHPOINTS_PASS_ANY_HANDLER 1

/*
 * The kernel moves a kprobe from an endbr64 at the entry to the call site after it (arch/x86/kernel/kprobes/core.c,
 * arch_adjust_kprobe_addr()).
 */
static inline bool kprobe_uses_ftrace(const struct stp_probe *probe)
{
	enum { ENDBR_SIZE = 4 };

	return (probe->flags & STP_PROBE_HAS_FENTRY) && probe->fentry - probe->address <= ENDBR_SIZE;
}

static inline bool is_breakpoint(const u8 *bytes, unsigned int size)
{
	return bytes[0] == 0xcc;
}

#endif
