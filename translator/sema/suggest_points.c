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
	const struct probe_point *point;
	guint longest; /* number of leading components that match some provider or alias */
	GPtrArray *names; /* of const char *: possible names for the next component */
};

static const char *component_name(const struct probe_point *point, guint index)
{
	return ((struct probe_component *)g_ptr_array_index(point->components, index))->name;
}

/* Compare the point with a known one of @length components, and note the name where they differ. */
static void consider(struct candidates *c, const char *const *names, guint length)
{
	guint fitting = 0;

	/* Internal to the library. */
	if (g_str_has_prefix(names[0], "__"))
		return;
	while (fitting < c->point->components->len && fitting < length &&
	       name_matches(component_name(c->point, fitting), names[fitting]))
		fitting++;
	if (fitting < c->longest || fitting >= length)
		return;
	if (fitting > c->longest)
		g_ptr_array_set_size(c->names, 0);
	c->longest = fitting;
	if (!g_ptr_array_find_with_equal_func(c->names, names[fitting], g_str_equal, NULL))
		g_ptr_array_add(c->names, (void *)names[fitting]);
}

static void consider_patterns(struct candidates *c)
{
	const char *names[PATTERN_COMPONENTS];

	for (const struct provider *const *provider = providers; *provider; provider++)
		for (const struct point_pattern *p = (*provider)->patterns; p->components[0].name; p++) {
			for (guint i = 0; i < pattern_length(p); i++)
				names[i] = p->components[i].name;
			consider(c, names, pattern_length(p));
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
				consider(c, (const char *const *)names->pdata, names->len);
			}
		}
}

const GPtrArray *near_point_names(struct translation *t, const struct probe_point *point,
				  const struct probe_component **culprit)
{
	enum { MOST_NAMED = 32 };
	GPtrArray *names = arena_ptr_array(t->arena);
	struct candidates c = {.point = point, .names = names};
	const GPtrArray *near = near_syscalls(t, point, culprit);

	if (near)
		return near;
	consider_patterns(&c);
	consider_aliases(&c, t->scripts);
	provide_all_syscall_aliases(t);
	consider_aliases(&c, library_all(t));
	*culprit = g_ptr_array_index(point->components, MIN(c.longest, point->components->len - 1));
	near = nearest_matches(t->arena, (*culprit)->name, names, "", 5);
	if (near || !c.longest || c.longest >= point->components->len || names->len > MOST_NAMED)
		return near;
	return names;
}
