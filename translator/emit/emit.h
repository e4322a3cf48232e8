/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 3: turn the typed tree of pass 2 into the module's C source, which uses runtime/script/script.h. */
#ifndef SPILE_EMIT_EMIT_H
#define SPILE_EMIT_EMIT_H

#include "translator/translation.h"

/** Set t->c_text. It cannot fail, since pass 2 rejects everything that cannot be emitted. */
void emit_module(struct translation *t);

#endif
