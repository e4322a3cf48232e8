/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and libraries that a point names by build-id, and those of debuginfod servers; see builds.c. */
#ifndef SPILE_PROBES_BUILDS_H
#define SPILE_PROBES_BUILDS_H

#include "translator/translation.h"

/** Return whether the argument of a component "process" has the form of a build-id. */
bool is_build_id(const char *text);
/** Return the path on this machine of the file with the build-id that a component names. NULL after a diagnostic. */
const char *find_build(struct translation *t, const struct probe_component *component);

/** Return whether a point has the form debuginfod[.archive("GLOB")].process("GLOB").… */
bool is_of_debuginfod(const struct probe_point *point);
/** Append the points (struct probe_point *) that such a point stands for. Return false after a diagnostic. */
bool expand_debuginfod(struct translation *t, const struct probe_point *point, GPtrArray *ret);

#endif
