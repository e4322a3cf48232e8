// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * -l, -L and --list-vars: derive probes without handlers, and print them. Identical points (inlined instances of a
 * function) are one line. An alias is one line, too; -L shows the variables that it sets and those of its first place.
 */
#include "translator/list.h"

#include <inttypes.h>
#include <stdio.h>

#include "translator/lowering/lowering.h"
#include "translator/probes/mark.h"
#include "translator/probes/provider.h"
#include "translator/sema/sema.h"

void list_print(GPtrArray *lines)
{
	const char *last = NULL;

	g_ptr_array_sort(lines, compare_strings);
	for_each_ptr(const char *, line, lines) {
		if (!last || strcmp(last, line))
			puts(line);
		last = line;
	}
}

/* Append " $file:struct file*", without the space before the star, as SystemTap prints it. */
static void append_typed(GString *line, const char *name, const struct type *type)
{
	const char *rest = type->spelling;

	g_string_append_printf(line, " $%s:", name);
	for (; *rest; rest++)
		if (*rest != ' ' || rest[1] != '*')
			g_string_append_c(line, *rest);
}

static void append_variable(GString *line, const struct variable *variable)
{
	if (variable->location == LOCATION_MEMORY || variable->location == LOCATION_VALUE ||
	    variable->location == LOCATION_POINTER || variable->location == LOCATION_PIECES)
		append_typed(line, variable->name, variable->type);
}

static bool is_listed(const GString *line, const char *name)
{
	g_autofree char *text = g_strdup_printf(" %s:", name);

	return strstr(line->str, text);
}

/* Append the alias's variables that the line does not have yet. Names that begin with "__" are internal. */
static void append_locals(const struct derived_probe *probe, GString *line)
{
	g_autoptr(GHashTable) read = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) written = g_hash_table_new(NULL, NULL);

	collect_usage(probe->body, read, written);
	for_each_ptr(const struct symbol *, local, probe->locals)
		if (g_hash_table_contains(written, local) && !g_str_has_prefix(local->name, "__") &&
		    !is_listed(line, local->name))
			g_string_append_printf(line, " %s:%s", local->name, type_text(local->type));
}

static void append_variables(const struct derived_probe *probe, GString *line)
{
	g_autoptr(GPtrArray) variables = g_ptr_array_new();
	const struct variable *result = NULL;

	if (probe->named_place)
		for_each_ptr(const struct variable *, argument, named_place_arguments(probe))
			append_variable(line, argument);
	if (!probe->function)
		return;
	if (probe->is_return)
		error_free(debuginfo_return_value(probe->function, &result));
	if (result)
		append_typed(line, "return", result->type);
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
	if (with_variables)
		analyze_listed(t);
	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		const char *text = probe->of_alias ? probe->name : probe->listed_text ?: probe->point_text;
		GString *line;

		/* Instances of a function share their text, and so do the places of an alias. */
		if ((!with_variables || probe->of_alias) && text == last)
			continue;
		last = text;
		line = g_string_new(text);
		if (with_variables && probe->provider->list_variables)
			probe->provider->list_variables(probe, line);
		if (with_variables && probe->of_alias)
			append_locals(probe, line);
		if (with_variables && !probe->provider->list_variables)
			append_variables(probe, line);
		g_ptr_array_add(lines, g_string_free(line, FALSE));
	}
	list_print(lines);
}

/* ---- --list-vars ------------------------------------------------------------------------------------------------- */

/* Return the place as "vfs_read+0x1c", relative to the function that contains an inlined instance. */
static const char *place_name(struct arena *arena, const struct derived_probe *probe)
{
	const struct function *function = probe->function, *real = function->container ?: function;
	uint64_t distance = probe->registration.address.value - real->entry.value;

	return arena_printf(arena, "%s+0x%" PRIx64, real->name, distance);
}

static void add_locations(struct translation *t, const struct derived_probe *probe, const GPtrArray *variables,
			  GPtrArray *lines)
{
	for_each_ptr(const struct variable *, variable, variables) {
		if (!variable_is_hidden(probe, variable))
			g_ptr_array_add(lines, arena_printf(t->arena, "%s\t%s\t$%s\t%s\t%s", probe->point_text,
							    place_name(t->arena, probe), variable->name,
							    variable->type->spelling,
							    debuginfo_location_text(t->arena, variable)));
	}
}

/* Compare points, then addresses. */
static gint compare_places(gconstpointer a, gconstpointer b)
{
	const struct derived_probe *x = *(const struct derived_probe *const *)a;
	const struct derived_probe *y = *(const struct derived_probe *const *)b;
	int points = strcmp(x->point_text, y->point_text);
	uint64_t left = x->registration.address.value, right = y->registration.address.value;

	return points ?: (left > right) - (left < right);
}

struct error *list_variables(struct translation *t, bool with_file_level)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new();
	const char *last = "";

	if (!derive_probes(t))
		return NULL;
	g_ptr_array_sort(t->probes, compare_places);
	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		g_autoptr(GPtrArray) variables = g_ptr_array_new();
		struct error *error = NULL;

		if (!probe->function)
			continue;
		error = debuginfo_variables(probe->function, probe->registration.address.value, true, !probe->is_return,
					    variables);
		if (!error && with_file_level)
			error = debuginfo_file_variables(probe->function, variables);
		if (error)
			return error;
		add_locations(t, probe, variables, lines);
	}
	for_each_ptr(const char *, line, lines) {
		if (strcmp(last, line))
			puts(line);
		last = line;
	}
	return NULL;
}
