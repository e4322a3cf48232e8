/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers that may begin again; see restart.c. */
#ifndef SPILE_EMIT_RESTART_H
#define SPILE_EMIT_RESTART_H

#include "translator/translation.h"

/** Does nothing that a probe's handler does before it last reads memory of the process stay? */
bool handler_restarts(const struct derived_probe *probe);

#endif
