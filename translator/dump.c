// SPDX-License-Identifier: GPL-2.0-or-later
/* Sorted lists of what a script can use, one item per line, for grep; see dump.h. */
#include "translator/dump.h"

#include <stdio.h>
#include <string.h>

#include "translator/json_lines.h"
#include "translator/list.h"
#include "translator/probes/provider.h"
#include "translator/probes/syscall_aliases.h"
#include "translator/sema/sema.h"

static const char *function_text(struct arena *arena, const struct function_declaration *function)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(text, "%s:%s (", function->name, type_text(function->type));
	for (guint i = 0; function->parameters && i < function->parameters->len; i++) {
		const struct symbol *parameter = g_ptr_array_index(function->parameters, i);

		g_string_append_printf(text, "%s%s:%s", i ? ", " : "", parameter->name, type_text(parameter->type));
	}
	g_string_append_c(text, ')');
	return arena_strdup(arena, text->str);
}

static const char *function_json(struct arena *arena, const struct function_declaration *function)
{
	struct line_buffer line;

	line_begin(&line, JSON_FUNCTION_NAME);
	write_function(&line.w, function);
	return line_end(&line, arena);
}

/* Names that begin with "__" are internal to the library, like private ones. */
static bool is_public(const char *name, bool is_private)
{
	return !is_private && !g_str_has_prefix(name, "__");
}

void dump_functions(struct translation *t)
{
	GPtrArray *lines = arena_ptr_array(t->arena);

	if (!analyze_library(t))
		return;
	for_each_ptr(const struct script *, script, library_all(t))
		for_each_ptr(const struct function_declaration *, function, script->functions) {
			if (is_public(function->name, function->is_private))
				line_add(t->arena, function_text(t->arena, function),
					 t->options->json ? function_json(t->arena, function) : NULL, lines);
		}
	list_print(t, lines);
}

static const char *points_text(struct arena *arena, const GPtrArray *points)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for_each_ptr(const struct probe_point *, point, points)
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", probe_point_text(arena, point, true));
	return arena_strdup(arena, text->str);
}

static const char *alias_json(struct arena *arena, const char *name, const GPtrArray *points)
{
	struct line_buffer line;

	line_begin(&line, JSON_ALIAS_NAME);
	json_member_text(&line.w, JSON_ALIAS_NAME, name);
	json_member(&line.w, JSON_ALIAS_POINTS);
	json_array_begin(&line.w);
	for_each_ptr(const struct probe_point *, point, points)
		json_text(&line.w, probe_point_text(arena, point, true));
	json_array_end(&line.w);
	return line_end(&line, arena);
}

static void add_alias(struct translation *t, const char *name, const GPtrArray *points, GPtrArray *lines)
{
	line_add(t->arena, arena_printf(t->arena, "%s = %s", name, points_text(t->arena, points)),
		 t->options->json ? alias_json(t->arena, name, points) : NULL, lines);
}

void dump_aliases(struct translation *t)
{
	GPtrArray *lines = arena_ptr_array(t->arena);

	provide_all_syscall_aliases(t);
	for_each_ptr(const struct script *, script, library_all(t))
		for_each_ptr(const struct alias *, alias, script->aliases)
			for_each_ptr(const struct probe_point *, name, alias->names) {
				const char *text = probe_point_text(t->arena, name, false);

				if (is_public(text, alias->is_private))
					add_alias(t, text, alias->points, lines);
			}
	list_print(t, lines);
}

static const char *probe_type_json(struct arena *arena, const char *point)
{
	struct line_buffer line;

	line_begin(&line, JSON_PROBE_TYPE_POINT);
	json_member_text(&line.w, JSON_PROBE_TYPE_POINT, point);
	return line_end(&line, arena);
}

/* Add all forms of a pattern from component @index on; an optional argument doubles the number of forms. */
static void add_forms(struct arena *arena, const struct point_pattern *pattern, int index, const char *text,
		      GPtrArray *lines)
{
	static const struct {
		const char *text;
		unsigned int kinds; /* bits of enum component_argument */
	} arguments[] = {
		{"", 1 << NO_ARGUMENT | 1 << OPTIONAL_NUMBER | 1 << OPTIONAL_STRING | 1 << ANY_ARGUMENT},
		{"(number)", 1 << NUMBER_ARGUMENT | 1 << OPTIONAL_NUMBER | 1 << ANY_ARGUMENT},
		{"(string)", 1 << STRING_ARGUMENT | 1 << OPTIONAL_STRING | 1 << ANY_ARGUMENT},
	};
	const struct component_pattern *component = &pattern->components[index];

	if (index == PATTERN_COMPONENTS || !component->name) {
		line_add(arena, text, probe_type_json(arena, text), lines);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(arguments); i++)
		if (arguments[i].kinds & 1 << component->argument)
			add_forms(arena, pattern, index + 1,
				  arena_printf(arena, "%s%s%s%s", text, index ? "." : "", component->name,
					       arguments[i].text),
				  lines);
}

/*
 * May --privilege=stapusr use the pattern? Of providers for both the kernel and programs, it may use only the points of
 * processes.
 */
static bool is_for_all(const struct provider *provider, const struct point_pattern *pattern)
{
	return provider->unprivileged || !strcmp(pattern->components[0].name, "process");
}

void dump_probe_types(struct translation *t)
{
	bool unprivileged = !strcmp(t->language.privilege, "stapusr");
	GPtrArray *lines = arena_ptr_array(t->arena);

	for (const struct provider *const *provider = providers; *provider; provider++) {
		for (const struct point_pattern *p = (*provider)->patterns; p->components[0].name; p++) {
			if (!p->refused && is_public(p->components[0].name, false) &&
			    (!unprivileged || is_for_all(*provider, p)))
				add_forms(t->arena, p, 0, "", lines);
		}
	}
	list_print(t, lines);
}
