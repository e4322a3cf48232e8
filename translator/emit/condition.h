/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes that are armed only while their condition holds; see condition.c. */
#ifndef SPILE_EMIT_CONDITION_H
#define SPILE_EMIT_CONDITION_H

#include "translator/translation.h"

/** Set symbol->arms_probes of the globals that conditions depend on. Call before emitting code. */
void note_conditions(const struct translation *t);

/** Return the condition by which the runtime arms the probe, or NULL if only the handler tests it. */
struct expr *armed_condition(const struct derived_probe *probe);

#endif
