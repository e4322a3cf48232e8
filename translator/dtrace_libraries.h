/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Libraries of D, the files of -L; see dtrace_libraries.c. */
#ifndef SPILE_DTRACE_LIBRARIES_H
#define SPILE_DTRACE_LIBRARIES_H

#include "translator/dlang/dlang.h"

/**
 * Parse the libraries of directories, in the order of their dependencies, into a program.
 *
 * @return NULL, or an error if a file cannot be read. Errors in libraries become diagnostics.
 */
struct error *dtrace_parse_libraries(struct translation *t, const GPtrArray *directories, const struct d_macros *macros,
				     struct d_program *program);

#endif
