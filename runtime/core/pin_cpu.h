/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers must stay on one CPU. Tracepoints disable preemption for their callbacks only before 6.19. */
#ifndef SPILE_RUNTIME_CORE_PIN_CPU_H
#define SPILE_RUNTIME_CORE_PIN_CPU_H

#include <linux/preempt.h>

static __always_inline bool pin_cpu(void)
{
	if (preempt_count())
		return false;
	preempt_disable_notrace();
	return true;
}

static __always_inline void unpin_cpu(const bool *begun)
{
	if (*begun)
		preempt_enable_notrace();
}

/** Disable preemption until the end of the block; use it as a declaration. */
#define PIN_CPU bool is_pinned __attribute__((cleanup(unpin_cpu), unused)) = pin_cpu()

#endif
