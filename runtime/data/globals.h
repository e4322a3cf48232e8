/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of globals. */
#ifndef SPILE_RUNTIME_DATA_GLOBALS_H
#define SPILE_RUNTIME_DATA_GLOBALS_H

#include "runtime/core/internal.h"

SHARED int globals_create(void);
SHARED void globals_destroy(void);
/** Set a number or string before the start. Return -ENOENT if there is no such global, or it cannot be set. */
SHARED int globals_set(const char *name, const char *value);
SHARED size_t globals_memory(void);
/** Save the values of all globals as their initial ones. Called before the begin probes. */
SHARED int globals_begin(void);
/** Restore the initial values of all globals. No handler may run. */
SHARED void globals_reset(void);

#endif
