/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that use $variables, @entry or registers of the calling probe; see specialize.c. */
#ifndef SPILE_SEMA_SPECIALIZE_H
#define SPILE_SEMA_SPECIALIZE_H

#include "translator/sema/sema.h"

/** Does the function, or one that it calls, use $variables, @entry or registers? */
bool function_needs_context(struct translation *t, struct function_declaration *function);

/** Do calls nest deeper than the limit? The first time, report an error. */
bool function_calls_too_deep(struct translation *t, struct function_declaration *function);
/** Find or make the function's copy for a probe, and lower it. */
struct function_declaration *function_in_context(struct translation *t, struct function_declaration *function,
						 struct derived_probe *probe);

#endif
