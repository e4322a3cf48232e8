// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions that use $variables, @entry or registers of the calling probe.
 *
 * Each probe that calls one, directly or through others, gets its own copy. It is lowered in the context of the probe,
 * as if the function were written in its handler. Probes whose copies have the same text share one, so that a script
 * with ten thousand probes does not need ten thousand copies. Copies for return probes are not shared, because they use
 * the saved entry values of one probe.
 */
#include "common/base/i18n.h"
#include "translator/sema/scope.h"
#include "translator/sema/specialize.h"

#include <string.h>

struct search {
	struct translation *t;
	const struct script *script;
	GHashTable *visited;
	unsigned int depth;
	bool found, too_deep;
	bool goes_on; /* continue after `found`, to find `too_deep` */
};

/* Limit of nested calls without recursion, because the passes follow calls by recursion on the C stack. */
enum { MOST_CALLS_DEEP = 500 };

static void search_function(struct search *s, const struct function_declaration *function);

static void search_called(struct search *s, const struct expr *call)
{
	g_autoptr(GPtrArray) named = g_ptr_array_new();
	guint given = call->arguments ? call->arguments->len : 0;

	collect_functions(s->t, script_at(s->t, &call->location, s->script), call, named);
	for_each_ptr(const struct function_declaration *, function, named) {
		guint wanted = function->parameters ? function->parameters->len : 0;

		if (wanted == given)
			search_function(s, function);
	}
}

static void search_expr(struct expr **expr, void *data)
{
	struct search *s = data;
	const struct expr *e = *expr;

	switch (e->kind) {
	case EXPR_TARGET:
		s->found |= e->target == TARGET_VARIABLE;
		break;
	case EXPR_ENTRY:
		s->found = true;
		break;
	case EXPR_REGISTER_OPERATOR:
		s->found |= strstr(e->text, "register") != NULL;
		break;
	case EXPR_CALL:
		search_called(s, e);
		break;
	default:
		break;
	}
}

static void search_function(struct search *s, const struct function_declaration *function)
{
	const struct script *outer = s->script;

	s->too_deep |= s->depth >= MOST_CALLS_DEEP;
	if ((s->found && !s->goes_on) || s->too_deep || function->is_embedded ||
	    !g_hash_table_add(s->visited, (void *)function))
		return;
	s->script = function->script;
	s->depth++;
	statement_walk(function->body, search_expr, s);
	s->depth--;
	s->script = outer;
}

bool function_calls_too_deep(struct translation *t, struct function_declaration *function)
{
	g_autoptr(GHashTable) visited = g_hash_table_new(NULL, NULL);
	struct search s = {.t = t, .visited = visited, .goes_on = true};

	/* Report only one function of a chain that is too deep. */
	if (t->calls_too_deep || function->depth_known)
		return t->calls_too_deep;
	function->depth_known = true;
	search_function(&s, function);
	t->calls_too_deep = s.too_deep;
	if (s.too_deep)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &function->location,
			 _("the calls that start in function '%s' are nested more than %d deep"), function->name,
			 MOST_CALLS_DEEP);
	return s.too_deep;
}

bool function_needs_context(struct translation *t, struct function_declaration *function)
{
	g_autoptr(GHashTable) visited = g_hash_table_new(NULL, NULL);
	struct search s = {.t = t, .visited = visited};

	/* Functions that need a context are not lowered themselves; only their copies are. */
	if (function->is_embedded || function->lowered)
		return false;
	if (!function->context_known) {
		search_function(&s, function);
		function->context_known = true;
		function->needs_context = s.found;
	}
	return function->needs_context;
}

static struct function_declaration *copy_function(struct translation *t, struct function_declaration *function,
						  struct derived_probe *probe)
{
	struct function_declaration *copy = arena_new0(t->arena, struct function_declaration);

	*copy = *function;
	copy->copies = NULL;
	copy->context_probe = probe;
	copy->body = statement_copy(t->arena, function->body);
	copy->parameters = function->parameters ? arena_ptr_array(t->arena) : NULL;
	for_each_ptr(const struct symbol *, parameter, function->parameters) {
		struct symbol *own = arena_new0(t->arena, struct symbol);

		*own = *parameter;
		g_ptr_array_add(copy->parameters, own);
	}
	return copy;
}

static char *body_text(const struct function_declaration *function)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	print_statement(out, function->body, 0);
	fclose(out);
	return text;
}

static void find_context_call(struct expr **expr, void *data)
{
	struct search *s = data;

	if ((*expr)->kind != EXPR_CALL)
		return;
	g_hash_table_remove_all(s->visited);
	search_expr(expr, s);
}

/*
 * Can copies with the same text be shared? Not if they call functions that need a context, whose copies may differ, and
 * not in return probes.
 */
static bool can_be_shared(struct translation *t, const struct function_declaration *copy)
{
	g_autoptr(GHashTable) visited = g_hash_table_new(NULL, NULL);
	struct search s = {.t = t, .script = copy->script, .visited = visited};

	statement_walk(copy->body, find_context_call, &s);
	return !s.found && !copy->context_probe->is_return;
}

static struct function_declaration *same_copy(const struct function_declaration *function, const char *text)
{
	for_each_ptr(struct function_declaration *, known, function->copies) {
		if (known->context_text && !strcmp(known->context_text, text))
			return known;
	}
	return NULL;
}

struct function_declaration *function_in_context(struct translation *t, struct function_declaration *function,
						 struct derived_probe *probe)
{
	struct function_declaration *copy, *known;
	g_autofree char *text = NULL;

	for_each_ptr(struct function_declaration *, made, function->copies) {
		if (made->context_probe == probe)
			return made;
	}
	if (!function->copies)
		function->copies = arena_ptr_array(t->arena);
	copy = copy_function(t, function, probe);
	/* Add it before lowering, because it may call itself. */
	g_ptr_array_add(function->copies, copy);
	lower_function(t, copy);
	if (!can_be_shared(t, copy))
		return copy;
	text = body_text(copy);
	known = same_copy(function, text);
	if (known) {
		g_ptr_array_remove(function->copies, copy);
		return known;
	}
	copy->context_text = arena_strdup(t->arena, text);
	return copy;
}
