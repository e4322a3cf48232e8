/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the C file, which functions.c, tables.c and globals.c write; module.c calls them in order.
 */
#ifndef SPILE_EMIT_MODULE_H
#define SPILE_EMIT_MODULE_H

#include "translator/emit/writer.h"

/** Return a C string literal of a text. Arena-owned. */
const char *quoted(struct module_writer *m, const char *text);

/* ---- functions.c: frames, functions, handlers -------------------------------------------------------------------- */

/** Emit the live functions, each after those that it calls. */
void emit_functions(struct module_writer *m);
/** Emit the handler, entry handler or condition. Return the name of the C function; "STP_NULL" or NULL: none. */
const char *emit_handler(struct module_writer *m, const struct derived_probe *probe);
const char *emit_entry_handler(struct module_writer *m, const struct derived_probe *probe);
const char *emit_condition(struct module_writer *m, const struct derived_probe *probe);
/** Does the handler count its statements against MAXACTION? */
bool needs_charge(struct translation *t, const struct derived_probe *probe);
/** Return the number of bytes that the entry handler saves. */
unsigned int entry_size(const struct translation *t, const struct derived_probe *probe);
/** Return a value of MAXNESTING that only recursion can exceed. */
int64_t wanted_nesting(const struct translation *t);

/* ---- tables.c: probes, targets, data for staprun ----------------------------------------------------------------- */

/** Return the table of probes, and emit their handlers. The caller frees. */
GString *emit_probes(struct module_writer *m);
void emit_light_handlers(struct module_writer *m, GString *out);
void emit_direct_handlers(struct module_writer *m, GString *out);
/** Emit the table of stack needs, which build/ fills in. */
void emit_stack_needs(struct module_writer *m, GString *out);
void emit_origins(struct module_writer *m, GString *out);
bool wants_names(const struct module_writer *m);
void emit_names(struct module_writer *m, GString *out);
/** Emit the tables of source lines. Call before emitting targets and stp_script, which point to them. */
void emit_lines(struct module_writer *m, GString *out);
/** Emit the tables of programs. Call only if wants_user_stacks(). */
void emit_user_objects(struct module_writer *m, GString *out);
void emit_targets(struct module_writer *m, GString *out);
void emit_info(struct module_writer *m, GString *out);

/* ---- globals.c --------------------------------------------------------------------------------------------------- */

void emit_globals(struct module_writer *m, GString *out);
/** Can staprun set the global? True for scalars of the user's scripts, and for globals with the script's arguments. */
bool is_settable(const struct symbol *global);

#endif
