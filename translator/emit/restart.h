/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers that may be restarted after a page fault; see restart.c. */
#ifndef SPILE_EMIT_RESTART_H
#define SPILE_EMIT_RESTART_H

#include "translator/translation.h"

/** Has the handler no lasting effect before its last read of process memory, so that it may run again? */
bool handler_restarts(const struct derived_probe *probe);

#endif
