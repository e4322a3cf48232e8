/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the kernel's stack a module's handlers take, by what the compiler reports; see stack_usage.c. */
#ifndef SPILE_BUILD_STACK_USAGE_H
#define SPILE_BUILD_STACK_USAGE_H

#include "translator/translation.h"

/**
 * Find what the functions of the runtime take, with all that they call, in the reports beside its objects in
 * @p folder.
 *
 * @return Lines of a name and a number of bytes, to be freed; "" if the compiler reports no calls; NULL if there are no
 * reports, since the runtime was not compiled there.
 */
char *stack_usage_of_runtime(const char *folder);

/**
 * Check the script that was compiled in @p folder and write what each of its handlers needs into the module.
 *
 * A handler or function that needs too much is an error of the script: a diagnostic of the translation.
 *
 * @param[in] runtime Of stack_usage_of_runtime().
 * @param[in] module_path The module, with its section of needs.
 */
struct error *stack_usage_apply(const struct translation *t, const char *runtime, const char *folder,
				const char *module_path);

#endif
