// SPDX-License-Identifier: GPL-2.0-or-later
/* $$vars, $$parms, $$locals and $$return: one string with the names and values of many variables. */
#include "translator/lowering/target.h"

#include "common/base/i18n.h"
#include "translator/probes/provider.h"
#include "translator/sema/builder.h"

static const struct group {
	const char *name;
	bool parameters, locals, result;
} groups[] = {
	{"$vars", true, true, false},
	{"$parms", true, false, false},
	{"$locals", false, true, false},
	{"$return", false, false, true},
};

/* The conditions under which a value is known when the probe is hit. */
struct conditions {
	struct arena *arena;
	GPtrArray *all; /* struct expr *, each once */
};

static void find_conditions(struct expr **expr, void *data)
{
	const struct conditions *conditions = data;
	struct expr *condition;
	const char *text;

	if ((*expr)->kind == EXPR_ENTRY_REGISTER) {
		condition = expr_copy(conditions->arena, *expr);
		condition->kind = EXPR_ENTRY_KNOWN;
	} else if ((*expr)->kind == EXPR_CONDITIONAL && is_unknown_caller((*expr)->right)) {
		condition = expr_copy(conditions->arena, (*expr)->condition);
	} else {
		return;
	}
	text = expr_text(conditions->arena, condition);
	for_each_ptr(const struct expr *, known, conditions->all) {
		if (strcmp(expr_text(conditions->arena, known), text) == 0)
			return;
	}
	g_ptr_array_add(conditions->all, condition);
}

/* Print "?" for a value that depends on a function entry that was not recorded, or on an unknown caller. */
static struct expr *unless_unknown(struct lowering *l, struct expr *value)
{
	struct arena *arena = l->t->arena;
	const struct location *at = &l->target->location;
	GPtrArray *format = arena_ptr_array(arena), *arguments = arena_ptr_array(arena);
	struct conditions conditions = {arena, arena_ptr_array(arena)};
	struct expr *all = NULL;

	expr_walk(&value, find_conditions, &conditions);
	if (!conditions.all->len)
		return value;
	for_each_ptr(struct expr *, condition, conditions.all)
		all = all ? build_logical(arena, OP_LOGICAL_AND, all, condition) : condition;
	format_add_directive(arena, format, value->type == TYPE_STRING ? FORMAT_STRING : FORMAT_POINTER);
	g_ptr_array_add(arguments, value);
	return build_conditional(arena, all, build_sprintf(arena, at, format, arguments), build_string(arena, at, "?"));
}

static bool is_compound(const struct type *type)
{
	return type->kind == KIND_ARRAY || type->kind == KIND_STRUCT || type->kind == KIND_UNION;
}

/* Add one "name=value" to a group; the value is "?" if it was optimized out. */
static void add_group_member(struct lowering *l, const struct variable *variable, const char *shown, int depth,
			     GPtrArray *format, GPtrArray *arguments)
{
	struct arena *arena = l->t->arena;
	struct expr *target = expr_copy(arena, l->target);
	size_t mark = diagnostics_mark(l->t->diagnostics);
	struct expr *value;

	format_add_literal(arena, format, arena_printf(arena, "%s%s=", format->len ? " " : "", shown));
	if (!depth && is_compound(variable->type)) {
		format_add_literal(arena, format, variable->type->kind == KIND_ARRAY ? "[...]" : "{...}");
		return;
	}
	target->text = variable->name;
	target->components = NULL;
	if (depth) {
		struct component *component = arena_new0(arena, struct component);

		component->kind = COMPONENT_PRETTY_PRINT;
		component->depth = depth;
		target->components = arena_ptr_array(arena);
		g_ptr_array_add(target->components, component);
	}
	value = l->probe->provider->target_variable(l->t, l->probe, target);
	if (!value) {
		diagnostics_rewind(l->t->diagnostics, mark);
		format_add_literal(arena, format, "?");
		return;
	}
	value = unless_unknown(l, value);
	format_add_directive(arena, format, value->type == TYPE_STRING ? FORMAT_STRING : FORMAT_POINTER);
	g_ptr_array_add(arguments, value);
}

static struct expr *empty_group(struct translation *t, const struct expr *target, const char *reason)
{
	diagnose(t->diagnostics, WARNING, &target->location, _("'$%s' is empty: %s"), target->text, reason);
	return build_string(t->arena, &target->location, "");
}

/* Let a group be "" if nothing is known of the function but its symbol. The warning says how to get its variables. */
static struct expr *undescribed_group(struct lowering *l, struct error *error)
{
	struct expr *value = empty_group(l->t, l->target, error->message);

	diagnose_hint_of(l->t->diagnostics, error);
	error_free(error);
	return value;
}

static struct expr *write_group(struct lowering *l, const struct group *group)
{
	struct arena *arena = l->t->arena;
	GPtrArray *format = arena_ptr_array(arena), *arguments = arena_ptr_array(arena);
	g_autoptr(GPtrArray) variables = g_ptr_array_new();
	const struct component *suffix = l->target->components && l->target->components->len
						 ? g_ptr_array_index(l->target->components, 0)
						 : NULL;
	int depth = suffix && suffix->kind == COMPONENT_PRETTY_PRINT ? suffix->depth : 0;
	const struct variable *result = NULL;
	struct error *error = NULL;

	if (suffix && suffix->kind != COMPONENT_PRETTY_PRINT) {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &suffix->location,
			 _("'$%s' is a string; it has no members or elements"), group->name);
		return NULL;
	}
	if (group->result) {
		error = l->probe->is_return ? debuginfo_return_value(l->probe->function, &result) : NULL;
		if (result)
			add_group_member(l, result, "return", depth, format, arguments);
	} else {
		bool locals = group->locals && !l->probe->is_return;

		error = debuginfo_require(l->debuginfo, locals ? KNOWS_LOCALS : KNOWS_TYPES);
		error = error
				?: debuginfo_variables(l->probe->function, l->probe->registration.address.value,
						       group->parameters, locals, variables);
	}
	if (error && error->code == ERROR_DEBUGINFO && debuginfo_is_only_symbol(l->probe->function))
		return undescribed_group(l, error);
	/* $$return of a function that returns nothing is an empty string, not an error. */
	if (error && error->code != ERROR_LOOKUP) {
		translation_report(l->t, &l->target->location, error);
		return NULL;
	}
	error_free(error);
	for_each_ptr(const struct variable *, variable, variables)
		if (!variable_is_hidden(l->probe, variable))
			add_group_member(l, variable, variable->name, depth, format, arguments);
	return build_sprintf(arena, &l->target->location, format, arguments);
}

static const struct group *find_group(const struct expr *target)
{
	for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
		if (strcmp(target->text, groups[i].name) == 0)
			return &groups[i];
	return NULL;
}

bool lower_group(struct lowering *l, struct expr **ret)
{
	const struct group *group = find_group(l->target);

	if (group)
		*ret = write_group(l, group);
	return group != NULL;
}

struct expr *lower_empty_group(struct translation *t, const struct expr *target, const char *reason)
{
	return find_group(target) ? empty_group(t, target, reason) : NULL;
}

struct expr *lower_argument_group(struct lowering *l, const GPtrArray *arguments)
{
	struct arena *arena = l->t->arena;
	GPtrArray *format = arena_ptr_array(arena), *values = arena_ptr_array(arena);
	const struct component *suffix = l->target->components && l->target->components->len
						 ? g_ptr_array_index(l->target->components, 0)
						 : NULL;

	if (strcmp(l->target->text, "$vars") && strcmp(l->target->text, "$parms"))
		return NULL;
	if (suffix && suffix->kind != COMPONENT_PRETTY_PRINT)
		return NULL;
	for_each_ptr(const struct variable *, argument, arguments)
		add_group_member(l, argument, arena_printf(arena, "$%s", argument->name), 0, format, values);
	return build_sprintf(arena, &l->target->location, format, values);
}
