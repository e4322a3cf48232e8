/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of writing the C file, and its parts: functions.c, tables.c, globals.c; module.c puts them in order. */
#ifndef SPILE_EMIT_MODULE_H
#define SPILE_EMIT_MODULE_H

#include "translator/emit/writer.h"

struct module_writer {
	struct translation *t;
	GHashTable *bodies; /* text -> name of the function emitted for it */
	struct stable_functions *stable;
	GHashTable *begun; /* set of script functions that were emitted or are under way */
	unsigned int body_count;
	GPtrArray *light_handlers; /* their names */
	GPtrArray *direct_handlers; /* those that stp_run_handler() calls by name */
	GHashTable *details; /* text of a struct stp_details -> its name */
	GHashTable *places; /* text of a place in the script, and its extent -> the name of the string for errors */
	GHashTable *stack_groups; /* names of the functions that a hit may run -> GUINT_TO_POINTER(number + 1) */
	GHashTable *frames; /* function -> struct frame_facts * */
	GString *prototypes; /* of functions; and the places */
	GString *code; /* functions and handlers */
	unsigned int deepest; /* bytes of the deepest handler frame with its calls */
	bool needs_registers;
};

/** A C string literal. Arena-owned. */
const char *quoted(struct module_writer *m, const char *text);

/* ---- functions.c: frames, functions, handlers -------------------------------------------------------------------- */

/** The functions that are live, each behind those that it calls. */
void emit_functions(struct module_writer *m);
/** Give the name of the C function; "STP_NULL" or NULL if there is none. */
const char *emit_handler(struct module_writer *m, const struct derived_probe *probe);
const char *emit_entry_handler(struct module_writer *m, const struct derived_probe *probe);
const char *emit_condition(struct module_writer *m, const struct derived_probe *probe);
/** Does the handler count its statements against MAXACTION? */
bool needs_charge(struct translation *t, const struct derived_probe *probe);
/** Bytes that the entry handler saves. */
unsigned int entry_size(const struct translation *t, const struct derived_probe *probe);
/** MAXNESTING as deep as the script's calls go, so that only recursion can be too deep. */
int64_t wanted_nesting(const struct translation *t);

/* ---- tables.c: probes, targets, what staprun reads --------------------------------------------------------------- */

/** The table of probes; emits their handlers on the way. The caller frees. */
GString *emit_probes(struct module_writer *m);
void emit_light_handlers(struct module_writer *m, GString *out);
void emit_direct_handlers(struct module_writer *m, GString *out);
/** The table that build/ fills in. */
void emit_stack_needs(struct module_writer *m, GString *out);
void emit_origins(struct module_writer *m, GString *out);
bool wants_names(const struct module_writer *m);
void emit_names(struct module_writer *m, GString *out);
/** The tables of source lines that targets and stp_script point to, before these. */
void emit_lines(struct module_writer *m, GString *out);
/** Only if wants_user_stacks(). */
void emit_user_objects(struct module_writer *m, GString *out);
void emit_targets(struct module_writer *m, GString *out);
void emit_info(struct module_writer *m, GString *out);

/* ---- globals.c --------------------------------------------------------------------------------------------------- */

void emit_globals(struct module_writer *m, GString *out);
/** May whoever starts the script set it? Scalars of the user's scripts, and what stands for the script's arguments. */
bool is_settable(const struct symbol *global);

#endif
