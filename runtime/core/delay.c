// SPDX-License-Identifier: GPL-2.0-or-later
/* Delays in any context. */
#include <linux/delay.h>
#include <linux/ktime.h>

#include "runtime/core/delay.h"
#include "runtime/core/internal.h"

void delay_by_clock(s64 microseconds)
{
	u64 start = ktime_get_mono_fast_ns(), now = start, before;
	s64 asked = 0;

	while ((s64)(now - start) < microseconds * NSEC_PER_USEC) {
		s64 step = clamp_t(s64, microseconds - asked, 1, USEC_PER_MSEC);

		cpu_relax(); /* a virtual CPU yields here, while udelay() may be a bare loop */
		udelay(step);
		asked += step;
		before = now;
		now = ktime_get_mono_fast_ns();
		if (asked >= microseconds && now == before)
			return;
	}
}
