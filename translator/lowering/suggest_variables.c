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

/*
 * Return the name of a structure among the members that has a member of this name, or NULL. Kernel versions often move
 * members into a structure of their own.
 */
static const char *member_one_level_down(const GPtrArray *members, const char *name)
{
	for_each_ptr(const struct member *, outer, members) {
		struct member inner;
		struct error *error;

		if (!outer->name || (outer->type->kind != KIND_STRUCT && outer->type->kind != KIND_UNION))
			continue;
		error = debuginfo_find_member(outer->type, name, &inner);
		if (!error)
			return outer->name;
		error_free(error);
	}
	return NULL;
}

static const char *suggest_member_of(struct lowering *l, const char *outer, const char *name)
{
	const char *path = arena_printf(l->t->arena, "%s->%s", outer, name);

	diagnose_names(l->t->diagnostics, names_one(l->t->arena, path));
	return arena_printf(l->t->arena, "%s (%s.%s in C)", path, outer, name);
}

void diagnose_no_member(struct lowering *l, const struct component *component, struct type *type)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *members = NULL;
	struct error *error = debuginfo_members(type, &members);
	const char *outer, *meant = NULL;

	error_free(error);
	for_each_ptr(const struct member *, member, members) {
		if (member->name)
			g_ptr_array_add(names, (void *)member->name);
	}
	diagnose(l->t->diagnostics, SEMANTIC_ERROR, &component->location, _("'%s' has no member '%s'"), type->spelling,
		 component->name);
	outer = members ? member_one_level_down(members, component->name) : NULL;
	if (outer)
		meant = suggest_member_of(l, outer, component->name);
	else
		meant = diagnose_names(l->t->diagnostics, nearest_matches(l->t->arena, component->name, names, "", 3));
	nearest_sort(component->name, names);
	if (meant)
		diagnose_hint(l->t->diagnostics, _("alternatives: %s; did you mean %s?"), add_names(l->t, names, ""),
			      meant);
	else if (names->len)
		diagnose_hint(l->t->diagnostics, _("alternatives: %s"), add_names(l->t, names, ""));
}
