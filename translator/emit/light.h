/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers that need no context to run in; see light.c. */
#ifndef SPILE_EMIT_LIGHT_H
#define SPILE_EMIT_LIGHT_H

#include "translator/translation.h"

/** Does a probe's handler only count, so that its C code makes no use of the context? After note_conditions(). */
bool is_light_handler(const struct translation *t, const struct derived_probe *probe);

#endif
