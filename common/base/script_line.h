/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON line about a script; see script_line.c. */
#ifndef SPILE_BASE_SCRIPT_LINE_H
#define SPILE_BASE_SCRIPT_LINE_H

#include <stddef.h>
#include <stdio.h>

#include "common/base/error.h"

struct script_line {
	const char *name; /* of the script; NULL: there is no text */
	const char *text;
	size_t length;
	const char *const *options, *const *arguments; /* NULL-terminated */
	const char *stap; /* the version of Spile that translated it */
};

/** Write the line and flush it. Return an error if it cannot be written, but not if the output has no reader. */
struct error *script_line_write(FILE *to, const struct script_line *line);

#endif
