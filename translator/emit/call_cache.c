// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Embedded C marked "stable": its value does not change while a handler runs, so it is called once and the value is
 * kept.
 *
 * The values are members of a `struct kept` in the frame of the handler. Called functions find it through the context.
 * A value is kept when a call has succeeded, at any place: after a condition, in a loop, in a try block that failed
 * later. A handler that calls each stable function only once needs no `struct kept`.
 */
#include "translator/emit/call_cache.h"

#include "translator/emit/writer.h"
#include "translator/sema/embedded.h"
#include "translator/sema/sema.h"

struct stable_functions {
	struct translation *t;
	GPtrArray *functions; /* of struct function_declaration *; the index is the function's number */
	GHashTable *reaching; /* set of script functions that call one, directly or through others */
};

static bool is_stable(const struct function_declaration *function)
{
	return function->is_embedded && embedded_says(function->body->code, "stable") && !function->parameters->len &&
	       !function->body->embedded_globals && !function_passes_on(function) && function->type != TYPE_UNKNOWN;
}

int stable_number(const struct stable_functions *stable, const struct expr *call)
{
	guint number;

	if (call->kind != EXPR_CALL || call->overloads->len != 1 ||
	    !g_ptr_array_find(stable->functions, call->function, &number))
		return -1;
	return (int)number;
}

void emit_kept_type(const struct stable_functions *stable, GString *out)
{
	if (!stable->functions->len)
		return;
	g_string_append(out, "struct kept {\n");
	for (guint i = 0; i < stable->functions->len; i++) {
		const struct function_declaration *function = g_ptr_array_index(stable->functions, i);

		g_string_append_printf(
			out, function->type == TYPE_STRING ? "\tchar v%u[STRING_SIZE];\n" : "\tstp_long v%u;\n", i);
	}
	g_string_append_printf(out, "\tchar known[%u];\n};\n\n", stable->functions->len);
}

unsigned int kept_bytes(const struct stable_functions *stable)
{
	unsigned int bytes = 0;

	/* Each member with maximal padding, then the flags and the end. */
	for_each_ptr(const struct function_declaration *, function, stable->functions)
		bytes += 8 + (function->type == TYPE_STRING ? stable->t->limits.max_string_length : 8);
	return bytes + stable->functions->len + 8;
}

/* ---- their callers ----------------------------------------------------------------------------------------------- */

struct caller_search {
	struct function_declaration *caller;
	GHashTable *callers; /* function -> GPtrArray of the functions that call it */
};

static void note_caller(struct expr **expr, void *data)
{
	struct caller_search *search = data;

	for_each_ptr(struct function_declaration *, function, (*expr)->overloads) {
		GPtrArray *callers = g_hash_table_lookup(search->callers, function);

		if (!callers) {
			callers = g_ptr_array_new();
			g_hash_table_insert(search->callers, function, callers);
		}
		g_ptr_array_add(callers, search->caller);
	}
}

/* Find the script functions that call a stable one, directly or through others. */
static void find_reaching(struct stable_functions *stable)
{
	g_autoptr(GHashTable) callers = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
	g_autoptr(GQueue) pending = g_queue_new();
	struct caller_search search = {.callers = callers};
	struct function_declaration *function;

	for_each_ptr(struct function_declaration *, caller, stable->t->functions) {
		search.caller = caller;
		statement_walk(caller->body, note_caller, &search);
	}
	for_each_ptr(struct function_declaration *, first, stable->functions)
		g_queue_push_tail(pending, first);
	while ((function = g_queue_pop_head(pending))) {
		const GPtrArray *of_function = g_hash_table_lookup(callers, function);

		for_each_ptr(struct function_declaration *, caller, of_function) {
			if (g_hash_table_add(stable->reaching, caller))
				g_queue_push_tail(pending, caller);
		}
	}
}

struct stable_functions *find_stable_functions(struct translation *t)
{
	struct stable_functions *stable = arena_new0(t->arena, struct stable_functions);

	stable->t = t;
	stable->functions = arena_ptr_array(t->arena);
	stable->reaching = g_hash_table_new(NULL, NULL);
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, stable->reaching);
	if (t->options->unoptimized)
		return stable;
	for_each_ptr(struct function_declaration *, function, t->functions)
		if (is_stable(function))
			g_ptr_array_add(stable->functions, function);
	if (stable->functions->len)
		find_reaching(stable);
	return stable;
}

struct repetition_search {
	const struct stable_functions *stable;
	GHashTable *called; /* set of stable functions that the handler calls itself */
	bool repeats; /* it calls one twice, or through a function */
};

static void find_repetition(struct expr **expr, void *data)
{
	struct repetition_search *search = data;

	if (stable_number(search->stable, *expr) >= 0 && !g_hash_table_add(search->called, (*expr)->function))
		search->repeats = true;
	for_each_ptr(struct function_declaration *, function, (*expr)->overloads)
		search->repeats |= g_hash_table_contains(search->stable->reaching, function);
}

bool handler_repeats_stable(const struct stable_functions *stable, struct statement *body)
{
	g_autoptr(GHashTable) called = g_hash_table_new(NULL, NULL);
	struct repetition_search search = {.stable = stable, .called = called};

	if (!stable->functions->len)
		return false;
	statement_walk(body, find_repetition, &search);
	return search.repeats || (g_hash_table_size(called) && runs_repeatedly(body));
}

bool values_repeat_stable(const struct stable_functions *stable, GPtrArray *values)
{
	g_autoptr(GHashTable) called = g_hash_table_new(NULL, NULL);
	struct repetition_search search = {.stable = stable, .called = called};

	if (!stable->functions->len)
		return false;
	for (guint i = 0; i < values->len; i++)
		expr_walk((struct expr **)&values->pdata[i], find_repetition, &search);
	return search.repeats;
}
