/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watchpoints in programs; see process_data.c. */
#ifndef SPILE_RUNTIME_PROBES_PROCESS_DATA_H
#define SPILE_RUNTIME_PROBES_PROCESS_DATA_H

#include "runtime/core/internal.h"

/** Watch the current process, which starts the program of a probe with the load bias @p base. May sleep. */
#ifdef STP_WITHOUT_PERF
static inline void process_data_begin(const struct stp_probe *probe, unsigned long base)
{
}
#else
void process_data_begin(const struct stp_probe *probe, unsigned long base);
#endif

#endif
