/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staprun -h: describe a module without loading it; see describe.c. */
#ifndef SPILE_STAPRUN_DESCRIBE_H
#define SPILE_STAPRUN_DESCRIBE_H

#include <stddef.h>
#include <stdio.h>

#include "common/base/error.h"
#include "staprun/script_options.h"

/**
 * Print what a module file says about the module, and the globals that can be set on the command line. Drops all
 * privileges for good, so that any user may describe any file that they can read.
 *
 * @param[in] name A path or module name, as for module_read().
 */
struct error *describe_module(const char *name);

/**
 * Print the globals of a module in memory, which is not trusted, that can be set on the command line.
 *
 * @param[in] options Options that have been described already: their globals are left out. NULL: none.
 */
struct error *describe_globals(const char *image, size_t size, const struct module_options *options);

/** Return the value of a "key=value" string with this key, or NULL. */
const char *describe_value(const char *text, const char *key);

/** Print a text that is not trusted, with escapes for what terminals act on. */
void describe_safely(FILE *to, const char *text);

#endif
