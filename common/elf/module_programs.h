/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs that a module made by stap names; see module_programs.c. */
#ifndef SPILE_ELF_MODULE_PROGRAMS_H
#define SPILE_ELF_MODULE_PROGRAMS_H

#include <glib.h>

#include "common/arena.h"

/**
 * Append the paths of the programs and libraries that a module probes (const char *, in @p arena). Append nothing if
 * the file cannot be read.
 */
void module_programs(struct arena *arena, const char *path, GPtrArray *ret);

#endif
