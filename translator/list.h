/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap -l, -L, --list-lines, --list-vars: list matching probe points, their source lines and variables. */
#ifndef SPILE_LIST_H
#define SPILE_LIST_H

#include "translator/translation.h"

/** Print an array of const char *, sorted, one per line, without duplicates. */
void list_print(GPtrArray *lines);

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
