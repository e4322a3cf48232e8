// SPDX-License-Identifier: GPL-2.0-or-later
/* Where names are declared and used, and how to rename them. */
#include "translator/session/internal.h"

#include <string.h>

#include "common/base/i18n.h"

/* ---- macros of the document -------------------------------------------------------------------------------------- */

/* Is the token the name in "@define name"? */
static bool defines_macro(const struct tokens *tokens, guint index)
{
	const struct token *before = index ? token_at(tokens, index - 1) : NULL;

	return before && token_at(tokens, index)->kind == TOKEN_IDENTIFIER && before->kind == TOKEN_AT &&
	       !strcmp(before->text, "define");
}

/* Return the name of the macro that a token uses or defines, or NULL. */
static const char *macro_of(const struct tokens *tokens, guint index)
{
	const struct token *token = token_at(tokens, index);

	return token->kind == TOKEN_AT || defines_macro(tokens, index) ? token->text : NULL;
}

static bool macro_definition(const struct tokens *tokens, const char *name, guint *index)
{
	for (guint i = 0; i < tokens->all->len; i++)
		if (defines_macro(tokens, i) && !strcmp(token_at(tokens, i)->text, name)) {
			*index = i;
			return true;
		}
	return false;
}

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

	if (macro_definition(tokens, name, &index))
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
	if (macro_of(tokens, index)) {
		define_macro(document, macro_of(tokens, index), ret);
		return ret;
	}
	name = analysis_name(analysis, token_offset(tokens, index));
	if (name && name->kind != NAME_ALIAS && name->range.from == token_offset(tokens, index))
		define_name(arena, analysis, name, ret);
	else if (name || token_at(tokens, index)->kind == TOKEN_STRING)
		define_point(arena, analysis, token_offset(tokens, index), ret);
	return ret;
}

/* ---- references -------------------------------------------------------------------------------------------------- */

/* Do two names mean the same? Locals and parameters are those of one definition. */
static bool is_same(const struct name *a, const struct name *b)
{
	if (a->kind != b->kind || a->kind == NAME_ALIAS || strcmp(a->text, b->text))
		return false;
	return (a->kind != NAME_LOCAL && a->kind != NAME_PARAMETER) || a->definition == b->definition;
}

static void add_range(struct arena *arena, struct range range, GPtrArray *ret)
{
	struct range *copy = arena_new0(arena, struct range);

	*copy = range;
	g_ptr_array_add(ret, copy);
}

static void add_macro_uses(struct arena *arena, const struct tokens *tokens, const char *name, bool with_declaration,
			   GPtrArray *ret)
{
	for (guint i = 0; i < tokens->all->len; i++) {
		const char *macro = macro_of(tokens, i);
		bool uses = token_at(tokens, i)->kind == TOKEN_AT;

		/* The sign is not a part of the name. */
		if (macro && !strcmp(macro, name) && (uses || with_declaration))
			add_range(arena, (struct range){token_offset(tokens, i) + uses, token_end(tokens, i)}, ret);
	}
}

/* Return the name at an offset that has references, or NULL. */
static const struct name *name_at(struct document *document, size_t offset)
{
	const struct name *name = analysis_name(document_analysis(document), offset);

	return name && name->kind != NAME_ALIAS ? name : NULL;
}

static GPtrArray *references(struct document *document, size_t offset, bool with_declaration)
{
	const struct tokens *tokens = document_tokens(document);
	struct arena *arena = document->answers;
	struct analysis *analysis = document_analysis(document);
	const struct name *name = name_at(document, offset);
	GPtrArray *ret = arena_ptr_array(arena);
	guint index;

	if (tokens_find(tokens, offset, &index) && macro_of(tokens, index)) {
		add_macro_uses(arena, tokens, macro_of(tokens, index), with_declaration, ret);
		return ret;
	}
	for (guint i = 0; name && i < analysis->names->len; i++) {
		const struct name *other = &g_array_index(analysis->names, struct name, i);

		if (is_same(name, other) && (with_declaration || !other->is_declaration))
			add_range(arena, other->range, ret);
	}
	return ret;
}

const GPtrArray *document_references(struct document *document, size_t offset, bool with_declaration)
{
	document_begin_query(document);
	return references(document, offset, with_declaration);
}

/* ---- renaming ---------------------------------------------------------------------------------------------------- */

static bool is_identifier(const char *name)
{
	struct tokens *tokens = tokens_new("<name>", name, strlen(name));
	bool good = tokens->all->len == 1 && token_at(tokens, 0)->kind == TOKEN_IDENTIFIER &&
		    (size_t)token_at(tokens, 0)->location.length == strlen(name) && !strchr(name, '$');

	tokens_free(tokens);
	return good;
}

static bool has_embedded_body(const struct analysis *analysis, const struct name *name)
{
	const struct definition *definition =
		&g_array_index(analysis->definitions, struct definition, name->definition);

	return definition->function && definition->function->is_embedded;
}

/* Return why a name cannot be changed in this document alone, or NULL. */
static const char *obstacle(const struct analysis *analysis, const struct name *name)
{
	const struct symbol *local = NULL;

	if (name->kind == NAME_LOCAL)
		local_type(analysis, &g_array_index(analysis->definitions, struct definition, name->definition),
			   name->text, &local);
	if (local && local->location.file != analysis->source)
		return _("an alias sets this variable");
	if (name->kind == NAME_PARAMETER && has_embedded_body(analysis, name))
		return _("embedded C uses this name");
	if (name->symbol && name->symbol->in_embedded_c)
		return _("embedded C uses this name");
	if ((name->kind == NAME_FUNCTION || name->kind == NAME_GLOBAL) && name->declared.file != analysis->source)
		return _("it is not declared in this file");
	return NULL;
}

/* Is the new name in use where the old one is visible? */
static bool is_taken(const struct analysis *analysis, const struct name *name, const char *new_name)
{
	bool is_local = name->kind == NAME_LOCAL || name->kind == NAME_PARAMETER;

	for (guint i = 0; i < analysis->names->len; i++) {
		const struct name *other = &g_array_index(analysis->names, struct name, i);
		bool is_near = !is_local || other->definition == name->definition || other->kind == NAME_GLOBAL;

		if (is_near && other->kind != NAME_ALIAS && !strcmp(other->text, new_name) &&
		    (other->kind == NAME_FUNCTION) == (name->kind == NAME_FUNCTION))
			return true;
	}
	return false;
}

static GPtrArray *edits(struct arena *arena, const GPtrArray *ranges, const char *text)
{
	GPtrArray *ret = arena_ptr_array(arena);

	for_each_ptr(const struct range *, range, ranges) {
		struct edit *edit = arena_new0(arena, struct edit);

		*edit = (struct edit){*range, text};
		g_ptr_array_add(ret, edit);
	}
	return ret;
}

static struct error *check_rename(struct document *document, size_t offset, const char *new_name)
{
	const struct tokens *tokens = document_tokens(document);
	struct analysis *analysis = document_analysis(document);
	const struct name *name = name_at(document, offset);
	const char *reason;
	guint index, definition;

	if (new_name && !is_identifier(new_name))
		return error_new(ERROR_OTHER, _("'%s' is not a name"), new_name);
	if (tokens_find(tokens, offset, &index) && macro_of(tokens, index))
		return macro_definition(tokens, macro_of(tokens, index), &definition)
			       ? NULL
			       : error_new(ERROR_OTHER, _("cannot rename '@%s': it is not declared in this file"),
					   macro_of(tokens, index));
	if (!name)
		return error_new(ERROR_OTHER, _("there is no name here that can be changed"));
	reason = obstacle(analysis, name);
	if (reason)
		return error_new(ERROR_OTHER, _("cannot rename '%s': %s"), name->text, reason);
	if (new_name && is_taken(analysis, name, new_name))
		return error_new(ERROR_OTHER, _("cannot rename '%s': '%s' means something else here"), name->text,
				 new_name);
	return NULL;
}

struct error *document_rename(struct document *document, size_t offset, const char *name, struct range *range,
			      const GPtrArray **ret)
{
	struct arena *arena = document_begin_query(document);
	struct error *error = check_rename(document, offset, name);
	const GPtrArray *ranges;

	*ret = NULL;
	*range = (struct range){offset, offset};
	if (error)
		return error;
	ranges = references(document, offset, true);
	for_each_ptr(const struct range *, one, ranges)
		if (one->from <= offset && offset <= one->to)
			*range = *one;
	if (name)
		*ret = edits(arena, ranges, arena_strdup(arena, name));
	return NULL;
}
