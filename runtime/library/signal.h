/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that handlers have raised. */
#ifndef SPILE_RUNTIME_LIBRARY_SIGNAL_H
#define SPILE_RUNTIME_LIBRARY_SIGNAL_H

#include "runtime/core/internal.h"

/** Send the signals that handlers have raised, before the module is unloaded. */
SHARED void signals_finish(void);

#endif
