/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts that a module made by stap has about itself; see module_facts.c. */
#ifndef SPILE_ELF_MODULE_FACTS_H
#define SPILE_ELF_MODULE_FACTS_H

#include <glib.h>

#include "common/arena.h"

/**
 * Append the values of a key (const char *, in @p arena): "program" has the programs and libraries that the module
 * probes, and "option-global" the globals of the script's options. Append nothing if the file cannot be read.
 */
void module_facts(struct arena *arena, const char *path, const char *key, GPtrArray *ret);

#endif
