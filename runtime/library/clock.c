// SPDX-License-Identifier: GPL-2.0-or-later
/* Clocks that can be read in any context, and delays. */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/timex.h>

#include "runtime/compat/compat.h"
#include "runtime/core/delay.h"
#include "runtime/core/internal.h"
#include "runtime/library/cpu.h"

stp_long stp_time_ns(void)
{
	return ktime_get_real_fast_ns(); /* safe in NMIs, unlike ktime_get_real_ns() */
}

stp_long stp_jiffies(void)
{
	return jiffies;
}

stp_long stp_hz(void)
{
	return HZ;
}

stp_long stp_cycles(void)
{
	return get_cycles();
}

stp_long stp_monotonic_ns(void)
{
	return ktime_get_mono_fast_ns(); /* safe in NMIs */
}

stp_long stp_cpu_clock(struct stp_context *c, stp_long cpu)
{
	return is_processor(c, cpu) ? compat_cpu_clock(cpu) : 0;
}

stp_long stp_local_clock(void)
{
	return compat_cpu_clock(raw_smp_processor_id()); /* = local_clock(), which 6.1 does not export */
}

/* ---- delays, for guru mode --------------------------------------------------------------------------------------- */

enum { LONGEST_DELAY = 10 * USEC_PER_SEC };

void stp_delay(struct stp_context *c, stp_long microseconds)
{
	if (microseconds > LONGEST_DELAY) {
		stp_error(c, "a delay may last 10 seconds, not %lld us", microseconds);
		return;
	}
	delay_by_clock(microseconds);
}
