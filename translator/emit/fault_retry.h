/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers that may be restarted after a page fault; see fault_retry.c. */
#ifndef SPILE_EMIT_FAULT_RETRY_H
#define SPILE_EMIT_FAULT_RETRY_H

#include "translator/translation.h"

/** Has the handler no lasting effect before its last read of process memory, so that it may run again? */
bool handler_restarts(const struct derived_probe *probe);

#endif
