/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers that wait for memory of a program. */
#ifndef SPILE_RUNTIME_CORE_HANDLER_SLEEP_H
#define SPILE_RUNTIME_CORE_HANDLER_SLEEP_H

#include "runtime/core/internal.h"

struct full_context;

/**
 * Detach the running handler from this CPU so that it may sleep, and enable preemption. Return NULL if it may not
 * sleep. The result is for context_sleep_end().
 */
struct full_context *context_sleep_begin(void);
void context_sleep_end(struct full_context *f);
/**
 * Restart the running handler, which may not sleep, after the page of @p address has been read in. A pending error that
 * cannot be caught ends it first. Do nothing if the handler has already done something that cannot be repeated.
 */
SHARED void context_restart(unsigned long address);
/** Read in the page of an address. Return false if it does not exist or the handler may not sleep. */
SHARED bool user_page_in(unsigned long address, unsigned int flags);

#endif
