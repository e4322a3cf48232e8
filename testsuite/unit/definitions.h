/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that definitions are found without parsing (translator/lang/definitions.c), for unit tests and fuzzers. */
#ifndef SPILE_TEST_DEFINITIONS_H
#define SPILE_TEST_DEFINITIONS_H

#include "translator/lang/lang.h"

static inline void add_definition(const char *name, size_t length, void *data)
{
	g_ptr_array_add(data, g_strndup(name, length));
}

/* Return a parsed definition that find_definitions() missed, or NULL. @is_clear tells if it could read the script. */
static inline const char *missed_definition(const struct script *script, bool *is_clear)
{
	g_autoptr(GPtrArray) defined = g_ptr_array_new(), found = g_ptr_array_new_with_free_func(g_free);

	*is_clear = find_definitions(script->file, add_definition, found);
	for_each_ptr(const struct function_declaration *, function, script->functions)
		g_ptr_array_add(defined, (void *)function->name);
	for_each_ptr(const struct symbol *, global, script->globals)
		g_ptr_array_add(defined, (void *)global->name);
	for_each_ptr(const struct alias *, alias, script->aliases)
		for_each_ptr(const struct probe_point *, point, alias->names) {
			const struct probe_component *first = g_ptr_array_index(point->components, 0);

			g_ptr_array_add(defined, (void *)first->name);
		}
	for_each_ptr(const char *, name, defined)
		if (*is_clear && !g_ptr_array_find_with_equal_func(found, name, g_str_equal, NULL))
			return name;
	return NULL;
}

#endif
