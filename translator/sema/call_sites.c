// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the script calls the library: an error in a function of the library gets a note with the place in the script
 * from which the function is reached, directly or through other functions.
 */
#include "common/base/i18n.h"
#include "translator/sema/sema.h"

struct search {
	const struct translation *t;
	GHashTable *sites; /* of const struct location *: the place in the script, by function */
	GPtrArray *reached; /* of const struct function_declaration *, in order */
	const struct location *caller_site; /* the place in the script from which the walked body is reached, or NULL */
};

/* Return the innermost place that is in the script, or NULL. */
static const struct location *place_in_script(const struct location *location)
{
	while (location && location->file && location->file->is_tapset)
		location = location->expanded_from;
	return location && location->file ? location : NULL;
}

static void reach(struct search *search, const struct function_declaration *function, const struct location *site)
{
	if (!site || g_hash_table_contains(search->sites, function))
		return;
	g_hash_table_insert(search->sites, (void *)function, (void *)site);
	g_ptr_array_add(search->reached, (void *)function);
}

/* Before names are bound, all functions with the name of the call may be meant. */
static void reach_by_name(struct search *search, const char *name, const struct location *site)
{
	for_each_ptr(const struct script *, script, search->t->scripts)
		for_each_ptr(const struct function_declaration *, function, script->functions)
			if (!strcmp(function->name, name))
				reach(search, function, site);
}

static void visit_call(struct expr **expr, void *data)
{
	const struct expr *call = *expr;
	struct search *search = data;
	const struct location *site;

	if (call->kind != EXPR_CALL)
		return;
	site = place_in_script(&call->location) ?: search->caller_site;
	reach_by_name(search, call->text, site);
	for_each_ptr(const struct function_declaration *, function, call->overloads)
		reach(search, function, site);
}

static void walk_all(struct search *search)
{
	for_each_ptr(const struct derived_probe *, probe, search->t->probes)
		statement_walk(probe->body, visit_call, search);
	for (guint i = 0; i < search->reached->len; i++) {
		const struct function_declaration *function = g_ptr_array_index(search->reached, i);

		search->caller_site = g_hash_table_lookup(search->sites, function);
		if (!function->is_embedded)
			statement_walk(function->body, visit_call, search);
	}
}

static bool begins_before(const struct location *a, const struct location *b)
{
	return a->line != b->line ? a->line < b->line : a->column <= b->column;
}

/*
 * Return the site of the function that contains a place of the library, the last one that begins before it. A place in
 * a probe is reached by any function of the file, because a file that is used brings its probes.
 */
static const struct location *site_of(const struct location *place, void *data)
{
	const struct function_declaration *found = NULL, *of_file = NULL;
	struct search *search = data;

	if (!search->sites) {
		search->sites = g_hash_table_new(NULL, NULL);
		search->reached = g_ptr_array_new();
		walk_all(search);
	}
	for_each_ptr(const struct function_declaration *, function, search->reached) {
		const struct location *start = &function->location;

		if (start->file != place->file)
			continue;
		of_file = function;
		if (begins_before(start, place) && (!found || begins_before(&found->location, start)))
			found = function;
	}
	found = found ?: of_file;
	return found ? g_hash_table_lookup(search->sites, found) : NULL;
}

void note_call_sites(struct translation *t)
{
	struct search search = {.t = t};

	diagnostics_note_calls(t->diagnostics, site_of, &search);
	if (!search.sites)
		return;
	g_hash_table_unref(search.sites);
	g_ptr_array_unref(search.reached);
}
