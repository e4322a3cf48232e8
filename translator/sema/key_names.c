// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names for the keys of arrays, as headings in reports and labels of metrics: reads[execname(), pid()] has the keys
 * "execname" and "pid", and latency[$bdev->bd_dev] has the key "bd_dev". They come from the expressions under which a
 * script stores elements; failing that, from the variables of its foreach loops.
 */
#include "translator/sema/sema.h"

#include <string.h>

struct key_search {
	const struct script *script;
	bool in_loops; /* look at foreach instead of stores */
};

/* The name that an expression suggests for its value; NULL: none. */
static const char *name_of(const struct expr *e);

static const char *name_of_target(const struct expr *target)
{
	const char *name = target->target == TARGET_CAST ? NULL : target->text;

	if (target->components)
		for_each_ptr(const struct component *, component, target->components)
			if (component->kind == COMPONENT_MEMBER)
				name = component->name;
	return name ? name + strspn(name, "$") : NULL;
}

/* user_string($path) is a path, but symname(caller_addr()) is better called symname than caller_addr. */
static const char *name_of_call(const struct expr *call)
{
	const struct expr *only =
		call->arguments && call->arguments->len == 1 ? g_ptr_array_index(call->arguments, 0) : NULL;

	return (only && only->kind != EXPR_CALL ? name_of(only) : NULL) ?: call->text;
}

static const char *name_of(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_SYMBOL:
		return e->text;
	case EXPR_CALL:
		return name_of_call(e);
	case EXPR_TARGET:
		return name_of_target(e);
	case EXPR_INDEX:
		return name_of(e->left);
	case EXPR_ENTRY:
		return e->operand ? name_of(e->operand) : NULL;
	default:
		return NULL;
	}
}

static struct symbol *find_array(const struct script *script, const struct expr *e)
{
	if (e->kind == EXPR_SYMBOL)
		for_each_ptr(struct symbol *, global, script->globals)
			if (!strcmp(global->name, e->text))
				return global;
	return NULL;
}

static void note_names(struct symbol *array, const GPtrArray *keys)
{
	for (guint i = 0; keys && i < MIN(keys->len, G_N_ELEMENTS(array->key_names)); i++)
		if (!array->key_names[i])
			array->key_names[i] = name_of(g_ptr_array_index(keys, i));
}

static void visit_expression(struct expr **place, void *data)
{
	const struct key_search *search = data;
	const struct expr *e = *place;
	const struct expr *element = e->kind == EXPR_ASSIGN ? e->left : e->kind == EXPR_INCREMENT ? e->operand : NULL;
	struct symbol *array =
		element && element->kind == EXPR_INDEX ? find_array(search->script, element->left) : NULL;

	if (array && !search->in_loops)
		note_names(array, element->arguments);
}

static void visit_statement(struct statement *s, void *data)
{
	const struct key_search *search = data;
	struct symbol *array = s->kind == STATEMENT_FOREACH ? find_array(search->script, s->array) : NULL;

	if (array && search->in_loops)
		note_names(array, s->keys);
}

static void visit_body(struct key_search *search, struct statement *body)
{
	statement_walk(body, visit_expression, search);
	statement_visit(body, visit_statement, search);
}

static void visit_script(struct key_search *search)
{
	for_each_ptr(const struct probe *, probe, search->script->probes)
		visit_body(search, probe->body);
	for_each_ptr(const struct function_declaration *, function, search->script->functions)
		visit_body(search, function->body);
}

void find_key_names(struct translation *t)
{
	for_each_ptr(const struct script *, script, t->scripts) {
		struct key_search search = {.script = script};

		if (script->file->is_tapset)
			continue;
		visit_script(&search);
		search.in_loops = true;
		visit_script(&search);
	}
}
