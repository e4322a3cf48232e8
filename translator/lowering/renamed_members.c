// SPDX-License-Identifier: GPL-2.0-or-later
/* Members that this kernel has under another name or in another place (translator/renames/). */
#include "translator/lowering/target.h"

#include "common/base/i18n.h"
#include "translator/renames/renames.h"

bool renames_apply(const struct translation *t)
{
	return !t->options->no_renames && !t->options->list && !t->keeps_names;
}

/* Return the number of components of the chain, from @index on, that are a row's old name; 0: they are not. */
static guint old_components(const GPtrArray *components, guint index, const char *old)
{
	g_auto(GStrv) names = g_strsplit(old, ".", -1);
	guint count = g_strv_length(names);

	for (guint i = 0; i < count; i++) {
		const struct component *component =
			index + i < components->len ? g_ptr_array_index(components, index + i) : NULL;

		if (!component || component->kind != COMPONENT_MEMBER || strcmp(component->name, names[i]))
			return 0;
	}
	return count;
}

/* Follow the path of a row. Return false if this kernel does not have it either. */
static bool follow_path(struct lowering *l, const char *path, struct typed_value *value, struct expr **scalar)
{
	g_auto(GStrv) names = g_strsplit_set(path, ".->", -1);

	for (char **name = names; *name; name++) {
		struct member member;
		struct error *error;

		if (!**name)
			continue;
		while (value->type->kind == KIND_POINTER && value->type->target)
			*value = dereference(l->t->arena, value, 0);
		error = debuginfo_find_member(value->type, *name, &member);
		if (error) {
			error_free(error);
			return false;
		}
		*value = member_value(l->t->arena, value, &member, scalar);
	}
	return true;
}

static void warn(struct lowering *l, const struct component *component, const struct type *type,
		 const struct member_rename *row)
{
	if (row->release)
		diagnose(l->t->diagnostics, WARNING, &component->location,
			 _("'%s' has no member '%s' since Linux %s: this reads '%s'"), type->spelling, row->old,
			 row->release, row->path);
	else
		diagnose(l->t->diagnostics, WARNING, &component->location,
			 _("'%s' has no member '%s': this reads '%s'"), type->spelling, row->old, row->path);
	if (row->change)
		diagnose_hint(l->t->diagnostics, "%s", _(row->change));
}

bool follow_renamed_member(struct lowering *l, guint *index, struct typed_value *value, struct expr **scalar)
{
	const GPtrArray *components = l->target->components;
	const struct component *component = g_ptr_array_index(components, *index);
	const char *type = value->type->name;

	if (!type || !renames_apply(l->t) || type_memory(value->type) != MEMORY_KERNEL)
		return false;
	for (const struct member_rename *row = member_rename(type, component->name, NULL); row;
	     row = member_rename(type, component->name, row)) {
		guint count = old_components(components, *index, row->old);
		struct typed_value end = *value;

		if (!count || !follow_path(l, row->path, &end, scalar))
			continue;
		warn(l, component, value->type, row);
		*value = end;
		*index += count - 1;
		return true;
	}
	return false;
}
