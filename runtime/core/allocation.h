/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of the script: its limit, and failures for tests. */
#ifndef SPILE_RUNTIME_CORE_ALLOCATION_H
#define SPILE_RUNTIME_CORE_ALLOCATION_H

#include <linux/mm.h> /* kvcalloc() and kvfree() up to 5.15 */
#include <linux/slab.h>

#include "runtime/core/internal.h"

/** Return whether to fail this allocation: the Nth since the module was loaded, with -DSTP_FAIL_ALLOCATION=N. */
SHARED bool allocation_fails(void);

/** Wraps every allocation of the runtime, so that tests can make it fail. */
#define checked(allocation) (allocation_fails() ? NULL : (allocation))

/** Reserve memory from the limit STP_MAXMEMORY. Return false if it would be exceeded. */
SHARED bool memory_take(size_t bytes);

#endif
