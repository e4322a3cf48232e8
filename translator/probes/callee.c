// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.function("f").callee("g"), .callees and .callees(N): probes of functions that fire only for calls from f.
 *
 * Such a probe is at g's entry (or return) and has a guard. The guard holds if g's return address is the address after
 * one of f's calls of g, which debuginfo knows. In a return probe the guard is computed at the entry, like $variables.
 * An instance of g that was inlined into f needs no guard. A tail call leaves no trace of f on the stack, so it is
 * left out.
 *
 * With a depth, callees of callees are probed too. Each call path down from f gets its own probe; a path can also be
 * written out: callee("g").callee("h"). A hop is a function on a path. The guard checks for each hop that it was called
 * from the hop above. It finds the return address of the next frame by the call frame information at the return address
 * that it has just checked.
 */
#include "common/base/i18n.h"
#include "translator/lowering/lowering.h"
#include "translator/probes/function_probes.h"
#include "translator/sema/builder.h"

enum { MOST_CALLEES = 20, MOST_PLACES = 20000 };

struct hop {
	const struct hop *caller; /* NULL: the function that the point names */
	const struct function *function;
	const GPtrArray *calls; /* of const struct callee *: all calls in the caller */
	const char *text; /* the point's text up to this hop */
};

/* The search for one call level: from one callee("name@file:line"), or from callees(N) for all levels. */
struct step {
	struct function_query query;
	GHashTable *functions; /* the functions that match, if the pattern names a file; else NULL */
	GHashTable *calls; /* cache: caller -> GPtrArray of const struct callee * */
};

struct callee_search {
	struct translation *t;
	const struct probe_point *point;
	struct step *steps;
	guint step_count; /* 1 with callees(N): all levels share a step */
	bool is_chain;
	bool is_counting; /* first pass: count the paths, because deriving too many takes too long */
	enum callee_form form;
	GPtrArray *ret;
	GHashTable *probed; /* functions that have a probe, with STAP_CALLEE_MATCHALL (no guards); else NULL */
	unsigned int tail_calls, places;
};

/* ---- guards ------------------------------------------------------------------------------------------------------ */

/* Return the expression that compares the return address of a caller's frame with an address in the same object. */
static struct expr *is_address(struct callee_search *search, struct derived_probe *probe, const struct frame *caller,
			       struct address address)
{
	const struct location *at = &search->point->location;
	struct debuginfo *debuginfo = probe->function->debuginfo;
	struct expr *e = address_expression(search->t, probe, at, debuginfo, &address);
	struct expr *found =
		lower_return_address(search->t, probe, at, debuginfo, frame_program_counter(debuginfo, caller),
				     frame_call(debuginfo, caller));

	return build_binary(search->t->arena, OP_EQUAL, found, e);
}

/* Return the hop whose frame is on the stack: inlined code shares the frame of the function around it. */
static const struct hop *hop_with_frame(const struct hop *hop)
{
	while (hop->caller && hop->function->is_inlined)
		hop = hop->caller;
	return hop;
}

static struct expr *guard_of_hop(struct callee_search *search, struct derived_probe *probe, const struct hop *hop,
				 const struct frame *caller);

/*
 * Return a condition: @call called the hop, and the hops above called its caller. Return NULL if it cannot be computed.
 */
static struct expr *guard_of_call(struct callee_search *search, struct derived_probe *probe, const struct hop *hop,
				  const struct callee *call, const struct frame *caller)
{
	struct expr *guard = is_address(search, probe, caller, call->return_address), *above;
	const struct hop *next = hop_with_frame(hop->caller);
	/* The call may be the function's last instruction, so look up the frame one byte before the return address. */
	struct address inside = {call->return_address.value - 1, call->return_address.section};
	struct error *error;
	struct frame frame;

	if (!next->caller)
		return guard;
	error = debuginfo_caller_frame(probe->function->debuginfo, inside, caller, &frame);
	above = error ? NULL : guard_of_hop(search, probe, next, &frame);
	error_free(error);
	if (!above)
		return NULL;
	return build_logical(search->t->arena, OP_LOGICAL_AND, guard, above);
}

/* Return a condition: the hop was called along its path. Return NULL if it cannot be computed. */
static struct expr *guard_of_hop(struct callee_search *search, struct derived_probe *probe, const struct hop *hop,
				 const struct frame *caller)
{
	struct expr *guard = NULL, *one;

	for_each_ptr(const struct callee *, call, hop->calls) {
		if (call->function != hop->function || call->is_tail_call)
			continue;
		one = guard_of_call(search, probe, hop, call, caller);
		if (one)
			guard = guard ? build_logical(search->t->arena, OP_LOGICAL_OR, guard, one) : one;
	}
	return guard;
}

/* Make the guard of a probe at a hop. Return false if it cannot be computed; *guard is NULL if none is needed. */
static bool make_guard(struct callee_search *search, struct derived_probe *probe, const struct hop *hop,
		       struct expr **guard)
{
	struct debuginfo *debuginfo = hop->function->debuginfo;
	const struct hop *first = hop_with_frame(hop);
	struct frame frame, caller;
	struct error *error;

	*guard = NULL;
	if (!first->caller || search->probed)
		return true;
	debuginfo_probe_frame(debuginfo, &frame);
	error = debuginfo_caller_frame(debuginfo, hop->function->entry, &frame, &caller);
	if (!error)
		*guard = guard_of_hop(search, probe, first, &caller);
	error_free(error);
	return *guard;
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

/* ---- the paths down ---------------------------------------------------------------------------------------------- */

static const GPtrArray *calls_of(struct step *step, const struct function *function, struct arena *arena)
{
	GPtrArray *calls = g_hash_table_lookup(step->calls, function);
	g_autoptr(GPtrArray) found = NULL;

	if (calls)
		return calls;
	calls = arena_ptr_array(arena);
	found = g_ptr_array_new();
	error_free(debuginfo_callees(function, step->query.name, found));
	for_each_ptr(const struct callee *, callee, found) {
		if (!step->functions || g_hash_table_contains(step->functions, callee->function))
			g_ptr_array_add(calls, (gpointer)callee);
	}
	g_hash_table_insert(step->calls, (gpointer)function, calls);
	return calls;
}

/* Return whether the function is inlined, or a call of it leaves the caller on the stack. */
static bool has_trace(struct callee_search *search, const struct hop *hop)
{
	for_each_ptr(const struct callee *, call, hop->calls) {
		if (call->function == hop->function && (!call->is_tail_call || search->probed))
			return true;
	}
	return hop->function->is_inlined;
}

static void derive_callee(struct callee_search *search, const struct hop *hop)
{
	const struct function *function = hop->function;
	guint before = search->ret->len;
	struct derived_probe *derived;
	struct expr *guard;

	if ((function->is_inlined && search->form != CALLEE_ANY) ||
	    (search->probed && !g_hash_table_add(search->probed, (gpointer)function)))
		return;
	if (function->not_probeable) {
		search->t->left_out++;
		return;
	}
	derived = derive_function(search->t, search->point, function, search->form == CALLEE_RETURN, search->ret);
	if (!derived || !make_guard(search, derived, hop, &guard)) {
		g_ptr_array_set_size(search->ret, (gint)before);
		return;
	}
	if (guard)
		set_guard(search->t, derived, guard);
	derived->point_text = arena_printf(search->t->arena, "%s%s", hop->text,
					   search->form == CALLEE_RETURN ? ".return"
					   : search->form == CALLEE_CALL ? ".call"
									 : "");
}

/* Count or derive the probes of all paths below @caller. @level is the number of levels above. */
static void search_hop(struct callee_search *search, const struct hop *caller, int64_t level, int64_t depth)
{
	g_autoptr(GHashTable) done = g_hash_table_new(g_direct_hash, g_direct_equal);
	struct step *step = &search->steps[MIN(level, search->step_count - 1)];
	const GPtrArray *calls = calls_of(step, caller->function, search->t->arena);

	for_each_ptr(const struct callee *, callee, calls) {
		const struct function *function = callee->function;
		struct hop hop = {caller, function, calls, NULL};

		if (function->is_init || search->places > MOST_PLACES || !g_hash_table_add(done, (gpointer)function))
			continue;
		if (!has_trace(search, &hop)) {
			search->tail_calls += search->is_counting;
			continue;
		}
		if (search->is_counting) {
			search->places++;
			if (level + 1 < depth)
				search_hop(search, &hop, level + 1, depth);
			continue;
		}
		hop.text = arena_printf(search->t->arena, "%s.callee(\"%s@%s:%d\")", caller->text, function->name,
					function->declaration_file, function->declaration_line);
		/* For a path that the user wrote, probe only the last function. */
		if (!search->is_chain || level + 1 == depth)
			derive_callee(search, &hop);
		if (level + 1 < depth)
			search_hop(search, &hop, level + 1, depth);
	}
}

static void search_callers(struct callee_search *search, const GPtrArray *callers, int64_t depth)
{
	for_each_ptr(const struct function *, caller, callers) {
		struct hop root = {NULL, caller, NULL, function_point_text(search->t, caller, caller->name)};

		if (!caller->is_init)
			search_hop(search, &root, 0, depth);
	}
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* Return the searched path as "a' -> 'b"; the message puts it in quotes. */
static const char *way_text(struct callee_search *search)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < search->step_count; i++)
		g_string_append_printf(
			text, "%s%s", i ? "' -> '" : "",
			search->is_chain ? point_string(search->point, place_component(search->point) + 1 + i) : "*");
	return arena_strdup(search->t->arena, text->str);
}

static void diagnose_nothing(struct callee_search *search, const GPtrArray *callers)
{
	g_autoptr(GPtrArray) callees = g_ptr_array_new();
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autoptr(GString) text = g_string_new(NULL);

	diagnose(search->t->diagnostics, SEMANTIC_ERROR, &search->point->location,
		 _("'%s' calls no '%s' that can be probed as its callee"), named_place(search->t, search->point),
		 way_text(search));
	if (search->tail_calls) {
		diagnose_hint(search->t->diagnostics, _("the call is a tail call, after which the caller is unknown; "
							"probe the function itself"));
		return;
	}
	/* List what is called, except for longer paths, where it is unknown which level failed. */
	for (guint i = 0; search->step_count == 1 && i < callers->len; i++)
		error_free(debuginfo_callees(g_ptr_array_index(callers, i), "*", callees));
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

static bool depth_of(struct translation *t, const struct probe_component *component, int64_t *depth)
{
	bool has_depth = component->argument && component->argument->kind == EXPR_NUMBER;

	*depth = has_depth ? component->argument->number : 1;
	if (*depth >= 1)
		return true;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->argument->location,
		 _("the depth of callees must be at least 1"));
	return false;
}

/* Fill the steps from the point. Return false after a diagnostic. */
static bool read_steps(struct callee_search *search, struct debuginfo *debuginfo)
{
	struct error *error;

	for (guint i = 0; i < search->step_count; i++) {
		struct step *step = &search->steps[i];
		g_autoptr(GPtrArray) functions = NULL;

		step->calls = g_hash_table_new(g_direct_hash, g_direct_equal);
		arena_defer(search->t->arena, (GDestroyNotify)g_hash_table_unref, step->calls);
		step->query = (struct function_query){.name = "*"};
		if (search->is_chain &&
		    !parse_function_query(search->t, search->point,
					  point_string(search->point, place_component(search->point) + 1 + i),
					  &step->query))
			return false;
		if (!step->query.file)
			continue;
		functions = g_ptr_array_new();
		error = debuginfo_functions(debuginfo, &step->query, functions);
		if (error) {
			translation_report(search->t, &search->point->location, error);
			return false;
		}
		step->functions = g_hash_table_new(g_direct_hash, g_direct_equal);
		arena_defer(search->t->arena, (GDestroyNotify)g_hash_table_unref, step->functions);
		for_each_ptr(const struct function *, function, functions)
			g_hash_table_add(step->functions, (gpointer)function);
	}
	return true;
}

/* Return the number of components callee("…") in a row. */
static guint chain_length(const struct probe_point *point)
{
	guint first = place_component(point) + 1, length = 0;

	while (first + length < point->components->len &&
	       !strcmp(point_component_name(point, first + length), "callee"))
		length++;
	return length;
}

void find_callees(struct translation *t, const struct probe_point *point, const GPtrArray *callers,
		  enum callee_form form, GPtrArray *ret)
{
	const struct function *first = g_ptr_array_index(callers, 0);
	g_autoptr(GHashTable) probed = g_hash_table_new(g_direct_hash, g_direct_equal);
	guint length = chain_length(point);
	struct callee_search search = {
		.t = t,
		.point = point,
		.steps = arena_alloc(t->arena, MAX(length, 1) * sizeof(struct step)),
		.step_count = MAX(length, 1),
		.is_chain = length > 0,
		.form = form,
		.ret = ret,
		.probed = t->limits.callee_matchall ? probed : NULL,
	};
	guint before = ret->len;
	int64_t depth = length;

	if ((!length && !depth_of(t, g_ptr_array_index(point->components, place_component(point) + 1), &depth)) ||
	    !read_steps(&search, first->debuginfo))
		return;
	search.is_counting = true;
	search_callers(&search, callers, depth);
	if (search.places > MOST_PLACES) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("more than %d call paths lead from '%s' to callees"), MOST_PLACES, named_place(t, point));
		diagnose_hint(t->diagnostics, _("use a smaller depth than %lld"), (long long)depth);
		return;
	}
	search.is_counting = false;
	search_callers(&search, callers, depth);
	if (ret->len == before)
		diagnose_nothing(&search, callers);
}
