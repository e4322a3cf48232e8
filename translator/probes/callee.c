// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.function("f").callee("g") and .callees: functions, but only when they are called from a given one.
 *
 * The probe is one of g's entry (or return) with a guard: g was called from f if it is about to return to the address
 * behind one of f's calls, which debuginfo knows. In a return probe the guard is computed at the entry, as $variables
 * are. An instance of g that was inlined into f needs no guard. A tail call leaves no trace of f on the stack and is left
 * out.
 */
#include "translator/probes/places.h"
#include "translator/sema/builder.h"
#include "translator/util/i18n.h"

/* DWARF's number of the stack pointer. */
enum { STACK_POINTER = 7 };

enum { MOST_CALLEES = 20 };

struct callee_search {
	struct translation *t;
	const struct probe_point *point;
	const char *pattern;
	enum callee_form form;
	GPtrArray *ret;
	unsigned int tail_calls;
};

/* What the function that was just entered will return to. */
static struct expr *return_address(struct arena *arena, const struct location *at)
{
	struct expr *stack = expr_new(arena, EXPR_PROBE_REGISTER, at);

	stack->number = STACK_POINTER;
	stack->type = TYPE_LONG;
	return build_load(arena, stack, 8, false);
}

static struct expr *is_return_to(struct arena *arena, const struct location *at, const struct function *function,
				 struct address address)
{
	struct expr *e = expr_new(arena, EXPR_ADDRESS, at);

	e->number = (int64_t)address.value;
	e->text = address.section;
	e->module = debuginfo_module_name(function->debuginfo);
	e->type = TYPE_LONG;
	return build_binary(arena, OP_EQUAL, return_address(arena, at), e);
}

/* Does one of the calls of this function go on? */
static struct expr *guard_of(struct callee_search *search, const GPtrArray *callees, const struct function *function)
{
	struct arena *arena = search->t->arena;
	const struct location *at = &search->point->location;
	struct expr *guard = NULL;

	for_each_ptr(const struct callee *, callee, callees) {
		struct expr *one;

		if (callee->function != function || callee->is_tail_call)
			continue;
		one = is_return_to(arena, at, function, callee->return_address);
		guard = guard ? build_binary(arena, OP_OR, guard, one) : one;
	}
	return guard;
}

static void set_guard(struct translation *t, struct derived_probe *derived, struct expr *guard)
{
	derived->guard = guard;
	if (!derived->is_return)
		return;
	derived->entry_values = arena_ptr_array(t->arena);
	g_ptr_array_add(derived->entry_values, guard);
	derived->guard = expr_new(t->arena, EXPR_ENTRY_VALUE, &guard->location);
	derived->guard->type = TYPE_LONG;
}

static void derive_callee(struct callee_search *search, const struct function *caller, const GPtrArray *callees,
			  const struct function *function)
{
	struct expr *guard = function->is_inlined ? NULL : guard_of(search, callees, function);
	struct derived_probe *derived;

	if ((function->is_inlined && search->form != CALLEE_ANY) || function->is_init)
		return;
	if (!function->is_inlined && !guard) {
		search->tail_calls++;
		return;
	}
	if (function->not_probeable) {
		search->t->left_out++;
		return;
	}
	derived = derive_function(search->t, search->point, function, search->form == CALLEE_RETURN, search->ret);
	if (guard)
		set_guard(search->t, derived, guard);
	derived->point_text =
		arena_printf(search->t->arena, "%s.callee(\"%s@%s:%d\")%s", function_point_text(search->t, caller),
			     function->name, function->declaration_file, function->declaration_line,
			     search->form == CALLEE_RETURN ? ".return"
			     : search->form == CALLEE_CALL ? ".call"
							   : "");
}

static void search_caller(struct callee_search *search, const struct function *caller)
{
	g_autoptr(GPtrArray) callees = g_ptr_array_new();
	g_autoptr(GHashTable) done = g_hash_table_new(g_direct_hash, g_direct_equal);

	error_free(debuginfo_callees(caller, search->pattern, callees));
	for_each_ptr(const struct callee *, callee, callees) {
		if (g_hash_table_add(done, (gpointer)callee->function))
			derive_callee(search, caller, callees, callee->function);
	}
}

static void diagnose_nothing(struct callee_search *search, const GPtrArray *callers)
{
	g_autoptr(GPtrArray) callees = g_ptr_array_new();
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autoptr(GString) text = g_string_new(NULL);

	diagnose(search->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &search->point->location,
		 _("'%s' calls no '%s' that can be probed as its callee"), point_string(search->point, 1),
		 search->pattern);
	if (search->tail_calls) {
		diagnose_hint(search->t->diagnostics, _("the call is a tail call, after which the caller is not known; "
							"probe the function itself"));
		return;
	}
	for_each_ptr(const struct function *, caller, callers)
		error_free(debuginfo_callees(caller, "*", callees));
	for_each_ptr(const struct callee *, callee, callees) {
		if (names->len >= MOST_CALLEES ||
		    g_ptr_array_find_with_equal_func(names, callee->function->name, g_str_equal, NULL))
			continue;
		g_ptr_array_add(names, (gpointer)callee->function->name);
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", callee->function->name);
	}
	if (text->len)
		diagnose_hint(search->t->diagnostics, _("it calls: %s"), text->str);
}

void find_callees(struct translation *t, const struct probe_point *point, const GPtrArray *callers,
		  enum callee_form form, GPtrArray *ret)
{
	const struct probe_component *component = g_ptr_array_index(point->components, 2);
	bool has_name = component->argument && component->argument->kind == EXPR_STRING;
	struct callee_search search = {t, point, has_name ? component->argument->text : "*", form, ret, 0};
	guint before = ret->len;

	if (component->argument && !has_name && component->argument->number != 1) {
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &point->location,
			 _("a depth of callees other than 1 is not supported yet"));
		return;
	}
	for_each_ptr(const struct function *, caller, callers) {
		if (!caller->is_init)
			search_caller(&search, caller);
	}
	if (ret->len == before)
		diagnose_nothing(&search, callers);
}
