// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scripts whose whole output has one format, such as the trace events of tapset/trace.stp.
 *
 * A top-level block of C in the library says so with "pragma:output:FORMAT". Whatever else such a script prints would
 * make its output invalid, so each place in the script that prints, directly or by a function of the library, is a
 * warning. The globals that are only written are not displayed (globals.c).
 */
#include "translator/sema/sema.h"

#include <string.h>

#include "common/base/i18n.h"

struct search {
	struct translation *t;
	const struct source_file *owner; /* the file of the library that prints the format */
	GHashTable *printing; /* struct function_declaration * -> whether it prints */
	GHashTable *reported; /* set of places as text */
	bool found;
};

/* Set t->output_format, and return the file of the library that says so. */
static const struct source_file *find_format(struct translation *t)
{
	static const char pragma[] = "/* pragma:output:";

	for_each_ptr(const struct statement *, embed, t->embeds) {
		const char *start = strstr(embed->code, pragma), *end = start ? strstr(start, " */") : NULL;

		if (!end || !embed->location.file->is_library)
			continue;
		start += strlen(pragma);
		t->output_format = arena_strndup(t->arena, start, end - start);
		return embed->location.file;
	}
	return NULL;
}

/* Does embedded C print? stp_sink_begin() redirects that into a string. */
static bool code_prints(const char *code)
{
	return (strstr(code, "_print") || strstr(code, "STAP_PRINTF") || strstr(code, "stp_log")) &&
	       !strstr(code, "stp_sink_begin");
}

static bool is_printing_statement(const struct expr *e)
{
	return e->kind == EXPR_PRINT && e->destination == PRINT_STREAM;
}

static void find_print(struct expr **expr, void *data);

/* Does the function print, other than in the format? */
static bool prints(struct search *search, const struct function_declaration *function)
{
	struct search inner = *search;

	if (function->script->file == search->owner)
		return false;
	if (g_hash_table_contains(search->printing, function))
		return GPOINTER_TO_INT(g_hash_table_lookup(search->printing, function));
	/* In a recursion, the outer call decides. */
	g_hash_table_insert(search->printing, (void *)function, GINT_TO_POINTER(false));
	inner.found = function->is_embedded && code_prints(function->body->code);
	if (!function->is_embedded)
		statement_walk(function->body, find_print, &inner);
	g_hash_table_insert(search->printing, (void *)function, GINT_TO_POINTER(inner.found));
	return inner.found;
}

static bool call_prints(struct search *search, const struct expr *call)
{
	for_each_ptr(const struct function_declaration *, function, call->overloads)
		if (prints(search, function))
			return true;
	return false;
}

static void find_print(struct expr **expr, void *data)
{
	struct search *search = data;

	search->found = search->found || is_printing_statement(*expr) ||
			((*expr)->kind == EXPR_CALL && call_prints(search, *expr));
}

static void report(struct search *search, const struct location *at, const char *name)
{
	char *place = arena_printf(search->t->arena, "%s:%d:%d", at->file->name, at->line, at->column);

	if (!g_hash_table_add(search->reported, place))
		return;
	diagnose(search->t->diagnostics, WARNING, at, _("output of '%s' breaks %s, in which this script prints"), name,
		 search->t->output_format);
	diagnose_hint(search->t->diagnostics, _("print with warn(), which writes to standard error"));
}

/* A function of the script that prints is reported in its body, unless that is C. */
static bool is_reported_at_call(const struct function_declaration *function)
{
	return function->is_embedded || function->script->file->is_library;
}

static void report_print(struct expr **expr, void *data)
{
	struct search *search = data;
	const struct expr *e = *expr;

	if (!e->location.file || e->location.file->is_tapset)
		return;
	if (is_printing_statement(e))
		report(search, &e->location, e->print_name);
	if (e->kind != EXPR_CALL)
		return;
	for_each_ptr(const struct function_declaration *, function, e->overloads)
		if (is_reported_at_call(function) && prints(search, function))
			report(search, &e->location, e->text);
}

void check_output_format(struct translation *t)
{
	g_autoptr(GHashTable) printing = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) reported = g_hash_table_new(g_str_hash, g_str_equal);
	struct search search = {.t = t, .owner = find_format(t), .printing = printing, .reported = reported};

	if (!search.owner)
		return;
	for_each_ptr(const struct derived_probe *, probe, t->probes)
		statement_walk(probe->body, report_print, &search);
	for_each_ptr(const struct function_declaration *, function, t->functions)
		if (!function->is_embedded)
			statement_walk(function->body, report_print, &search);
}
