/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers that run without a context; see counter_handlers.c. */
#ifndef SPILE_EMIT_COUNTER_HANDLERS_H
#define SPILE_EMIT_COUNTER_HANDLERS_H

#include "translator/translation.h"

/** Does a handler only count, so that its C code needs no context? Call after note_conditions(). */
bool is_light_handler(const struct translation *t, const struct derived_probe *probe);

#endif
