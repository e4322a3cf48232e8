/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Emit embedded C into the module's source; see embedded.c. */
#ifndef SPILE_EMIT_EMBEDDED_H
#define SPILE_EMIT_EMBEDDED_H

#include "translator/translation.h"

/** Emit the first lines of the source, which select the kernel's headers if the user's C needs them. */
void emit_embedded_headers(const struct translation *t, GString *out);
/** Emit the macros for embedded C, and the top-level C of the scripts without "pragma:suffix". */
void emit_embedded_prelude(const struct translation *t, GString *out);
/** Emit the top-level C with "pragma:suffix", after everything else, which it can therefore use. */
void emit_embedded_suffix(const struct translation *t, GString *out);
/** Does C of the user's scripts contain a text? Any C contains "". */
bool users_code_contains(const struct translation *t, const char *text);
/** Emit what sets members of the context before C of a script, and what raises its error afterwards. */
void emit_members_begin(GString *out, const struct location *at, const char *code);
void emit_members_end(GString *out, const struct location *at, const char *code);
/** Emit the functions that run STAP_MODULE_INIT_HOOK and STAP_MODULE_EXIT_HOOK, and their entries of stp_script. */
void emit_hooks(const struct translation *t, GString *out);
void emit_hook_members(const struct translation *t, GString *out);
/** Emit STAP_GLOBAL_GET_x and STAP_GLOBAL_SET_x, after the declarations of the globals. */
void emit_embedded_globals(const struct translation *t, GString *out);
/** Redefine them before a piece of C, if globals of several files have the same name; @p uses may be NULL. */
void emit_embedded_uses(const struct translation *t, GString *out, const GPtrArray *uses);
/** Emit a function with a body of embedded C; @p signature is its head. */
void emit_embedded_function(const struct translation *t, GString *out, const struct function_declaration *function,
			    const char *signature);
/**
 * Return a piece of C as the module contains it: where C of a script says "struct context", as SystemTap's modules call
 * it, the runtime's struct stp_context is used. In the arena, or @p code itself.
 */
const char *embedded_text(const struct translation *t, const struct location *at, const char *code);
/** Emit the user's C code between #line directives, so that compiler errors refer to the script. */
void emit_embedded_code(const struct translation *t, GString *out, const struct location *at, const char *code);

#endif
