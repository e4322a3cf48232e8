/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel stack usage of a module's handlers, from the compiler's reports; see stack_usage.c. */
#ifndef SPILE_BUILD_STACK_USAGE_H
#define SPILE_BUILD_STACK_USAGE_H

#include "translator/translation.h"

/**
 * Find the stack usage of the runtime's functions with their callees, from the reports beside its objects in @p
 * directory.
 *
 * @return Lines of a name and a number of bytes, to be freed; "" if the compiler reports no calls; NULL if there are no
 * reports, because the runtime was not compiled there.
 */
char *stack_usage_of_runtime(const char *directory);

/**
 * Check the script that was compiled in @p directory and write the need of each handler into the module. A handler or
 * function that needs too much is a diagnostic of the translation.
 *
 * @param[in] runtime The result of stack_usage_of_runtime().
 * @param[in] module_path The module, with its section for the needs.
 */
struct error *stack_usage_apply(const struct translation *t, const char *runtime, const char *directory,
				const char *module_path);

#endif
