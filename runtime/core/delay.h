/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Delays in any context. */
#ifndef SPILE_RUNTIME_CORE_DELAY_H
#define SPILE_RUNTIME_CORE_DELAY_H

#include "runtime/core/internal.h"

/**
 * Busy-wait by the clock, in any context. udelay() alone is wrong by up to a factor of 200 on virtual CPUs, where its
 * loop is not calibrated. Where the clock stands still, as jiffies do with interrupts off, trust udelay().
 */
SHARED void delay_by_clock(s64 microseconds);

#endif
