/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The "module" argument of @cast, @var, @sizeof and similar operators; see type_modules.c. */
#ifndef SPILE_LOWERING_TYPE_MODULES_H
#define SPILE_LOWERING_TYPE_MODULES_H

#include "translator/translation.h"

/* Search one module for what @p data describes, and store it there; ERROR_LOOKUP if the module lacks it. */
typedef struct error *search_module(struct debuginfo *debuginfo, void *data);

/**
 * Call @p search for each of the modules that the last argument of @cast, @var, @sizeof… names, until one succeeds.
 *
 * @param[in] modules A list such as "kernel" or "module:<sys/stat.h>"; NULL for the probe's debuginfo, or the kernel's.
 */
struct error *search_modules(struct translation *t, struct derived_probe *probe, const char *modules,
			     search_module *search, void *data);
/** Find a type by its name with search_modules(). */
struct error *find_named_type(struct translation *t, struct derived_probe *probe, const char *name, const char *modules,
			      struct type **ret);

#endif
