// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lowering: replace expressions that depend on the probed place, top down.
 *
 * @defined(…) becomes 0 or 1, by trying to lower its operand. If that makes a condition constant, only the taken branch
 * is kept and lowered. So `@defined($a) ? $a->x : $b->x` resolves only one of the two on any kernel. $variables, @cast
 * and @var become loads; the probe's provider knows how. @entry(…) moves its operand to the entry handler of a return
 * probe.
 *
 * A script variable that holds a pointer remembers its C type, so that p->member works (pointers.c).
 *
 * The trap: lowering children first would be simpler, but would report $variables in branches that are dropped later.
 */
#include "common/base/i18n.h"
#include "translator/lowering/lowering.h"
#include "translator/probes/perf.h"
#include "translator/probes/provider.h"
#include "translator/sema/builder.h"
#include "translator/sema/embedded.h"
#include "translator/sema/pointers.h"
#include "translator/sema/scope.h"
#include "translator/sema/sema.h"
#include "translator/sema/specialize.h"

struct lowerer {
	struct translation *t;
	struct derived_probe *probe; /* NULL: in a function */
	struct pointer_scope pointers;
	bool trial; /* in @defined: diagnostics are dropped */
	struct statement *const *body; /* of the whole handler or function */
};

static void lower(struct expr **expr, void *data);

static bool is_constant(const struct expr *expr, bool *value)
{
	if (expr->kind != EXPR_NUMBER)
		return false;
	*value = expr->number != 0;
	return true;
}

static void fail(struct lowerer *l, struct expr **expr, const char *message)
{
	diagnose(l->t->diagnostics, SEMANTIC_ERROR, &(*expr)->location, "%s", message);
	*expr = build_number(l->t->arena, &(*expr)->location, 0);
}

/* Replace an expression; a failed one (@by is NULL) by 0, so that later stages can report more errors. */
static void replace(struct lowerer *l, struct expr **expr, struct expr *by)
{
	*expr = by ?: build_number(l->t->arena, &(*expr)->location, 0);
}

/*
 * Up to language version 4.2, @cast without a module searched the kernel even in probes of a module. Do that with
 * --compatible, and warn with --check-version.
 */
static void settle_cast_module(struct lowerer *l, struct expr *cast)
{
	const struct debuginfo *probed = l->probe ? l->probe->registration.debuginfo : NULL;

	if (cast->module || !cast->type_name || !probed || !strcmp(debuginfo_module_name(probed), "kernel"))
		return;
	if (l->t->options->check_version)
		diagnose(l->t->diagnostics, WARNING, &cast->location,
			 _("up to version 4.2, @cast without a module meant \"kernel\" here, not \"%s\""),
			 debuginfo_module_name(probed));
	if (language_older_than(&l->t->language, "4.3"))
		cast->module = "kernel";
}

static void lower_target_kind(struct lowerer *l, struct expr **expr)
{
	struct expr *target = *expr;

	/* Component indexes and @cast operands are ordinary expressions. */
	expr_visit_children(target, lower, l);
	switch (target->target) {
	case TARGET_CAST:
		settle_cast_module(l, target);
		if (!target->type_name && !pointer_use(&l->pointers, target->operand, &target->location))
			replace(l, expr, NULL);
		else
			replace(l, expr, lower_cast(l->t, l->probe, target));
		return;
	case TARGET_ATVAR:
		replace(l, expr, lower_global_variable(l->t, l->probe, target));
		return;
	case TARGET_VARIABLE:
		break;
	}
	if (!l->probe) {
		fail(l, expr, _("no probe that has $variables calls this"));
		return;
	}
	if (!l->probe->provider->target_variable) {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &target->location, _("no $variables in probe '%s'"),
			 l->probe->point_text);
		replace(l, expr, NULL);
		return;
	}
	replace(l, expr, l->probe->provider->target_variable(l->t, l->probe, target));
}

/* For errors in the loads that replace a @cast: its location, and that of its operand. */
struct cast_place {
	struct location operand, cast;
};

static void place_load(struct expr **expr, void *data)
{
	const struct cast_place *place = data;
	struct location *at = &(*expr)->location;

	if ((*expr)->kind == EXPR_LOAD && at->file == place->operand.file && at->line == place->operand.line &&
	    at->column == place->operand.column)
		*at = place->cast;
}

/* Lower a $variable, @cast or @var. With --skip-badvars, an unresolved one becomes 0, but not in @defined. */
static void lower_target(struct lowerer *l, struct expr **expr)
{
	const struct expr *operand = (*expr)->operand;
	struct location at = (*expr)->location;
	struct cast_place place = {operand ? operand->location : at, at};
	size_t mark = diagnostics_mark(l->t->diagnostics);

	lower_target_kind(l, expr);
	if (*expr)
		expr_walk(expr, place_load, &place);
	if (!l->t->options->skip_bad_variables || l->trial || !diagnostics_failed_since(l->t->diagnostics, mark))
		return;
	diagnostics_rewind(l->t->diagnostics, mark);
	*expr = build_number(l->t->arena, &at, 0);
}

/* Replace @defined by 1 if its operand can be lowered here, else by 0. */
static void lower_defined(struct lowerer *l, struct expr **expr)
{
	struct expr *trial = expr_copy(l->t->arena, (*expr)->operand);
	size_t mark = diagnostics_mark(l->t->diagnostics);
	guint saved = l->probe ? l->probe->entry_values->len : 0;
	bool defined, outer = l->trial;

	l->trial = true;
	l->t->keeps_names = true;
	lower(&trial, l);
	l->trial = outer;
	l->t->keeps_names = outer;
	defined = !diagnostics_failed_since(l->t->diagnostics, mark);
	diagnostics_rewind(l->t->diagnostics, mark);
	if (l->probe)
		g_ptr_array_set_size(l->probe->entry_values, saved);
	if (!outer)
		meaning_note(l->t, &(*expr)->location, expr_text(l->t->arena, *expr), defined ? "1" : "0");
	replace(l, expr, build_number(l->t->arena, &(*expr)->location, defined));
}

static void lower_entry(struct lowerer *l, struct expr **expr)
{
	struct expr *operand = (*expr)->operand, *value;
	guint slot;

	if (!l->probe || !l->probe->is_return) {
		fail(l, expr, _("@entry(…) works only in .return probes"));
		return;
	}
	/* The operand is evaluated at the function's entry, so lower it as in an entry probe. */
	l->probe->is_return = false;
	lower(&operand, l);
	l->probe->is_return = true;
	slot = l->probe->entry_values->len;
	g_ptr_array_add(l->probe->entry_values, operand);
	value = expr_new(l->t->arena, EXPR_ENTRY_VALUE, &(*expr)->location);
	value->number = slot;
	value->type = operand->type;
	value->c_type = operand->c_type;
	*expr = value;
}

static void lower_conditional(struct lowerer *l, struct expr **expr)
{
	bool value;

	lower(&(*expr)->condition, l);
	if (is_constant((*expr)->condition, &value)) {
		*expr = value ? (*expr)->left : (*expr)->right;
		lower(expr, l);
		return;
	}
	lower(&(*expr)->left, l);
	lower(&(*expr)->right, l);
	(*expr)->c_type = pointer_common((*expr)->left, (*expr)->right);
}

/* Lower an assignment, and note the C type for the variable. */
static void lower_assignment(struct lowerer *l, struct expr **expr)
{
	struct expr *e = *expr;

	lower(&e->right, l);
	lower(&e->left, l);
	if (e->op != OP_NONE)
		return;
	e->c_type = e->right->c_type;
	if (!l->trial)
		pointer_assign(&l->pointers, e->left, e->right->c_type, &e->location);
}

/*
 * Give the result of embedded C the type in its comment "returns: struct task_struct". Do so only if some "->" of the
 * script needs an inferred type, to avoid opening debuginfo needlessly.
 */
static void type_embedded_result(struct lowerer *l, const struct function_declaration *function, struct expr *call)
{
	static const char marker[] = "/* returns: struct ";
	const char *found = strstr(function->body->code, marker);
	size_t mark = diagnostics_mark(l->t->diagnostics);
	struct expr *cast;

	if (!found || !l->t->uses_autocast)
		return;
	found += strlen(marker);
	cast = expr_new(l->t->arena, EXPR_TARGET, &call->location);
	cast->target = TARGET_CAST;
	cast->operand = call;
	cast->type_name = arena_strndup(l->t->arena, found, strcspn(found, " "));
	cast->module = "kernel";
	/* If debuginfo is missing, the use of the type reports it. */
	lower_cast(l->t, l->probe, cast);
	diagnostics_rewind(l->t->diagnostics, mark);
}

static void note_arguments(struct lowerer *l, struct function_declaration *function, const struct expr *call)
{
	for (guint i = 0; call->arguments && i < call->arguments->len; i++) {
		const struct expr *argument = g_ptr_array_index(call->arguments, i);

		pointer_argument(&l->pointers, g_ptr_array_index(function->parameters, i), argument->c_type,
				 &argument->location);
	}
}

/* Lower a call, and the function if it is not yet lowered: the call has the C type of its result. */
static void lower_call(struct lowerer *l, struct expr **expr)
{
	struct function_declaration *function;

	expr_visit_children(*expr, lower, l);
	function =
		l->trial ? NULL : only_function(l->t, script_at(l->t, &(*expr)->location, l->pointers.script), *expr);
	if (!function)
		return;
	note_arguments(l, function, *expr);
	if (function->is_embedded) {
		type_embedded_result(l, function, *expr);
		return;
	}
	if (function_calls_too_deep(l->t, function))
		return;
	if (!function_needs_context(l->t, function))
		lower_function(l->t, function);
	else if (l->probe)
		function = function_in_context(l->t, function, l->probe);
	if (!function->pointer.other)
		(*expr)->c_type = function->pointer.type;
}

static void lower_logical(struct lowerer *l, struct expr **expr)
{
	bool is_or = (*expr)->op == OP_LOGICAL_OR;
	bool left, right;

	lower(&(*expr)->left, l);
	if (is_constant((*expr)->left, &left) && left == is_or) {
		replace(l, expr, build_number(l->t->arena, &(*expr)->location, is_or));
		return;
	}
	lower(&(*expr)->right, l);
	if (is_constant((*expr)->left, &left) && is_constant((*expr)->right, &right))
		replace(l, expr, build_number(l->t->arena, &(*expr)->location, right));
}

static void lower_unary(struct lowerer *l, struct expr **expr)
{
	bool value;

	lower(&(*expr)->operand, l);
	if ((*expr)->op == OP_LOGICAL_NOT && is_constant((*expr)->operand, &value))
		replace(l, expr, build_number(l->t->arena, &(*expr)->location, !value));
}

/* Let the provider assign to a $variable that is not memory of the kernel. */
static bool assign_by_provider(struct lowerer *l, struct expr **expr, const struct expr *target)
{
	if ((*expr)->kind != EXPR_ASSIGN || target->target != TARGET_VARIABLE || !l->probe ||
	    !l->probe->provider->assign_variable)
		return false;
	lower(&(*expr)->right, l);
	replace(l, expr, l->probe->provider->assign_variable(l->t, l->probe, *expr));
	return true;
}

/* ---- writing to $variables --------------------------------------------------------------------------------------- */

static void store_error(struct lowerer *l, const struct expr *target, const char *message, const char *hint)
{
	diagnose(l->t->diagnostics, SEMANTIC_ERROR, &target->location, "%s", message);
	if (hint)
		diagnose_hint(l->t->diagnostics, "%s", hint);
}

/* Return the register that a value is read from, through the shifts around a narrow parameter; or NULL. */
static const struct expr *register_under(const struct expr *value, const struct expr *target)
{
	if (target->components && target->components->len)
		return NULL;
	while (value->kind == EXPR_BINARY && value->right->kind == EXPR_NUMBER)
		value = value->left;
	return value->kind == EXPR_PROBE_REGISTER ? value : NULL;
}

/* Return the load inside a value: a bit-field is a load with shifts around it. */
static const struct expr *unit_of(const struct expr *value)
{
	while (value->kind != EXPR_LOAD)
		value = value->left;
	return value;
}

/* Make a store to the place that the $variable's value is read from. Return NULL after a diagnostic. */
static struct expr *store_place(struct lowerer *l, const struct expr *target, const struct expr *value)
{
	struct expr *store = expr_new(l->t->arena, EXPR_STORE, &target->location);
	const struct expr *in_register = register_under(value, target);

	store->type = TYPE_LONG;
	if (value->kind == EXPR_LOAD || value->bit_size) {
		const struct expr *unit = unit_of(value);

		store->operand = expr_copy(l->t->arena, unit->operand);
		store->size = unit->size;
		store->user_space = unit->user_space;
		store->bit_offset = value->bit_offset;
		store->bit_size = value->bit_size;
		return store;
	}
	if (in_register && l->probe->registration.kind == STP_PROBE_TRACEPOINT) {
		store_error(l, target,
			    _("the arguments of a tracepoint cannot be changed; only the data they point to can"),
			    NULL);
		return NULL;
	}
	if (in_register) {
		store->number = in_register->number;
		l->probe->uses_registers = true;
		return store;
	}
	store_error(l, target,
		    _("this cannot be written to: here it is neither in memory nor in a register of its own"),
		    _("write to a struct member that it points to, or use embedded C"));
	return NULL;
}

/* Lower $x = v, $x->y += v and $x++ to a store. They require guru mode, since they change the kernel. */
static struct expr *lower_store(struct lowerer *l, struct expr *e, struct expr *target)
{
	bool is_increment = e->kind == EXPR_INCREMENT;
	struct expr *value, *store, *by;

	if (!target->location.file || !target->location.file->privileged) {
		store_error(l, target, _("writing to $variables needs guru mode"),
			    _("run stap with -g if you know what it does to the kernel"));
		return NULL;
	}
	by = is_increment ? build_number(l->t->arena, &e->location, 1) : e->right;
	lower(&by, l);
	value = expr_copy(l->t->arena, target);
	lower(&value, l);
	store = value->kind == EXPR_NUMBER ? NULL : store_place(l, target, value);
	if (!store)
		return NULL;
	/* Type inference reports the assignment of a string. */
	store->right = e->op == OP_NONE ? by : build_binary(l->t->arena, e->op, value, by);
	if (!is_increment || !e->postfix)
		return store;
	/* The value of a postfix operator is the old one: undo the change. */
	return build_binary(l->t->arena, e->op == OP_ADD ? OP_SUBTRACT : OP_ADD, store, by);
}

static bool lower_target_assignment(struct lowerer *l, struct expr **expr)
{
	const struct expr *target = (*expr)->kind == EXPR_ASSIGN      ? (*expr)->left
				    : (*expr)->kind == EXPR_INCREMENT ? (*expr)->operand
								      : NULL;

	if (!target || target->kind != EXPR_TARGET)
		return false;
	if (assign_by_provider(l, expr, target))
		return true;
	replace(l, expr, lower_store(l, *expr, (struct expr *)target));
	return true;
}

/* ---- @probewrite ------------------------------------------------------------------------------------------------- */

struct write_search {
	const struct expr *variable;
	bool found;
};

static void find_write(struct expr **expr, void *data)
{
	struct write_search *search = data;
	const struct expr *target = (*expr)->kind == EXPR_ASSIGN      ? (*expr)->left
				    : (*expr)->kind == EXPR_INCREMENT ? (*expr)->operand
								      : NULL;

	if (target && target->kind == EXPR_INDEX)
		target = target->left;
	if (target && target->kind == search->variable->kind && !g_strcmp0(target->text, search->variable->text))
		search->found = true;
}

/* Replace @probewrite(x) in an alias by 1 if the handler that uses the alias writes x, else by 0. */
static void lower_probewrite(struct lowerer *l, struct expr **expr)
{
	struct write_search search = {.variable = (*expr)->operand};

	if (!l->probe) {
		fail(l, expr, _("@probewrite works only in the handler of a probe or an alias"));
		return;
	}
	statement_walk(l->probe->origin->body, find_write, &search);
	replace(l, expr, build_number(l->t->arena, &(*expr)->location, search.found));
}

/* ---- @kregister, @uregister, @kderef, @uderef -------------------------------------------------------------------- */

static bool literal_in(struct lowerer *l, const struct expr *operand, bool good, const char *message)
{
	if (operand->kind == EXPR_NUMBER && good)
		return true;
	diagnose(l->t->diagnostics, SEMANTIC_ERROR, &operand->location, "%s", message);
	return false;
}

static struct expr *register_value(struct lowerer *l, const struct expr *e, const struct expr *number, bool of_user)
{
	const int64_t last = l->t->kernel.abi->register_count - 1;
	struct expr *value;

	if (!literal_in(l, number, number->number >= 0 && number->number <= last,
			arena_printf(l->t->arena, _("the register must be a DWARF number from 0 to %d"), (int)last)))
		return NULL;
	if (!l->probe) {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &e->location,
			 _("registers can only be read in probe handlers, and in functions that these call"));
		return NULL;
	}
	value = expr_new(l->t->arena, EXPR_PROBE_REGISTER, &e->location);
	value->number = number->number;
	value->user_space = of_user;
	value->type = TYPE_LONG;
	l->probe->uses_registers |= !of_user;
	return value;
}

static void lower_register_operator(struct lowerer *l, struct expr **expr)
{
	struct expr *e = *expr, *first, *load;
	bool of_user = *e->text == 'u';
	int64_t size;

	expr_visit_children(e, lower, l);
	first = g_ptr_array_index(e->arguments, 0);
	if (strstr(e->text, "register")) {
		replace(l, expr, register_value(l, e, first, of_user));
		return;
	}
	size = first->number;
	if (!literal_in(l, first, size == 1 || size == 2 || size == 4 || size == 8,
			_("the size must be 1, 2, 4 or 8 bytes"))) {
		replace(l, expr, NULL);
		return;
	}
	load = build_load(l->t->arena, g_ptr_array_index(e->arguments, 1), (int)size, false);
	load->location = e->location;
	load->user_space = of_user;
	*expr = load;
}

/* Lower p[n], where p is a local with a known pointer type, to a load of an element. */
static bool lower_pointer_index(struct lowerer *l, struct expr **expr)
{
	struct expr *e = *expr, *target;
	struct component *component;

	if (e->left->kind != EXPR_SYMBOL || e->arguments->len != 1 || !pointer_type(&l->pointers, e->left) ||
	    visible_global(l->t, script_at(l->t, &e->location, l->pointers.script), e->left))
		return false;
	component = arena_new0(l->t->arena, struct component);
	component->kind = COMPONENT_INDEX;
	component->location = e->location;
	component->index = g_ptr_array_index(e->arguments, 0);
	target = expr_new(l->t->arena, EXPR_TARGET, &e->location);
	target->target = TARGET_CAST;
	target->operand = e->left;
	target->components = arena_ptr_array(l->t->arena);
	g_ptr_array_add(target->components, component);
	*expr = target;
	lower_target(l, expr);
	return true;
}

static void lower(struct expr **expr, void *data)
{
	struct lowerer *l = data;

	if (lower_target_assignment(l, expr))
		return;
	switch ((*expr)->kind) {
	case EXPR_TARGET:
		lower_target(l, expr);
		break;
	case EXPR_DEFINED:
		lower_defined(l, expr);
		break;
	case EXPR_PERF:
		replace(l, expr, lower_perf(l->t, *expr));
		break;
	case EXPR_ENTRY:
		lower_entry(l, expr);
		break;
	case EXPR_ENUM:
		expr_visit_children(*expr, lower, l);
		replace(l, expr, lower_enum_operator(l->t, l->probe, *expr));
		break;
	case EXPR_SIZE_OPERATOR:
		expr_visit_children(*expr, lower, l);
		replace(l, expr, lower_size_operator(l->t, l->probe, *expr));
		break;
	case EXPR_PROBEWRITE:
		lower_probewrite(l, expr);
		break;
	case EXPR_REGISTER_OPERATOR:
		lower_register_operator(l, expr);
		break;
	case EXPR_CONDITIONAL:
		lower_conditional(l, expr);
		break;
	case EXPR_LOGICAL:
		lower_logical(l, expr);
		break;
	case EXPR_ASSIGN:
		lower_assignment(l, expr);
		break;
	case EXPR_CALL:
		lower_call(l, expr);
		break;
	case EXPR_INDEX:
		if (lower_pointer_index(l, expr))
			break;
		/* fall through */
	case EXPR_SYMBOL:
		expr_visit_children(*expr, lower, l);
		(*expr)->c_type = pointer_type(&l->pointers, *expr);
		break;
	case EXPR_UNARY:
		lower_unary(l, expr);
		break;
	default:
		expr_visit_children(*expr, lower, l);
		break;
	}
}

static void lower_optional(struct lowerer *l, struct expr **expr)
{
	if (*expr)
		lower(expr, l);
}

static void lower_tree(struct lowerer *l, struct statement **statement);

/* ---- statements without effect ----------------------------------------------------------------------------------- */

struct effect_search {
	struct lowerer *l;
	const struct expr
		*root; /* an assignment or increment that is a statement, and is judged by its local; or NULL */
	bool has_effect;
};

/* Does the call reach embedded C that is marked "pure"? */
static bool is_pure_call(struct lowerer *l, const struct expr *call)
{
	const struct function_declaration *function =
		only_function(l->t, script_at(l->t, &call->location, l->pointers.script), call);

	return function && function->is_embedded && embedded_says(function->body->code, "pure");
}

static void find_effect(struct expr **expr, void *data)
{
	struct effect_search *search = data;
	const struct expr *e = *expr;

	switch (e->kind) {
	case EXPR_ASSIGN:
		search->has_effect |= e != search->root || e->left->kind != EXPR_SYMBOL;
		break;
	case EXPR_INCREMENT:
		search->has_effect |= e != search->root || e->operand->kind != EXPR_SYMBOL;
		break;
	case EXPR_EMBEDDED:
		search->has_effect = true;
		break;
	case EXPR_CALL:
		search->has_effect |= !is_pure_call(search->l, e);
		break;
	case EXPR_PRINT:
		search->has_effect |= e->destination == PRINT_STREAM;
		break;
	default:
		break;
	}
}

/*
 * Has a statement with all below it no effect? Assignments to locals, which only matter if they are read, are left to
 * changes_are_unread(). Embedded C and jumps have effects; so has a loop without a condition, which never ends.
 */
static bool has_no_effect(struct lowerer *l, struct statement *s)
{
	static const bool may_lack_effect[STATEMENT_KIND_COUNT_] = {
		/* others: have an effect */
		[STATEMENT_EMPTY] = true, [STATEMENT_EXPR] = true,  [STATEMENT_BLOCK] = true,
		[STATEMENT_IF] = true,	  [STATEMENT_WHILE] = true, [STATEMENT_FOR] = true,
	};
	struct expr **parts[] = {&s->init, &s->expr, &s->update};

	if (!may_lack_effect[s->kind] || (s->kind == STATEMENT_FOR && !s->expr))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		struct effect_search search = {.l = l, .root = *parts[i]};

		if (*parts[i])
			expr_walk(parts[i], find_effect, &search);
		if (search.has_effect)
			return false;
	}
	for_each_ptr(struct statement *, child, s->statements)
		if (!has_no_effect(l, child))
			return false;
	return (!s->body || has_no_effect(l, s->body)) && (!s->otherwise || has_no_effect(l, s->otherwise));
}

static bool may_be_left_out(struct lowerer *l, struct statement *s)
{
	return !l->t->options->unoptimized && !l->trial && has_no_effect(l, s);
}

struct read_search {
	struct lowerer *l;
	const struct expr *variable; /* a local */
	int mentions;
};

static bool is_global(struct lowerer *l, const struct expr *name)
{
	return visible_global(l->t, script_at(l->t, &name->location, l->pointers.script), name) != NULL;
}

static bool mentions_local(struct read_search *search, const struct expr *e)
{
	return e->kind == EXPR_SYMBOL && same_local(e, search->variable) && !is_global(search->l, e);
}

static void find_read(struct expr **expr, void *data)
{
	struct read_search *search = data;

	if (mentions_local(search, *expr))
		search->mentions++;
	else if ((*expr)->kind == EXPR_ASSIGN && mentions_local(search, (*expr)->left))
		search->mentions--;
}

/* Do not count x++ as a read if its value is not used. */
static void find_increment(struct statement *s, void *data)
{
	const struct expr *unused[] = {s->kind == STATEMENT_EXPR ? s->expr : NULL, s->init, s->update};
	struct read_search *search = data;

	for (size_t i = 0; i < G_N_ELEMENTS(unused); i++)
		if (unused[i] && unused[i]->kind == EXPR_INCREMENT && mentions_local(search, unused[i]->operand))
			search->mentions--;
}

static bool is_unread_local(struct lowerer *l, const struct expr *variable)
{
	struct read_search search = {.l = l, .variable = variable};

	if (is_global(l, variable))
		return false;
	if (l->pointers.function)
		for_each_ptr(const struct symbol *, parameter, l->pointers.function->parameters)
			if (!strcmp(parameter->name, variable->text))
				return false;
	statement_walk(*l->body, find_read, &search);
	statement_visit(*l->body, find_increment, &search);
	return search.mentions == 0;
}

struct change_search {
	struct lowerer *l;
	bool all_unread;
};

static void find_change(struct statement *s, void *data)
{
	const struct expr *parts[] = {s->init, s->expr, s->update};
	struct change_search *search = data;

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		const struct expr *target = !parts[i]			       ? NULL
					    : parts[i]->kind == EXPR_ASSIGN    ? parts[i]->left
					    : parts[i]->kind == EXPR_INCREMENT ? parts[i]->operand
									       : NULL;

		search->all_unread = search->all_unread && (!target || is_unread_local(search->l, target));
	}
}

/* Are all variables that a statement without other effects changes locals that nothing reads? */
static bool changes_are_unread(struct lowerer *l, struct statement *s)
{
	struct change_search search = {.l = l, .all_unread = true};

	statement_visit(s, find_change, &search);
	return search.all_unread;
}

/* Replace a statement by nothing, and drop its diagnostics and entry values. */
static void leave_out(struct lowerer *l, struct statement **statement, const struct location *at, size_t mark,
		      guint saved)
{
	diagnostics_rewind(l->t->diagnostics, mark);
	if (l->probe)
		g_ptr_array_set_size(l->probe->entry_values, saved);
	if (at->file && !at->file->is_tapset)
		diagnose(l->t->diagnostics, WARNING, at,
			 _("this statement is invalid here; it is skipped, because its value is not used"));
	*statement = statement_new(l->t->arena, STATEMENT_EMPTY, at);
}

static void lower_expr_statement(struct lowerer *l, struct statement **statement)
{
	struct statement *s = *statement;
	const struct expr *target = s->expr->kind == EXPR_ASSIGN ? s->expr->left : NULL;
	size_t mark = diagnostics_mark(l->t->diagnostics);
	guint saved = l->probe ? l->probe->entry_values->len : 0;

	lower(&s->expr, l);
	if (target && s->expr->op == OP_AGGREGATE && target->kind == EXPR_SYMBOL && !l->t->options->unoptimized &&
	    is_unread_local(l, target))
		leave_out(l, statement, &s->expr->location, mark, saved);
}

static void lower_if(struct lowerer *l, struct statement **statement)
{
	struct statement *s = *statement;
	bool value;

	lower(&s->expr, l);
	if (!is_constant(s->expr, &value)) {
		lower_tree(l, &s->body);
		lower_tree(l, &s->otherwise);
		return;
	}
	*statement = value ? s->body : s->otherwise;
	if (!*statement)
		*statement = statement_new(l->t->arena, STATEMENT_EMPTY, &s->location);
	lower_tree(l, statement);
}

/* ---- the value of an aggregate array in foreach ------------------------------------------------------------------ */

/* The search for uses of v in foreach (v = [a, b] in array): @count(v) becomes @count(array[a, b]). */
struct element_name {
	struct lowerer *l;
	const struct statement *loop;
	unsigned int uses, extractions;
};

static bool is_named(const struct expr *expr, const char *name)
{
	return expr->kind == EXPR_SYMBOL && !strcmp(expr->text, name);
}

static struct expr *element_expr(const struct element_name *e, const struct location *at)
{
	struct arena *arena = e->l->t->arena;
	struct expr *element = expr_new(arena, EXPR_INDEX, at);

	element->left = expr_copy(arena, e->loop->array);
	element->arguments = arena_ptr_array(arena);
	for_each_ptr(const struct expr *, key, e->loop->keys)
		g_ptr_array_add(element->arguments, expr_copy(arena, key));
	return element;
}

/* Count uses of the value, and replace it below @count and so on. The walk visits children first. */
static void name_element(struct expr **expr, void *data)
{
	struct element_name *e = data;
	struct expr *x = *expr;

	if (is_named(x, e->loop->value->text))
		e->uses++;
	if ((x->kind != EXPR_STATISTIC && x->kind != EXPR_HISTOGRAM) || !is_named(x->operand, e->loop->value->text))
		return;
	e->extractions++;
	x->operand = element_expr(e, &x->operand->location);
}

/* Reject changes of the keys, since the element is looked up by them. */
static void refuse_key_change(struct expr **expr, void *data)
{
	struct element_name *e = data;
	const struct expr *target = (*expr)->kind == EXPR_ASSIGN      ? (*expr)->left
				    : (*expr)->kind == EXPR_INCREMENT ? (*expr)->operand
								      : NULL;

	for_each_ptr(const struct expr *, key, e->loop->keys) {
		if (target && is_named(target, key->text))
			diagnose(e->l->t->diagnostics, SEMANTIC_ERROR, &target->location,
				 _("changing a key in a loop that takes the value of an aggregate is not supported "
				   "yet"));
	}
}

static void lower_element_value(struct lowerer *l, struct statement *s)
{
	struct element_name e = {.l = l, .loop = s};

	if (!s->value || s->array->kind != EXPR_SYMBOL)
		return;
	statement_walk(s->body, name_element, &e);
	if (!e.extractions)
		return;
	statement_walk(s->body, refuse_key_change, &e);
	/* If there are other uses, the variable stays, and type inference reports them. */
	if (e.uses == e.extractions)
		s->value = NULL;
}

static void lower_kind(struct lowerer *l, struct statement **statement)
{
	struct statement *s = *statement;

	if (s->kind == STATEMENT_FOREACH)
		lower_element_value(l, s);
	if (s->kind == STATEMENT_IF) {
		lower_if(l, statement);
		return;
	}
	if (s->kind == STATEMENT_EXPR) {
		lower_expr_statement(l, statement);
		return;
	}
	lower_optional(l, &s->init);
	lower_optional(l, &s->expr);
	if (s->kind == STATEMENT_RETURN && s->expr)
		pointer_return(&l->pointers, s->expr->c_type);
	lower_optional(l, &s->limit);
	lower_optional(l, &s->array);
	for (guint i = 0; s->slice && i < s->slice->len; i++)
		lower((struct expr **)&s->slice->pdata[i], l);
	lower_tree(l, &s->body);
	for (guint i = 0; s->statements && i < s->statements->len; i++)
		lower_tree(l, (struct statement **)&s->statements->pdata[i]);
	lower_optional(l, &s->update);
	lower_tree(l, &s->otherwise);
}

/*
 * Lower a statement. If that fails but the statement has no effect, remove it instead: an alias may set variables from
 * $variables that do not exist in every kernel, and that the handler does not read.
 */
static void lower_tree(struct lowerer *l, struct statement **statement)
{
	size_t mark = diagnostics_mark(l->t->diagnostics);
	guint saved = l->probe ? l->probe->entry_values->len : 0;
	struct location at;
	bool dispensable;

	if (!*statement)
		return;
	dispensable = may_be_left_out(l, *statement);
	at = (*statement)->kind == STATEMENT_EXPR ? (*statement)->expr->location : (*statement)->location;
	lower_kind(l, statement);
	if (dispensable && diagnostics_failed_since(l->t->diagnostics, mark) && changes_are_unread(l, *statement))
		leave_out(l, statement, &at, mark, saved);
}

void lower_statement(struct translation *t, struct derived_probe *probe, struct statement **statement)
{
	struct lowerer l = {.t = t, .probe = probe, .body = statement};

	pointer_scope_init(&l.pointers, t, probe->origin->script, NULL);
	lower_tree(&l, statement);
	pointer_scope_clear(&l.pointers);
}

void lower_function(struct translation *t, struct function_declaration *function)
{
	struct lowerer l = {.t = t, .probe = function->context_probe, .body = &function->body};

	if (function->lowered)
		return;
	function->lowered = true;
	pointer_scope_init(&l.pointers, t, function->script, function);
	lower_tree(&l, &function->body);
	pointer_scope_clear(&l.pointers);
}

static void find_symbol(struct expr **expr, void *data)
{
	bool *found = data;

	*found |= (*expr)->kind == EXPR_SYMBOL;
}

void lower_trial(struct translation *t, struct derived_probe *probe, struct expr **expr)
{
	struct statement *body = statement_copy(t->arena, probe->origin->body);
	struct lowerer l = {.t = t, .probe = probe, .body = &body};
	bool names_variables = false, used_autocast = t->uses_autocast;
	size_t mark = diagnostics_mark(t->diagnostics);
	guint saved = probe->entry_values->len;

	t->uses_autocast = true;
	pointer_scope_init(&l.pointers, t, probe->origin->script, NULL);
	expr_walk(expr, find_symbol, &names_variables);
	if (names_variables)
		lower_tree(&l, &body);
	lower(expr, &l);
	pointer_scope_clear(&l.pointers);
	t->uses_autocast = used_autocast;
	g_ptr_array_set_size(probe->entry_values, (int)saved);
	diagnostics_rewind(t->diagnostics, mark);
}
