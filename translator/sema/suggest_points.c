// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Suggest alternatives for an unknown probe point. Providers and aliases that match the longest beginning of the point
 * are found; the names that they have for the next component are the candidates.
 */
#include "common/nearest.h"
#include "translator/probes/provider.h"
#include "translator/probes/syscall_aliases.h"
#include "translator/sema/sema.h"

struct candidates {
	struct arena *arena;
	const struct probe_point *point;
	guint longest; /* number of leading components that match some provider or alias */
	GPtrArray *names; /* of struct point_name *: what the next component can be */
};

static const char *component_name(const struct probe_point *point, guint index)
{
	return ((struct probe_component *)g_ptr_array_index(point->components, index))->name;
}

static bool is_noted(const GPtrArray *names, const char *name)
{
	for_each_ptr(const struct point_name *, known, names) {
		if (!strcmp(known->name, name))
			return true;
	}
	return false;
}

/* A known point: the names of its components, and what is known of the alias or pattern. */
struct known_point {
	const char *const *names;
	guint length;
	const struct point_pattern *pattern;
	const struct alias *alias;
};

static void note_name(struct candidates *c, const struct known_point *known, guint index)
{
	struct point_name *name;

	if (is_noted(c->names, known->names[index]))
		return;
	name = arena_new0(c->arena, struct point_name);
	name->name = known->names[index];
	name->argument = known->pattern ? known->pattern->components[index].argument : NO_ARGUMENT;
	name->refused = known->pattern ? known->pattern->refused : NULL;
	name->alias = known->alias;
	name->is_last = index + 1 == known->length;
	g_ptr_array_add(c->names, name);
}

/* Compare the point with a known one, and note the name where they differ. */
static void consider(struct candidates *c, const struct known_point *known)
{
	guint fitting = 0;

	/* Internal to the library. */
	if (g_str_has_prefix(known->names[0], "__"))
		return;
	while (fitting < c->point->components->len && fitting < known->length &&
	       name_matches(component_name(c->point, fitting), known->names[fitting]))
		fitting++;
	if (fitting < c->longest || fitting >= known->length)
		return;
	if (fitting > c->longest)
		g_ptr_array_set_size(c->names, 0);
	c->longest = fitting;
	note_name(c, known, fitting);
}

static void consider_patterns(struct candidates *c)
{
	const char *names[PATTERN_COMPONENTS];

	for (const struct provider *const *provider = providers; *provider; provider++)
		for (const struct point_pattern *p = (*provider)->patterns; p->components[0].name; p++) {
			for (guint i = 0; i < pattern_length(p); i++)
				names[i] = p->components[i].name;
			consider(c, &(struct known_point){names, pattern_length(p), p});
		}
}

static void consider_aliases(struct candidates *c, const GPtrArray *scripts)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for_each_ptr(const struct script *, script, scripts)
		for_each_ptr(const struct alias *, alias, script->aliases) {
			if (alias->is_private)
				continue;
			for_each_ptr(const struct probe_point *, name, alias->names) {
				g_ptr_array_set_size(names, 0);
				for (guint i = 0; i < name->components->len; i++)
					g_ptr_array_add(names, (void *)component_name(name, i));
				consider(c, &(struct known_point){(const char *const *)names->pdata, names->len,
								  .alias = alias});
			}
		}
}

static void consider_all(struct candidates *c, struct translation *t)
{
	consider_patterns(c);
	consider_aliases(c, t->scripts);
	provide_all_syscall_aliases(t);
	consider_aliases(c, library_all(t));
}

const GPtrArray *next_point_names(struct translation *t, const struct probe_point *point)
{
	struct candidates c = {.arena = t->arena, .point = point, .names = arena_ptr_array(t->arena)};

	consider_all(&c, t);
	if (c.longest < point->components->len)
		g_ptr_array_set_size(c.names, 0);
	return c.names;
}

static GPtrArray *texts_of(struct arena *arena, const GPtrArray *names)
{
	GPtrArray *texts = arena_ptr_array(arena);

	for_each_ptr(const struct point_name *, name, names)
		g_ptr_array_add(texts, (void *)name->name);
	return texts;
}

const GPtrArray *near_point_names(struct translation *t, const struct probe_point *point,
				  const struct probe_component **culprit)
{
	enum { MOST_NAMED = 32 };
	struct candidates c = {.arena = t->arena, .point = point, .names = arena_ptr_array(t->arena)};
	const GPtrArray *near = near_syscalls(t, point, culprit), *names;

	if (near)
		return near;
	consider_all(&c, t);
	names = texts_of(t->arena, c.names);
	*culprit = g_ptr_array_index(point->components, MIN(c.longest, point->components->len - 1));
	near = nearest_matches(t->arena, (*culprit)->name, names, "", 5);
	if (near || !c.longest || c.longest >= point->components->len || names->len > MOST_NAMED)
		return near;
	return names;
}
