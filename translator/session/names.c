// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find the definitions of a document, and the names in it with what they mean. This reads the tree of pass 1, so
 * scripts with errors have names, too. Scope is that of pass 2 (sema/scope.h). Names in expansions of macros are left
 * out, since they are not in the text.
 */
#include "translator/session/internal.h"

#include <string.h>

#include "translator/sema/scope.h"
#include "translator/sema/sema.h"

struct finder {
	struct analysis *analysis;
	guint definition; /* number of the current one */
	const GPtrArray *parameters;
};

/* ---- definitions ------------------------------------------------------------------------------------------------- */

static void add_definition(struct analysis *analysis, const struct location *at, struct definition definition)
{
	if (at->expanded_from || !analysis_range(analysis, at, &definition.range))
		return;
	definition.name = definition.range.from;
	g_array_append_val(analysis->definitions, definition);
}

static void add_definitions(struct analysis *analysis)
{
	const struct script *script = analysis->script;

	for_each_ptr(const struct probe *, probe, script->probes)
		add_definition(analysis, &probe->location, (struct definition){.kind = SYMBOL_PROBE, .probe = probe});
	for_each_ptr(const struct alias *, alias, script->aliases)
		add_definition(analysis, &alias->location, (struct definition){.kind = SYMBOL_ALIAS, .alias = alias});
	for_each_ptr(struct function_declaration *, function, script->functions)
		add_definition(analysis, &function->location,
			       (struct definition){.kind = SYMBOL_FUNCTION, .function = function});
	for_each_ptr(struct symbol *, global, script->globals)
		add_definition(analysis, &global->location,
			       (struct definition){.kind = SYMBOL_GLOBAL, .global = global});
}

/* Let each definition end where the next one begins. */
static void set_ends(struct analysis *analysis)
{
	GArray *all = analysis->definitions;

	g_array_sort(all, compare_ranges);
	for (guint i = 0; i < all->len; i++)
		g_array_index(all, struct definition, i).range.to =
			i + 1 < all->len ? g_array_index(all, struct definition, i + 1).range.from
					 : analysis->text.bytes->len;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static struct name *add_name(struct finder *finder, const struct location *at, enum name_kind kind, const char *text)
{
	struct name name = {.kind = kind, .text = text, .definition = finder->definition};
	GArray *names = finder->analysis->names;

	if (at->expanded_from || !analysis_range(finder->analysis, at, &name.range))
		return NULL;
	g_array_append_val(names, name);
	return &g_array_index(names, struct name, names->len - 1);
}

static const struct symbol *parameter_named(const struct finder *finder, const char *text)
{
	for_each_ptr(const struct symbol *, parameter, finder->parameters) {
		if (!strcmp(parameter->name, text))
			return parameter;
	}
	return NULL;
}

static void name_symbol(struct finder *finder, const struct expr *use)
{
	struct translation *t = &finder->analysis->t;
	const struct symbol *parameter = parameter_named(finder, use->text);
	const struct symbol *global =
		parameter ? NULL : visible_global(t, script_at(t, &use->location, finder->analysis->script), use);
	enum name_kind kind = parameter ? NAME_PARAMETER : global ? NAME_GLOBAL : NAME_LOCAL;
	struct name *name = add_name(finder, &use->location, kind, use->text);

	if (!name)
		return;
	name->symbol = parameter ?: global;
	if (name->symbol)
		name->declared = name->symbol->location;
}

static void name_call(struct finder *finder, const struct expr *call)
{
	struct translation *t = &finder->analysis->t;
	g_autoptr(GPtrArray) named = g_ptr_array_new();
	struct name *name = add_name(finder, &call->location, NAME_FUNCTION, call->text);
	guint given = call->arguments ? call->arguments->len : 0;

	if (!name)
		return;
	collect_functions(t, script_at(t, &call->location, finder->analysis->script), call, named);
	for_each_ptr(const struct function_declaration *, function, named) {
		guint wanted = function->parameters ? function->parameters->len : 0;

		if (!name->function || (wanted == given && name->function->parameters->len != given))
			name->function = function;
	}
	if (name->function)
		name->declared = name->function->location;
}

static void name_expr(struct expr **expr, void *data)
{
	struct finder *finder = data;

	if ((*expr)->kind == EXPR_SYMBOL)
		name_symbol(finder, *expr);
	else if ((*expr)->kind == EXPR_CALL)
		name_call(finder, *expr);
}

static void name_points(struct finder *finder, const GPtrArray *points)
{
	for_each_ptr(struct probe_point *, point, points) {
		expr_walk(&point->condition, name_expr, finder);
		for_each_ptr(const struct probe_component *, component, point->components)
			add_name(finder, &component->location, NAME_ALIAS, component->name);
	}
}

static void name_declaration(struct finder *finder, const struct location *at, enum name_kind kind, const char *text,
			     const struct symbol *symbol, const struct function_declaration *function)
{
	struct name *name = add_name(finder, at, kind, text);

	if (!name)
		return;
	name->is_declaration = true;
	name->symbol = symbol;
	name->function = function;
	name->declared = *at;
}

static void name_function(struct finder *finder, const struct function_declaration *function)
{
	name_declaration(finder, &function->location, NAME_FUNCTION, function->name, NULL, function);
	for_each_ptr(const struct symbol *, parameter, function->parameters)
		name_declaration(finder, &parameter->location, NAME_PARAMETER, parameter->name, parameter, NULL);
	finder->parameters = function->parameters;
	statement_walk(function->body, name_expr, finder);
	finder->parameters = NULL;
}

static void name_definition(struct finder *finder, const struct definition *definition)
{
	const struct probe *probe = definition->probe;
	const struct alias *alias = definition->alias;

	if (definition->global)
		name_declaration(finder, &definition->global->location, NAME_GLOBAL, definition->global->name,
				 definition->global, NULL);
	if (definition->function)
		name_function(finder, definition->function);
	if (probe) {
		name_points(finder, probe->points);
		statement_walk(probe->body, name_expr, finder);
	}
	if (alias) {
		name_points(finder, alias->names);
		name_points(finder, alias->points);
		statement_walk(alias->prologue, name_expr, finder);
		statement_walk(alias->epilogue, name_expr, finder);
	}
}

/* A point in braces is several points, which share the place of a condition or component. */
static void drop_doubles(GArray *names)
{
	guint kept = 0;

	for (guint i = 0; i < names->len; i++) {
		const struct name *name = &g_array_index(names, struct name, i);

		if (kept && g_array_index(names, struct name, kept - 1).range.from == name->range.from)
			continue;
		g_array_index(names, struct name, kept++) = *name;
	}
	g_array_set_size(names, kept);
}

/* Mark the first use of each local in the text, which need not be the first in the tree. */
static void mark_first_uses(struct analysis *analysis)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	guint definition = 0;

	for (guint i = 0; i < analysis->names->len; i++) {
		struct name *name = &g_array_index(analysis->names, struct name, i);

		if (name->kind != NAME_LOCAL)
			continue;
		if (name->definition != definition)
			g_hash_table_remove_all(seen);
		definition = name->definition;
		name->is_declaration = g_hash_table_add(seen, (void *)name->text);
	}
}

void find_names(struct analysis *analysis)
{
	struct finder finder = {.analysis = analysis};

	if (!analysis->script)
		return;
	add_definitions(analysis);
	set_ends(analysis);
	for (guint i = 0; i < analysis->definitions->len; i++) {
		finder.definition = i;
		name_definition(&finder, &g_array_index(analysis->definitions, struct definition, i));
	}
	g_array_sort(analysis->names, compare_ranges);
	drop_doubles(analysis->names);
	mark_first_uses(analysis);
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

static bool begins_with(const struct probe_point *point, const struct probe_point *name)
{
	if (name->components->len > point->components->len)
		return false;
	for (guint i = 0; i < name->components->len; i++) {
		const struct probe_component *given = g_ptr_array_index(point->components, i);
		const struct probe_component *wanted = g_ptr_array_index(name->components, i);

		if (!name_matches(given->name, wanted->name))
			return false;
	}
	return true;
}

static void best_alias(const GPtrArray *scripts, const struct probe_point *point, const struct alias **best,
		       guint *length)
{
	for_each_ptr(const struct script *, script, scripts)
		for_each_ptr(const struct alias *, alias, script->aliases)
			for_each_ptr(const struct probe_point *, name, alias->names)
				if (name->components->len > *length && begins_with(point, name)) {
					*best = alias;
					*length = name->components->len;
				}
}

const struct alias *alias_of_point(struct translation *t, const struct probe_point *point)
{
	const struct probe_component *first = g_ptr_array_index(point->components, 0);
	const struct alias *best = NULL;
	guint length = 0;

	best_alias(t->scripts, point, &best, &length);
	best_alias(library_with(t, first->name), point, &best, &length);
	return best;
}

static const struct symbol *symbol_named(const GPtrArray *symbols, const char *name)
{
	for_each_ptr(const struct symbol *, symbol, symbols) {
		if (!strcmp(symbol->name, name))
			return symbol;
	}
	return NULL;
}

enum value_type local_type(const struct analysis *analysis, const struct definition *definition, const char *name,
			   const struct symbol **symbol)
{
	const struct symbol *found = NULL;

	for_each_ptr(const struct derived_probe *, probe, definition->probe ? analysis->t.probes : NULL) {
		if (probe->origin != definition->probe)
			continue;
		found = symbol_named(probe->locals, name);
		if (found)
			break;
	}
	if (definition->function)
		found = symbol_named(definition->function->locals, name);
	if (symbol)
		*symbol = found;
	return found ? found->type : TYPE_UNKNOWN;
}
