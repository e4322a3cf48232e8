/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state for writing the C file. functions.c, tables.c and globals.c write its parts; module.c calls them in order.
 */
#ifndef SPILE_EMIT_MODULE_H
#define SPILE_EMIT_MODULE_H

#include "translator/emit/writer.h"

struct module_writer {
	struct translation *t;
	GHashTable *bodies; /* text of a body -> name of the C function emitted for it */
	struct stable_functions *stable;
	GHashTable *begun; /* set of script functions that were or are being emitted */
	unsigned int body_count;
	GPtrArray *light_handlers; /* of const char *: their names */
	GPtrArray *direct_handlers; /* of const char *: the handlers that stp_run_handler() calls by name */
	GHashTable *details; /* text of a struct stp_details -> its name */
	GHashTable *places; /* a place in the script and its length -> name of the C string for errors */
	GHashTable *stack_groups; /* names of the functions that a hit may run -> GUINT_TO_POINTER(number + 1) */
	GHashTable *frames; /* function -> struct frame_facts * */
	GString *prototypes; /* of functions, and the strings of `places` */
	GString *code; /* functions and handlers */
	unsigned int deepest; /* bytes of frames in the deepest chain of calls of a handler */
	bool needs_registers;
};

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
