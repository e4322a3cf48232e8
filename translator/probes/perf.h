/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hardware and software counters of the kernel; see perf.c. */
#ifndef SPILE_PROBES_PERF_H
#define SPILE_PROBES_PERF_H

#include "translator/translation.h"

/** Lower @perf("name"). Return NULL after a diagnostic. */
struct expr *lower_perf(struct translation *t, struct expr *perf);

#endif
