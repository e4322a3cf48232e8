/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of the current process. */
#ifndef SPILE_RUNTIME_USER_MEMORY_H
#define SPILE_RUNTIME_USER_MEMORY_H

#include "runtime/core/internal.h"

/** Copy from the current process's memory. Return false if a page is missing and must not be read in. */
SHARED bool read_user(void *to, unsigned long from, unsigned int size);

#endif
