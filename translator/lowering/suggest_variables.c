// SPDX-License-Identifier: GPL-2.0-or-later
/* Errors for unknown $variables and members, with hints at the names that exist and at the nearest of them. */
#include "translator/lowering/target.h"

#include "common/nearest.h"
#include "common/base/i18n.h"

/* Add the names to the alternatives of the last diagnostic, and return them for its hint, which omits most of many. */
static const char *add_names(struct translation *t, const GPtrArray *names, const char *prefix)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	g_autoptr(GString) text = g_string_new(NULL);

	for_each_ptr(const char *, name, names)
		g_ptr_array_add(all, arena_printf(t->arena, "%s%s", prefix, name));
	diagnose_names(t->diagnostics, all);

	for_each_ptr(const char *, name, names) {
		g_string_append_printf(text, "%s%s%s", text->len ? ", " : "", prefix, name);
		if (text->len > 400) {
			g_string_append(text, ", ...");
			break;
		}
	}
	return arena_strdup(t->arena, text->str);
}

/* A tracepoint's variables are those of a kernel function, whose locals and parameter __data are not arguments. */
bool variable_is_hidden(const struct derived_probe *probe, const struct variable *variable)
{
	return probe->registration.kind == STP_PROBE_TRACEPOINT &&
	       (!variable->is_parameter || !strcmp(variable->name, "__data"));
}

static void collect_variable_names(struct lowering *l, GPtrArray *names)
{
	g_autoptr(GPtrArray) variables = g_ptr_array_new();
	bool locals = !l->probe->is_return;
	struct error *error =
		debuginfo_variables(l->probe->function, l->probe->registration.address.value, true, locals, variables);

	error_free(error);
	for_each_ptr(const struct variable *, variable, variables) {
		if (!variable_is_hidden(l->probe, variable) &&
		    !g_ptr_array_find_with_equal_func(names, variable->name, g_str_equal, NULL))
			g_ptr_array_add(names, (void *)variable->name);
	}
	if (l->probe->is_return && !debuginfo_return_value(l->probe->function, &(const struct variable *){NULL}))
		g_ptr_array_add(names, "return");
}

void diagnose_no_variable(struct lowering *l)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *near;
	const char *meant;

	diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location, _("no variable '$%s' in %s"), l->target->text,
		 l->probe->point_text);
	collect_variable_names(l, names);
	if (!names->len) {
		diagnose_hint(l->t->diagnostics, _("this function has no variables that can be read here"));
		return;
	}
	near = nearest_matches(l->t->arena, l->target->text, names, "$", 3);
	/* Suggest the first parameter: kernel versions often rename parameters. */
	if (!near)
		near = names_one(l->t->arena,
				 arena_printf(l->t->arena, "$%s", (const char *)g_ptr_array_index(names, 0)));
	meant = diagnose_names(l->t->diagnostics, near);
	diagnose_hint(l->t->diagnostics, _("alternatives: %s; did you mean %s?"), add_names(l->t, names, "$"), meant);
}

/* Add the names of the members one level down, except those that a direct member has, and their paths. */
static void collect_inner_names(struct arena *arena, const GPtrArray *members, GPtrArray *names, GHashTable *paths)
{
	for_each_ptr(const struct member *, outer, members) {
		const GPtrArray *inner = NULL;

		if (!outer->name || (outer->type->kind != KIND_STRUCT && outer->type->kind != KIND_UNION))
			continue;
		error_free(debuginfo_members(outer->type, &inner));
		for_each_ptr(const struct member *, member, inner) {
			if (!member->name || g_ptr_array_find_with_equal_func(names, member->name, g_str_equal, NULL))
				continue;
			g_ptr_array_add(names, (void *)member->name);
			g_hash_table_insert(paths, (gpointer)member->name,
					    arena_printf(arena, "%s->%s", outer->name, member->name));
		}
	}
}

/*
 * Return the paths of the members with similar names, also of those one level down: kernel versions often move members
 * into a structure of their own.
 */
static const GPtrArray *near_members(struct arena *arena, const GPtrArray *members, const GPtrArray *names,
				     const char *name)
{
	g_autoptr(GHashTable) paths = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	GPtrArray *near;

	for_each_ptr(const char *, direct, names)
		g_ptr_array_add(all, (void *)direct);
	collect_inner_names(arena, members, all, paths);
	near = nearest_matches(arena, name, all, "", 3);
	for (guint i = 0; near && i < near->len; i++) {
		char *path = g_hash_table_lookup(paths, near->pdata[i]);

		if (path)
			near->pdata[i] = path;
	}
	return near;
}

/* Add the paths to the alternatives of the last diagnostic. Return them for its hint; NULL if @p paths is NULL. */
static const char *add_paths(struct translation *t, const GPtrArray *paths)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (!paths)
		return NULL;
	diagnose_names(t->diagnostics, paths);
	for_each_ptr(const char *, path, paths) {
		const char *arrow = strstr(path, "->");

		g_string_append_printf(text, "%s%s", text->len ? ", " : "", path);
		if (arrow)
			g_string_append_printf(text, _(" (%.*s.%s in C)"), (int)(arrow - path), path, arrow + 2);
	}
	return arena_strdup(t->arena, text->str);
}

void diagnose_no_member(struct lowering *l, const struct component *component, struct type *type)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *members = NULL;
	struct error *error = debuginfo_members(type, &members);
	const char *meant;

	error_free(error);
	for_each_ptr(const struct member *, member, members) {
		if (member->name)
			g_ptr_array_add(names, (void *)member->name);
	}
	diagnose(l->t->diagnostics, SEMANTIC_ERROR, &component->location, _("'%s' has no member '%s'"), type->spelling,
		 component->name);
	meant = add_paths(l->t, near_members(l->t->arena, members, names, component->name));
	nearest_sort(component->name, names);
	if (meant)
		diagnose_hint(l->t->diagnostics, _("alternatives: %s; did you mean %s?"), add_names(l->t, names, ""),
			      meant);
	else if (names->len)
		diagnose_hint(l->t->diagnostics, _("alternatives: %s"), add_names(l->t, names, ""));
}
