/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes that are armed only while a condition holds, and those that the user has switched off. */
#ifndef SPILE_RUNTIME_CORE_CONDITION_H
#define SPILE_RUNTIME_CORE_CONDITION_H

#include "runtime/core/internal.h"

SHARED int conditions_create(void);
SHARED void conditions_destroy(void);
/** Called before and after the families arm; the first under the arming lock. Task context. */
SHARED void conditions_before_arming(void);
SHARED void conditions_armed(void);
/** Reevaluate all conditions, after globals were changed from user space. */
SHARED void conditions_changed(void);
/** Return whether the probe should be armed now: its condition holds and it is not switched off. */
SHARED bool probe_is_wanted(const struct stp_probe *probe);
/** Return whether the user has switched the probe off. Any context. */
SHARED bool probe_is_off(const struct stp_probe *probe);
/** Return whether the user can switch the probe: not begin, end, error, or a probe that serves others. */
SHARED bool probe_is_switchable(const struct stp_probe *probe);
/**
 * Switch a probe on or off and arm or disarm it, whatever its condition. Task context, may sleep.
 *
 * @param index The probe, or PROBE_ALL.
 * @return -ENOENT if there is no such probe, -EINVAL if it cannot be switched.
 */
SHARED int probe_switch(unsigned int index, bool on);
#define PROBE_ALL (~0u)
/** Return how often probes were armed or disarmed since the start. */
SHARED unsigned long conditions_rearmed(void);

#endif
