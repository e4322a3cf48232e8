/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON lines of lists and of the passes' results (--format=json, stap-json(5)). Messages: common/base/message.h. */
#ifndef SPILE_JSON_LINES_H
#define SPILE_JSON_LINES_H

#include "common/base/json_schema.h"
#include "translator/translation.h"

/**
 * Write the members of a "probe" line.
 *
 * @param[in] point Its text.
 * @param[in] places The derived probes (const struct derived_probe *) that the line stands for.
 */
void write_probe(struct json_writer *w, const struct derived_probe *probe, const char *point, const GPtrArray *places);
/** Write the member with variables (struct listed_variable *) of such a line. */
void write_variables(struct json_writer *w, const GPtrArray *variables);

/** Write the members of a "function" line. */
void write_function(struct json_writer *w, const struct function_declaration *function);

/** Print the result of a pass: the script, what pass 2 made of it, or the C code. */
void write_source(int pass, const char *text, size_t length);
/** Print the declarations of globals, the functions and the probes that pass 2 found. */
void write_analysis(const struct translation *t);
/** Print how many errors and warnings --check found. */
void write_check(unsigned int errors, unsigned int warnings);
/** Print the path of the module that pass 4 made. */
void write_module(const char *path);

#endif
