/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that use what belongs to the probe that called them; see context.c. */
#ifndef SPILE_SEMA_CONTEXT_H
#define SPILE_SEMA_CONTEXT_H

#include "translator/sema/sema.h"

/** Does the function, or one that it calls, use $variables, @entry or registers? */
bool function_needs_context(struct translation *t, struct function_declaration *function);

/** Are there more calls within calls than can be followed? An error then, once. */
bool function_calls_too_deep(struct translation *t, struct function_declaration *function);
/** The function's copy for a probe, lowered, made if need be. */
struct function_declaration *function_in_context(struct translation *t, struct function_declaration *function,
						 struct derived_probe *probe);

#endif
