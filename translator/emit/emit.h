/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 3: the typed tree of pass 2 becomes the module's C source (runtime/script.h is what it is written against). */
#ifndef SPILE_EMIT_EMIT_H
#define SPILE_EMIT_EMIT_H

#include "translator/translation.h"

/** Write t->c_text. Cannot fail: pass 2 has refused what cannot be emitted. */
void emit_module(struct translation *t);

#endif
