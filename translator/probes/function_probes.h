/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers for the families that find places in debuginfo (function, statement, mark, plt) and for process events: which
 * objects and processes a point names, and how a place becomes a probe.
 */
#ifndef SPILE_PROBES_FUNCTION_PROBES_H
#define SPILE_PROBES_FUNCTION_PROBES_H

#include "translator/probes/provider.h"

/* The first components of patterns for programs and for their libraries. */
/* clang-format off */
#define PROGRAM {"process", ANY_ARGUMENT}
#define LIBRARY PROGRAM, {"library", STRING_ARGUMENT}
/* clang-format on */

/* ---- objects.c: the objects that a point names ------------------------------------------------------------------- */

/** Return whether the point begins with "process". */
bool point_is_of_programs(const struct probe_point *point);
/** Return the index of the component after those that name an object: "function", "statement", "mark"… */
guint place_component(const struct probe_point *point);
/** Append the paths (const char *) of the programs that a component "process" names. False after a diagnostic. */
bool find_programs(struct translation *t, const struct probe_component *component, GPtrArray *paths);
/** Return the absolute path that a component "process" names if no such file is on this machine; else NULL. */
const char *absent_program(struct translation *t, const struct probe_component *component);

/* A place in a file that a process of this machine maps. */
struct mapped_place {
	const char *path;
	uint64_t offset;
};

/** Find the file that the process named by a component "process" maps at @p address. False after a diagnostic. */
bool find_mapped_file(struct translation *t, const struct probe_component *component, uint64_t address,
		      struct mapped_place *ret);
/**
 * Return the processes that a point of programs is restricted to (program, process and of_target of the details), or
 * NULL for all processes.
 */
const struct stp_details *choose_processes(struct translation *t, const struct probe_point *point);
/** Set the result of pp() to @p text. Lists show a library after its program. */
void set_place_text(struct translation *t, struct derived_probe *derived, const char *text);
/** Return the text of a point with the real path of its program. */
const char *program_point_text(struct arena *arena, const char *program, const struct probe_point *point);

/* Append the probes of a point in one object to @p ret; diagnose the reason if nothing matches. */
typedef void find_places(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			 void *query, GPtrArray *ret);

/** Call @p find for each object that the point names. With a wildcard, it is sufficient that one object has a match. */
void find_in_objects(struct translation *t, const struct probe_point *point, find_places *find, void *query,
		     GPtrArray *ret);

/* ---- function.c, statement.c ------------------------------------------------------------------------------------- */

/** Parse "name@file:line". False after a diagnostic. */
bool parse_function_query(struct translation *t, const struct probe_point *point, const char *text,
			  struct function_query *query);

/** Return the name or the address in the point's component "function", for messages. */
const char *named_place(struct translation *t, const struct probe_point *point);
/** Return the text of a resolved point up to its place: kernel.WHAT(…), module("m").WHAT(…) or process("p").WHAT(…). */
GString *place_text(const struct debuginfo *debuginfo, const char *what, const char *argument);
/** Append the components of a point from index @p from on, as written. */
void append_components(GString *text, const struct probe_point *point, guint from);
/** Append the components after the place, such as ".return.maxactive(5)". */
void append_suffixes(GString *text, const struct probe_point *point);

/**
 * Complete the registration of a place in a program, whose address and debuginfo are set. Return false if the file does
 * not contain the address, or if probing a return there could crash the program.
 */
bool register_user_place(struct translation *t, struct derived_probe *derived);

/**
 * Append a probe of the instruction at @p address in @p function. If @p function is NULL, the probe has no $variables.
 * Return NULL if the instruction cannot be probed.
 */
struct derived_probe *derive_place(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
				   struct address address, const struct function *function, GPtrArray *ret);

/** Append a probe of a function's entry or return, or of an inlined instance. NULL if its return cannot be probed. */
struct derived_probe *derive_function(struct translation *t, const struct probe_point *point,
				      const struct function *function, bool is_return, GPtrArray *ret);
/** Return a function's name, with its classes and namespaces if the point is written that way ("Square::area"). */
const char *shown_name(struct translation *t, const struct probe_point *point, const struct function *function);
/** Return kernel.function("name@file:line") (or module(…), process(…)), with @p name for the function's name. */
const char *function_point_text(struct translation *t, const struct function *function, const char *name);

/* callee.c */
enum callee_form { CALLEE_ANY, CALLEE_CALL, CALLEE_RETURN };

/**
 * Append probes of the functions that @p callers call. The point's components after the function are callees,
 * callees(N), or one callee("…") for each call level.
 */
void find_callees(struct translation *t, const struct probe_point *point, const GPtrArray *callers,
		  enum callee_form form, GPtrArray *ret);

#endif
