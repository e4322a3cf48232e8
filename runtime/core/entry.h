/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data of a call from its entry to its return. */
#ifndef SPILE_RUNTIME_CORE_ENTRY_H
#define SPILE_RUNTIME_CORE_ENTRY_H

#include "runtime/core/internal.h"

/* Recorders come after the probes of the script. */
static inline const struct stp_probe *recorder_probe(unsigned int recorder)
{
	return &stp_script.probes[stp_script.probe_count - stp_script.recorder_count + recorder];
}

struct instance_data {
	u64 valid;
	char values[];
};

#endif
