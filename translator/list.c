// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * -l, -L and --list-vars: derive probes without handlers, and print them. Identical points (inlined instances of a
 * function) are one line. An alias is one line, too; -L shows the variables that it sets and those of its first place.
 */
#include "translator/list.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "translator/json_lines.h"
#include "translator/lowering/lowering.h"
#include "translator/probes/mark.h"
#include "translator/probes/provider.h"
#include "translator/sema/sema.h"

/* ---- lists of lines ---------------------------------------------------------------------------------------------- */

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	const struct listed_line *x = *(const struct listed_line *const *)a, *y = *(const struct listed_line *const *)b;

	return strcmp(x->text, y->text);
}

void list_print(const struct translation *t, GPtrArray *lines)
{
	const char *last = NULL;

	g_ptr_array_sort(lines, compare_lines);
	for_each_ptr(const struct listed_line *, line, lines) {
		if (!last || strcmp(last, line->text))
			puts(t->options->json ? line->json : line->text);
		last = line->text;
	}
}

void line_begin(struct line_buffer *buffer, enum json_field field)
{
	FILE *to = open_memstream(&buffer->text, &buffer->size);

	if (!to)
		g_error("out of memory");
	json_begin(&buffer->w, to, field);
}

const char *line_end(struct line_buffer *buffer, struct arena *arena)
{
	const char *line;

	json_object_end(&buffer->w);
	fclose(buffer->w.to);
	line = arena_strndup(arena, buffer->text, buffer->size);
	free(buffer->text);
	return line;
}

void line_add(struct arena *arena, const char *text, const char *json, GPtrArray *lines)
{
	struct listed_line *line = arena_new0(arena, struct listed_line);

	*line = (struct listed_line){text, json};
	g_ptr_array_add(lines, line);
}

/* ---- -l, -L ------------------------------------------------------------------------------------------------------ */

/* A line of -l or -L: a probe, and the places that it is about. */
struct listed_probe {
	const struct derived_probe *probe; /* the first place */
	const char *text;
	GPtrArray *variables; /* of struct listed_variable *; NULL: not asked for */
	GPtrArray *places; /* of const struct derived_probe * */
};

/* Return "struct file*": the spelling without the space before the star, as SystemTap prints it. */
static const char *type_spelling(struct arena *arena, const struct type *type)
{
	char *text = arena_strdup(arena, type->spelling), *end = text;

	for (const char *rest = text; *rest; rest++)
		if (*rest != ' ' || rest[1] != '*')
			*end++ = *rest;
	*end = '\0';
	return text;
}

static const char *with_dollar(struct arena *arena, const char *name)
{
	size_t length = strlen(name);
	char *text = arena_alloc(arena, length + 2);

	*text = '$';
	memcpy(text + 1, name, length);
	return text;
}

static void add_typed(struct translation *t, const struct variable *variable, const char *name, GPtrArray *ret)
{
	const char *place = t->options->json ? debuginfo_location_text(t->arena, variable) : NULL;

	list_variable(t, ret, with_dollar(t->arena, name), type_spelling(t->arena, variable->type), place);
}

static void add_variable(struct translation *t, const struct variable *variable, GPtrArray *ret)
{
	if (variable->location == LOCATION_MEMORY || variable->location == LOCATION_VALUE ||
	    variable->location == LOCATION_POINTER || variable->location == LOCATION_PIECES)
		add_typed(t, variable, variable->name, ret);
}

static bool is_listed(const GPtrArray *variables, const char *name)
{
	for_each_ptr(const struct listed_variable *, variable, variables)
		if (!strcmp(variable->name, name))
			return true;
	return false;
}

/* Append the alias's variables that the list does not have yet. Names that begin with "__" are internal. */
static void add_locals(struct translation *t, const struct derived_probe *probe, GPtrArray *ret)
{
	g_autoptr(GHashTable) read = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) written = g_hash_table_new(NULL, NULL);

	collect_usage(probe->body, read, written);
	for_each_ptr(const struct symbol *, local, probe->locals)
		if (g_hash_table_contains(written, local) && !g_str_has_prefix(local->name, "__") &&
		    !is_listed(ret, local->name))
			list_variable(t, ret, local->name, type_text(local->type), NULL);
}

static void add_variables(struct translation *t, const struct derived_probe *probe, GPtrArray *ret)
{
	g_autoptr(GPtrArray) variables = g_ptr_array_new();
	const struct variable *result = NULL;

	if (probe->named_place)
		for_each_ptr(const struct variable *, argument, named_place_arguments(probe))
			add_variable(t, argument, ret);
	if (!probe->function)
		return;
	if (probe->is_return)
		error_free(debuginfo_return_value(probe->function, &result));
	if (result)
		add_typed(t, result, "return", ret);
	error_free(debuginfo_variables(probe->function, probe->registration.address.value, true, !probe->is_return,
				       variables));
	for_each_ptr(const struct variable *, variable, variables)
		if (!variable_is_hidden(probe, variable))
			add_variable(t, variable, ret);
}

GPtrArray *listed_variables(struct translation *t, const struct derived_probe *probe)
{
	GPtrArray *variables = arena_ptr_array(t->arena);

	if (probe->provider->list_variables)
		probe->provider->list_variables(t, probe, variables);
	if (probe->of_alias)
		add_locals(t, probe, variables);
	if (!probe->provider->list_variables)
		add_variables(t, probe, variables);
	return variables;
}

/* Return "point $file:struct file*"; the point itself if there are no variables. */
static const char *line_text(struct arena *arena, const char *point, const GPtrArray *variables)
{
	size_t size = strlen(point) + 1;
	char *text, *end;

	if (!variables || !variables->len)
		return point;
	for_each_ptr(const struct listed_variable *, variable, variables)
		size += strlen(variable->name) + strlen(variable->type) + 2;
	text = arena_alloc(arena, size);
	end = stpcpy(text, point);
	for_each_ptr(const struct listed_variable *, variable, variables)
		end = stpcpy(stpcpy(stpcpy(stpcpy(end, " "), variable->name), ":"), variable->type);
	return text;
}

static const char *listed_text(const struct derived_probe *probe)
{
	return probe->of_alias ? probe->name : probe->listed_text ?: probe->point_text;
}

/* Find or make the JSON line of a probe. Identical lines are one, with all their places. */
static struct listed_probe *line_of(struct translation *t, const struct derived_probe *probe, const char *text,
				    GPtrArray *variables, GHashTable *by_text)
{
	struct listed_probe *listed = g_hash_table_lookup(by_text, text);

	if (listed)
		return listed;
	listed = arena_new0(t->arena, struct listed_probe);
	*listed = (struct listed_probe){probe, text, variables, arena_ptr_array(t->arena)};
	g_hash_table_insert(by_text, (gpointer)text, listed);
	return listed;
}

static const char *probe_json(struct arena *arena, const struct listed_probe *listed)
{
	struct line_buffer line;

	line_begin(&line, JSON_PROBE_POINT);
	write_probe(&line.w, listed->probe, listed_text(listed->probe), listed->places);
	if (listed->variables)
		write_variables(&line.w, listed->variables);
	return line_end(&line, arena);
}

/* Add the text of a probe's line. For JSON, also find its line, else return NULL. */
static struct listed_probe *add_text(struct translation *t, const struct derived_probe *probe, bool with_variables,
				     GHashTable *by_text, GPtrArray *lines)
{
	GPtrArray *variables = with_variables ? listed_variables(t, probe) : NULL;
	const char *text = line_text(t->arena, listed_text(probe), variables);

	if (t->options->json)
		return line_of(t, probe, text, variables, by_text);
	line_add(t->arena, text, NULL, lines);
	return NULL;
}

void list_probes(struct translation *t, bool with_variables)
{
	g_autoptr(GHashTable) by_text = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) lines = g_ptr_array_new();
	struct listed_probe *listed = NULL;
	GHashTableIter iter;
	const char *last = NULL;

	if (!derive_probes(t))
		return;
	if (with_variables)
		analyze_listed(t);
	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		const char *text = listed_text(probe);

		/* Instances of a function share their text, and so do the places of an alias. */
		if (text != last || (with_variables && !probe->of_alias))
			listed = add_text(t, probe, with_variables, by_text, lines);
		last = text;
		if (listed)
			g_ptr_array_add(listed->places, (void *)probe);
	}
	g_hash_table_iter_init(&iter, by_text);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&listed))
		line_add(t->arena, listed->text, probe_json(t->arena, listed), lines);
	list_print(t, lines);
}

/* ---- --list-vars ------------------------------------------------------------------------------------------------- */

enum { VARIABLE_COLUMNS = 5 };

/* Return the place as "vfs_read+0x1c", relative to the function that contains an inlined instance. */
static const char *place_name(struct arena *arena, const struct derived_probe *probe)
{
	const struct function *function = probe->function, *real = function->container ?: function;
	uint64_t distance = probe->registration.address.value - real->entry.value;

	return arena_printf(arena, "%s+0x%" PRIx64, real->name, distance);
}

static const char *location_json(struct arena *arena, const char *const columns[VARIABLE_COLUMNS])
{
	static const enum json_field fields[VARIABLE_COLUMNS] = {
		JSON_VARIABLE_POINT, JSON_VARIABLE_AT, JSON_VARIABLE_NAME, JSON_VARIABLE_TYPE, JSON_VARIABLE_PLACE,
	};
	struct line_buffer line;

	line_begin(&line, fields[0]);
	for (int i = 0; i < VARIABLE_COLUMNS; i++)
		json_member_text(&line.w, fields[i], columns[i]);
	return line_end(&line, arena);
}

static void add_location(struct translation *t, const struct derived_probe *probe, const struct variable *variable,
			 GPtrArray *lines)
{
	const char *const columns[VARIABLE_COLUMNS + 1] = {
		probe->point_text,
		place_name(t->arena, probe),
		arena_printf(t->arena, "$%s", variable->name),
		variable->type->spelling,
		debuginfo_location_text(t->arena, variable),
	};
	g_autofree char *text = g_strjoinv("\t", (char **)columns);

	line_add(t->arena, arena_strdup(t->arena, text), t->options->json ? location_json(t->arena, columns) : NULL,
		 lines);
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
		for_each_ptr(const struct variable *, variable, variables)
			if (!variable_is_hidden(probe, variable))
				add_location(t, probe, variable, lines);
	}
	for_each_ptr(const struct listed_line *, line, lines) {
		if (strcmp(last, line->text))
			puts(t->options->json ? line->json : line->text);
		last = line->text;
	}
	return NULL;
}
