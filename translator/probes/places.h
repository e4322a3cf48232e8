/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the families that find places in debuginfo share: kernel.function and kernel.statement with their forms for
 * modules and programs, and what a point says of processes.
 */
#ifndef SPILE_PROBES_PLACES_H
#define SPILE_PROBES_PLACES_H

#include "translator/probes/provider.h"

/* How points of programs, and of their libraries, begin in patterns. */
/* clang-format off */
#define PROGRAM {"process", ANY_ARGUMENT}
#define LIBRARY PROGRAM, {"library", STRING_ARGUMENT}
/* clang-format on */

/* ---- objects.c: what the beginning of a point names -------------------------------------------------------------- */

/** Does the point begin with "process"? */
bool point_is_of_programs(const struct probe_point *point);
/** The number of the component behind those that name an object: "function", "statement", "mark"… */
guint place_component(const struct probe_point *point);
/** Append the paths of the programs that a component "process" names (const char *). False after a diagnostic. */
bool find_programs(struct translation *t, const struct probe_component *component, GPtrArray *paths);
/* What a process of this machine has in its memory. */
struct mapped_place {
	const char *path; /* of a file */
	uint64_t offset; /* in it */
};

/** Find what the process that a component "process" names has at an address. False after a diagnostic. */
bool find_mapped_file(struct translation *t, const struct probe_component *component, uint64_t address,
		      struct mapped_place *ret);
/** Of which processes a point of programs is: program, process and of_target. NULL: of all. */
const struct stp_details *choose_processes(struct translation *t, const struct probe_point *point);
/** Set what pp() gives: @p text; lists have a library behind its program. */
void set_place_text(struct translation *t, struct derived_probe *derived, const char *text);
/** A point of a program with its real path. */
const char *program_point_text(struct arena *arena, const char *program, const struct probe_point *point);

/* Finds the places of a point in the debuginfo of one object, or diagnoses. */
typedef void find_places(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			 void *query, GPtrArray *ret);

/** Call @p find for each object that the point is of. */
void find_in_objects(struct translation *t, const struct probe_point *point, find_places *find, void *query,
		     GPtrArray *ret);

/* ---- function.c, statement.c ------------------------------------------------------------------------------------- */

/** Take "name@file:line" apart; false after a diagnostic. */
bool parse_function_query(struct translation *t, const struct probe_point *point, const char *text,
			  struct function_query *query);

/** Say which functions have names like @p name, or if no function is in @p file (NULL: any), which files do. */
void suggest_functions(struct translation *t, struct debuginfo *debuginfo, const char *name, const char *file);

/** "kernel.WHAT(…)", "module("m").WHAT(…)" or "process("p").WHAT(…)": the text of a resolved point up to its place. */
GString *place_text(const struct debuginfo *debuginfo, const char *what, const char *argument);
/** Add the components of a point from number @p from on, as written; those behind its place. */
void append_components(GString *text, const struct probe_point *point, guint from);
void append_suffixes(GString *text, const struct probe_point *point);

/**
 * How a place in a program is armed: the rest of the registration, beside its address and object. False: a return
 * cannot be probed without harm.
 */
bool register_user_place(struct translation *t, struct derived_probe *derived);

/** Append a probe of the instruction at an address in @p function (NULL: $variables are not known). */
struct derived_probe *derive_place(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
				   struct address address, const struct function *function, GPtrArray *ret);

/** Append a probe of a function's entry or return, or of an inlined instance. */
struct derived_probe *derive_function(struct translation *t, const struct probe_point *point,
				      const struct function *function, bool is_return, GPtrArray *ret);
/** A function's name, with the classes and namespaces around it if the point is written so ("Square::area"). */
const char *shown_name(struct translation *t, const struct probe_point *point, const struct function *function);
/** kernel.function("name@file:line"), with the function's @p name as it is to be shown. */
const char *function_point_text(struct translation *t, const struct function *function, const char *name);

/* callee.c */
enum callee_form { CALLEE_ANY, CALLEE_CALL, CALLEE_RETURN };

/**
 * Probes of what the functions call: behind the function is callees or callees(N), or callee("…"), one after
 * the other for each step of the way down.
 */
void find_callees(struct translation *t, const struct probe_point *point, const GPtrArray *callers,
		  enum callee_form form, GPtrArray *ret);

#endif
