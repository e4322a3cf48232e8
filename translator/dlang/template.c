// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Statements of the tree from text in the SystemTap language, for what the front end adds in larger pieces: loops over
 * aggregations, and probes of its own. Calls in the text are those of the library.
 */
#include "translator/dlang/lower.h"

#include <string.h>

static void place_expr(struct expr **expr, void *data)
{
	(*expr)->location = *(const struct location *)data;
	(*expr)->is_of_translator = (*expr)->kind == EXPR_CALL;
}

static void place_statement(struct statement *statement, void *data)
{
	const struct location *at = data;

	statement->location = *at;
	/* Keys and values of loops are not visited as expressions. */
	for_each_ptr(struct expr *, key, statement->keys)
		key->location = *at;
	if (statement->value)
		statement->value->location = *at;
	if (statement->array)
		statement->array->location = *at;
	if (statement->kind == STATEMENT_FOREACH)
		statement->changes_element = statement->sorts_ties_by_key = true;
}

struct script *d_template_script(struct d_translation *d, const char *text)
{
	struct source_file *file = arena_new0(d->arena, struct source_file);

	file->name = "<dlang>";
	file->text = text;
	file->length = strlen(text);
	return parse_script(&d->t->language, file);
}

struct statement *d_template(struct d_translation *d, const struct location *at, const char *text)
{
	struct script *script = d_template_script(d, arena_printf(d->arena, "probe begin { %s }", text));
	const struct probe *probe;

	if (!script)
		g_error("template of the D front end does not parse: %s", text);
	probe = g_ptr_array_index(script->probes, 0);
	statement_walk(probe->body, place_expr, (void *)at);
	statement_visit(probe->body, place_statement, (void *)at);
	return probe->body;
}

/* Find the first empty block below a statement. */
static void find_empty(struct statement *statement, void *data)
{
	struct statement **found = data;

	if (statement->kind == STATEMENT_BLOCK && !statement->statements->len && !*found)
		*found = statement;
}

struct statement *d_template_hole(struct statement *statement)
{
	struct statement *hole = NULL;

	statement_visit(statement, find_empty, &hole);
	g_assert(hole);
	return hole;
}
