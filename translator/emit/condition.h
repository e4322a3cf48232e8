/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes that are armed only while their condition holds; see condition.c. */
#ifndef SPILE_EMIT_CONDITION_H
#define SPILE_EMIT_CONDITION_H

#include "translator/translation.h"

/** Note in the globals which of them decide about arming (symbol->arms_probes). Before any code is emitted. */
void note_conditions(const struct translation *t);

/** The condition that the runtime can follow for this probe; NULL: its handler alone looks at it. */
struct expr *armed_condition(const struct derived_probe *probe);

#endif
