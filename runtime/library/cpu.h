/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs. */
#ifndef SPILE_RUNTIME_LIBRARY_CPU_H
#define SPILE_RUNTIME_LIBRARY_CPU_H

#include "runtime/core/internal.h"

/** Return whether a CPU exists; otherwise fail with an error of the script. */
bool is_processor(struct stp_context *c, stp_long cpu);

#endif
