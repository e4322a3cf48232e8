/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers must stay on one CPU. Tracepoints disable preemption for their callbacks only before 6.19. */
#ifndef SPILE_RUNTIME_CORE_PIN_CPU_H
#define SPILE_RUNTIME_CORE_PIN_CPU_H

#include <linux/preempt.h>

static __always_inline bool begin_to_stay(void)
{
	if (preempt_count())
		return false;
	preempt_disable_notrace();
	return true;
}

static __always_inline void end_to_stay(const bool *begun)
{
	if (*begun)
		preempt_enable_notrace();
}

/** Disable preemption until the end of the block; use it as a declaration. */
#define STAYS_HERE bool stays_here __attribute__((cleanup(end_to_stay), unused)) = begin_to_stay()

#endif
