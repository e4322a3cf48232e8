/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the kernel that are known under other names; see suggest_functions.c. */
#ifndef SPILE_PROBES_SUGGEST_FUNCTIONS_H
#define SPILE_PROBES_SUGGEST_FUNCTIONS_H

#include "translator/translation.h"

/**
 * Hint, in the last diagnostic, at what an unknown function may be: one that the kernel has under another name or in a
 * module, or that a library of the program has; another file; or one with a similar name. The search may take seconds
 * and happens when the diagnostic is printed.
 *
 * @param[in] file The file in which the function was searched, or NULL.
 */
void suggest_functions(struct translation *t, struct debuginfo *debuginfo, const char *name, const char *file);
/**
 * Find the functions of a query by the names that this kernel has for them, and warn. Nothing is found for optional
 * points: their scripts name all variants.
 */
struct error *find_renamed_functions(struct translation *t, const struct probe_point *point,
				     struct debuginfo *debuginfo, const struct function_query *query, GPtrArray *found);
/**
 * Return the name of a module that has the function, or NULL. A function that is only inlined is searched in modules
 * with similar names, any other one in all modules.
 */
const char *module_with_function(struct translation *t, const char *function);

#endif
