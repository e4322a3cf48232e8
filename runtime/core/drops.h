/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count the elements that programs in D drop because an array is full. */
#ifndef SPILE_RUNTIME_CORE_DROPS_H
#define SPILE_RUNTIME_CORE_DROPS_H

#include "runtime/core/internal.h"

enum drop_kind { DROP_VARIABLE, DROP_AGGREGATION, DROP_KIND_COUNT_ };

/** Count an element that was dropped on this CPU, until stp_report_drops(). Any context. */
SHARED void count_drop(enum drop_kind kind);
/** Return where to write the value of an element that was dropped: 0 for now, as for a new element. */
stp_long *slot_of_dropped(struct stp_context *c);

#endif
