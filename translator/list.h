/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap -l, -L, --list-lines, --list-vars: list matching probe points, their source lines and variables. */
#ifndef SPILE_LIST_H
#define SPILE_LIST_H

#include "common/base/json_schema.h"
#include "translator/translation.h"

/* A line of a list. */
struct listed_line {
	const char *text;
	const char *json; /* with --format=json, else NULL */
};

/** Print an array of struct listed_line *, sorted by their text, without duplicates. */
void list_print(const struct translation *t, GPtrArray *lines);

/* Writes a line of JSON into memory. */
struct line_buffer {
	struct json_writer w;
	char *text;
	size_t size;
};

/** Begin a line of the type of the field. */
void line_begin(struct line_buffer *buffer, enum json_field field);
/** Return the line, arena-owned. */
const char *line_end(struct line_buffer *buffer, struct arena *arena);
/** Add a line to a list; the text must stay valid. @p json may be NULL. */
void line_add(struct arena *arena, const char *text, const char *json, GPtrArray *lines);

/**
 * Return the variables of a probe (const struct listed_variable *): those of its function or mark, and those that an
 * alias sets.
 */
GPtrArray *listed_variables(struct translation *t, const struct derived_probe *probe);

/** Print the points of the parsed script, sorted, one per line; with their variables if asked. */
void list_probes(struct translation *t, bool with_variables);

/**
 * --list-vars: print a line for each variable of each place, with point, place, $name, type and location separated by
 * tabs.
 *
 * @param[in] with_file_level Include the file-level variables that are visible there (--externs).
 */
struct error *list_variables(struct translation *t, bool with_file_level);

/** --list-lines: print the source of the points' functions or lines, with marks at the lines that can be probed. */
struct error *list_lines(struct translation *t);
/** Return the probe point for an argument of --list-lines: "fs/open.c:10-20" means statements of that file. */
const char *list_lines_point(struct arena *arena, const char *text);

#endif
