/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Embedded C in the module's source; see embedded.c. */
#ifndef SPILE_EMIT_EMBEDDED_H
#define SPILE_EMIT_EMBEDDED_H

#include "translator/translation.h"

/** What must stand in front of everything: does the user's own C want the kernel's headers? */
void emit_embedded_headers(const struct translation *t, GString *out);
/** The macros that embedded C knows everywhere, and the C of the scripts' top levels that is no suffix. */
void emit_embedded_prelude(const struct translation *t, GString *out);
/**
 * C of the scripts' top levels that says "pragma:suffix": it stands behind everything else, so it can use all of it.
 */
void emit_embedded_suffix(const struct translation *t, GString *out);
/** STAP_GLOBAL_GET_x and STAP_GLOBAL_SET_x, behind the declarations of the globals. */
void emit_embedded_globals(const struct translation *t, GString *out);
/** Those of a piece of C, in front of it, where globals of several files have one name; @p uses may be NULL. */
void emit_embedded_uses(const struct translation *t, GString *out, const GPtrArray *uses);
/** A function whose body is C; @p signature is its head. */
void emit_embedded_function(const struct translation *t, GString *out, const struct function_declaration *function,
			    const char *signature);
/** The user's own C: the compiler's complaints about it name its place in the script, those after it do not. */
void emit_embedded_code(const struct translation *t, GString *out, const struct location *at, const char *code);

#endif
