/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap -l, -L, --list-lines, --list-vars: which probe points match, where they are, and what can be read there. */
#ifndef SPILE_LIST_H
#define SPILE_LIST_H

#include "translator/translation.h"

/** Print an array of const char *, sorted, one per line, and what is the same once. */
void list_print(GPtrArray *lines);

/** Print the points of the parsed script, sorted, one per line; with their variables if asked. */
void list_probes(struct translation *t, bool with_variables);

/**
 * --list-vars: a line for each variable of each place: point, place, $name, type and location between tabs.
 *
 * @param[in] with_file_level Also the file-level variables that are seen there (--externs).
 */
struct error *list_variables(struct translation *t, bool with_file_level);

/** --list-lines: the source of the points' functions, or of the lines they name, with what can be probed marked. */
struct error *list_lines(struct translation *t);
/** The point that --list-lines is given: "fs/open.c:10-20" stands for statements of that file. */
const char *list_lines_point(struct arena *arena, const char *text);

#endif
