// SPDX-License-Identifier: GPL-2.0-or-later
/* Listing: derivation without handlers. Identical points (several inlined instances) are one line. */
#include "translator/list.h"

#include <stdio.h>

#include "translator/probes/provider.h"
#include "translator/sema/sema.h"

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void append_variable(GString *line, const struct variable *variable)
{
	if (variable->location == LOCATION_MEMORY || variable->location == LOCATION_VALUE)
		g_string_append_printf(line, " $%s:%s", variable->name, variable->type->spelling);
}

static void append_variables(const struct derived_probe *probe, GString *line)
{
	g_autoptr(GPtrArray) variables = g_ptr_array_new();
	const struct variable *result = NULL;

	if (!probe->function)
		return;
	if (probe->is_return)
		error_free(debuginfo_return_value(probe->function, &result));
	if (result)
		g_string_append_printf(line, " $return:%s", result->type->spelling);
	error_free(debuginfo_variables(probe->function, probe->registration.address.value, true, !probe->is_return,
				       variables));
	for_each_ptr(const struct variable *, variable, variables)
		if (!variable_is_hidden(probe, variable))
			append_variable(line, variable);
}

void list_probes(struct translation *t, bool with_variables)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	const char *last = NULL;

	if (!derive_probes(t))
		return;
	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		GString *line = g_string_new(probe->point_text);

		if (with_variables)
			append_variables(probe, line);
		g_ptr_array_add(lines, g_string_free(line, FALSE));
	}
	g_ptr_array_sort(lines, compare_lines);
	for_each_ptr(const char *, line, lines) {
		if (!last || strcmp(last, line))
			puts(line);
		last = line;
	}
}
