/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of this boot, and of probes. */
#ifndef SPILE_RUNTIME_CORE_TARGET_H
#define SPILE_RUNTIME_CORE_TARGET_H

#include "runtime/core/internal.h"

SHARED int targets_create(void);
SHARED void targets_destroy(void);
/** Return the address of a target's section, or 0 if its module is not loaded. */
SHARED unsigned long target_base(unsigned int target);
void target_set_base(unsigned int target, unsigned long base);
/** Return the number of probes of a kind. */
unsigned int probe_count(enum stp_probe_kind kind);
/** Return the address of a probe, or 0 if its module is not loaded. */
unsigned long probe_address(const struct stp_probe *probe);

/** Return whether the probe's registers are not real ones but carry the arguments of a callback. */
static inline bool is_callback(const struct stp_probe *probe)
{
	return probe->kind == STP_PROBE_TRACEPOINT || probe->kind == STP_PROBE_NETFILTER;
}

#endif
