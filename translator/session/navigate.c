// SPDX-License-Identifier: GPL-2.0-or-later
/* Find where names are declared. */
#include "translator/session/internal.h"

#include <string.h>

/* ---- definitions ------------------------------------------------------------------------------------------------- */

static void add_place(struct arena *arena, const struct location *at, GPtrArray *ret)
{
	struct place *place;

	if (!at->file || *at->file->name != '/')
		return;
	place = arena_new0(arena, struct place);
	*place = (struct place){at->file->name, at->line, at->column, at->length};
	g_ptr_array_add(ret, place);
}

/* Add the sources of the functions that a point matches, if they are on this machine. */
static void add_sources(struct arena *arena, const struct analysis *analysis, const struct probe_point *point,
			GPtrArray *ret)
{
	g_autoptr(GPtrArray) probes = g_ptr_array_new();

	point_matches(analysis, point, probes);
	for_each_ptr(const struct derived_probe *, probe, probes) {
		const struct function *function = probe->function;
		const char *path =
			function && function->declaration_file
				? debuginfo_source_file(function->debuginfo, arena, function->declaration_file)
				: NULL;
		struct place *place;

		if (!path)
			continue;
		place = arena_new0(arena, struct place);
		*place = (struct place){path, probe->line ?: function->declaration_line, 1, 0};
		g_ptr_array_add(ret, place);
	}
}

static void define_point(struct arena *arena, struct analysis *analysis, size_t offset, GPtrArray *ret)
{
	const struct probe_point *point = point_at(analysis, analysis_definition(analysis, offset), offset);
	const struct alias *alias = point ? alias_of_point(&analysis->t, point) : NULL;

	if (alias)
		add_place(arena, &alias->location, ret);
	else if (point)
		add_sources(arena, analysis, point, ret);
}

static void define_macro(struct document *document, const char *name, GPtrArray *ret)
{
	const struct tokens *tokens = document_tokens(document);
	struct macro_view macro;
	guint index;

	if (tokens_macro_definition(tokens, name, &index))
		add_place(document->answers, &token_at(tokens, index)->location, ret);
	else if (find_macro(document_analysis(document), name, &macro))
		add_place(document->answers, macro.location, ret);
}

static void define_name(struct arena *arena, struct analysis *analysis, const struct name *name, GPtrArray *ret)
{
	if (name->declared.file) {
		add_place(arena, &name->declared, ret);
		return;
	}
	for (guint i = 0; i < analysis->names->len; i++) {
		const struct name *other = &g_array_index(analysis->names, struct name, i);
		struct place *place;

		if (!other->is_declaration || other->kind != name->kind || other->definition != name->definition ||
		    strcmp(other->text, name->text))
			continue;
		place = arena_new0(arena, struct place);
		place->path = analysis->source->name;
		place->line = (int)text_line(&analysis->text, other->range.from) + 1;
		place->column =
			(int)(other->range.from - text_line_begin(&analysis->text, (size_t)place->line - 1)) + 1;
		place->length = (int)(other->range.to - other->range.from);
		g_ptr_array_add(ret, place);
	}
}

const GPtrArray *document_definition(struct document *document, size_t offset)
{
	struct arena *arena = document_begin_query(document);
	const struct tokens *tokens = document_tokens(document);
	struct analysis *analysis = document_analysis(document);
	GPtrArray *ret = arena_ptr_array(arena);
	const struct name *name;
	guint index;

	if (tokens_in_comment(tokens, offset) || !tokens_find(tokens, offset, &index))
		return ret;
	if (token_macro(tokens, index)) {
		define_macro(document, token_macro(tokens, index), ret);
		return ret;
	}
	name = analysis_name(analysis, token_offset(tokens, index));
	if (name && name->kind != NAME_ALIAS && name->range.from == token_offset(tokens, index))
		define_name(arena, analysis, name, ret);
	else if (name || token_at(tokens, index)->kind == TOKEN_STRING)
		define_point(arena, analysis, token_offset(tokens, index), ret);
	return ret;
}
