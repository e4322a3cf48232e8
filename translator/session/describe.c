// SPDX-License-Identifier: GPL-2.0-or-later
/* Descriptions of a position: types, documentation, the places that a probe point matches, and the call around it. */
#include "translator/session/internal.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/lang/at_operators.h"
#include "translator/sema/scope.h"
#include "translator/sema/sema.h"

enum { MOST_PLACES = 8 };

/* ---- names ------------------------------------------------------------------------------------------------------- */

static void add_code(GString *out, const char *language, const char *text)
{
	g_string_append_printf(out, "```%s\n%s\n```\n", language, text);
}

static void add_documentation(struct arena *arena, GString *out, const struct location *declaration)
{
	const char *text = documentation_at(arena, declaration);

	if (text)
		g_string_append_printf(out, "\n%s\n", text);
}

static void describe_symbol(struct arena *arena, GString *out, const char *what, const char *name,
			    const struct symbol *symbol)
{
	const char *type = symbol ? symbol_type_text(arena, symbol) : NULL;
	const char *text = arena_printf(arena, "%s %s%s%s", what, name, type ? ": " : "", type ?: "");

	add_code(out, "systemtap", text);
	if (symbol && symbol->unit)
		g_string_append_printf(out, "\n%s: %s\n", _("Unit"), symbol->unit);
	if (symbol && symbol->is_global)
		add_documentation(arena, out, &symbol->location);
}

static void describe_function(struct arena *arena, GString *out, const struct analysis *analysis,
			      const struct function_declaration *function)
{
	const struct translation *catalog = environment_catalog(analysis->environment);

	/* The catalog knows the types of what the script does not reach. */
	for_each_ptr(const struct script *, script, function->type == TYPE_UNKNOWN ? catalog->library : NULL)
		for_each_ptr(const struct function_declaration *, other, script->functions)
			if (!strcmp(other->name, function->name) &&
			    !strcmp(other->location.file->name, function->location.file->name) &&
			    other->location.line == function->location.line)
				function = other;
	add_code(out, "systemtap", arena_printf(arena, "function %s", function_label(arena, function, NULL)));
	add_documentation(arena, out, &function->location);
}

static void describe_name(struct arena *arena, GString *out, struct analysis *analysis, const struct name *name)
{
	const struct definition *definition =
		&g_array_index(analysis->definitions, struct definition, name->definition);
	const struct symbol *local;

	switch (name->kind) {
	case NAME_FUNCTION:
		if (name->function)
			describe_function(arena, out, analysis, name->function);
		break;
	case NAME_GLOBAL:
		describe_symbol(arena, out, "global", name->text, name->symbol);
		break;
	case NAME_PARAMETER:
		describe_symbol(arena, out, "parameter", name->text, name->symbol);
		break;
	case NAME_LOCAL:
		local_type(analysis, definition, name->text, &local);
		describe_symbol(arena, out, "local", name->text, local);
		break;
	case NAME_ALIAS:
	case NAME_KIND_COUNT_:
		break;
	}
}

/* ---- probe points ------------------------------------------------------------------------------------------------ */

const struct probe_point *point_at(const struct analysis *analysis, const struct definition *definition, size_t offset)
{
	const GPtrArray *points = !definition	      ? NULL
				  : definition->probe ? definition->probe->points
				  : definition->alias ? definition->alias->points
						      : NULL;
	const struct probe_point *found = NULL;
	struct range range;

	for_each_ptr(const struct probe_point *, point, points)
		if (analysis_range(analysis, &point->location, &range) && range.from <= offset)
			found = point;
	return found;
}

guint point_matches(const struct analysis *analysis, const struct probe_point *point, GPtrArray *ret)
{
	guint count = 0;

	for_each_ptr(struct derived_probe *, probe, analysis->t.probes) {
		if (probe->written != point)
			continue;
		count++;
		if (ret && ret->len < MOST_PLACES)
			g_ptr_array_add(ret, probe);
	}
	return count;
}

static void add_place(GString *out, const struct derived_probe *probe)
{
	const struct function *function = probe->function;

	g_string_append_printf(out, "- `%s`", probe->point_text);
	if (function && function->declaration_file && *function->declaration_file && !strchr(probe->point_text, '@'))
		g_string_append_printf(out, " (%s:%d)", function->declaration_file,
				       probe->line ?: function->declaration_line);
	g_string_append_c(out, '\n');
}

static void describe_point(struct arena *arena, GString *out, struct analysis *analysis,
			   const struct probe_point *point)
{
	g_autoptr(GPtrArray) places = g_ptr_array_new();
	guint count = point_matches(analysis, point, places);
	const struct alias *alias = alias_of_point(&analysis->t, point);

	add_code(out, "systemtap", arena_printf(arena, "probe %s", probe_point_text(arena, point, true)));
	if (alias)
		add_documentation(arena, out, &alias->location);
	if (!count)
		return;
	g_string_append_c(out, '\n');
	g_string_append_printf(out, ngettext("%u match:", "%u matches:", count), count);
	g_string_append(out, "\n\n");
	for_each_ptr(const struct derived_probe *, probe, places)
		add_place(out, probe);
	if (count > places->len)
		g_string_append(out, "- ...\n");
}

/* Is a token among the points of its definition, before the body? */
static bool is_in_points(const struct tokens *tokens, size_t offset)
{
	struct cursor cursor;

	cursor_find(tokens, offset, &cursor);
	return cursor.context == CURSOR_POINT || cursor.context == CURSOR_ARGUMENT;
}

/* ---- macros and operators ---------------------------------------------------------------------------------------- */

struct macro_search {
	const char *name;
	struct macro_view found;
};

static void match_macro(const struct macro_view *macro, void *data)
{
	struct macro_search *search = data;

	if (!strcmp(macro->name, search->name))
		search->found = *macro;
}

bool find_macro(const struct analysis *analysis, const char *name, struct macro_view *ret)
{
	struct macro_search search = {.name = name};

	language_visit_macros(&analysis->t.language, match_macro, &search);
	*ret = search.found;
	return search.found.name;
}

static const char *macro_label(struct arena *arena, const struct macro_view *macro, GArray *parameters)
{
	g_autoptr(GString) label = g_string_new("@");

	g_string_append(label, macro->name);
	if (!macro->parameters)
		return arena_strdup(arena, label->str);
	g_string_append_c(label, '(');
	for_each_ptr(const char *, parameter, macro->parameters) {
		struct range range;

		if (!g_str_has_suffix(label->str, "("))
			g_string_append(label, ", ");
		range.from = label->len;
		g_string_append(label, parameter);
		range.to = label->len;
		if (parameters)
			g_array_append_val(parameters, range);
	}
	g_string_append_c(label, ')');
	return arena_strdup(arena, label->str);
}

static void describe_macro(struct arena *arena, GString *out, const struct analysis *analysis, const char *name)
{
	struct macro_view macro;

	if (!find_macro(analysis, name, &macro))
		return;
	add_code(out, "systemtap", macro_label(arena, &macro, NULL));
	add_documentation(arena, out, macro.location);
}

/* ---- $variables and members -------------------------------------------------------------------------------------- */

static void describe_chain(struct arena *arena, GString *out, struct analysis *analysis, const struct tokens *tokens,
			   guint index)
{
	size_t begin = chain_begin(tokens, index + 1), end = token_end(tokens, index);
	const char *text = tokens->file->text + begin;
	const struct type *type = chain_type(analysis, analysis_definition(analysis, begin), text, end - begin);

	if (type)
		add_code(out, "c", arena_printf(arena, "%s %.*s", type->spelling, (int)(end - begin), text));
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static bool is_member(const struct tokens *tokens, guint index)
{
	return index && token_at(tokens, index)->kind == TOKEN_IDENTIFIER &&
	       token_is(token_at(tokens, index - 1), "->");
}

static void describe_token(struct document *document, GString *out, guint index)
{
	const struct tokens *tokens = document_tokens(document);
	const struct token *token = token_at(tokens, index);
	struct analysis *analysis = document_analysis(document);
	size_t offset = token_offset(tokens, index);
	const struct definition *definition = analysis_definition(analysis, offset);
	const struct name *name = analysis_name(analysis, offset);
	const struct probe_point *point;

	if (token->kind == TOKEN_TARGET || is_member(tokens, index)) {
		describe_chain(document->answers, out, analysis, tokens, index);
	} else if (token->kind == TOKEN_AT) {
		describe_macro(document->answers, out, analysis, token->text);
	} else if (is_in_points(tokens, token_end(tokens, index) - (token->kind == TOKEN_STRING))) {
		point = point_at(analysis, definition, offset);
		if (point)
			describe_point(document->answers, out, analysis, point);
	} else if (name && name->range.from == offset) {
		describe_name(document->answers, out, analysis, name);
	}
}

bool document_describe(struct document *document, size_t offset, struct description *ret)
{
	struct arena *arena = document_begin_query(document);
	const struct tokens *tokens = document_tokens(document);
	g_autoptr(GString) out = g_string_new(NULL);
	guint index;

	if (tokens_in_comment(tokens, offset) || !tokens_find(tokens, offset, &index))
		return false;
	describe_token(document, out, index);
	if (!out->len)
		return false;
	ret->text = arena_strndup(arena, out->str, out->len);
	ret->range = (struct range){token_offset(tokens, index), token_end(tokens, index)};
	return true;
}

/* ---- signatures -------------------------------------------------------------------------------------------------- */

/* Find the bracket that is open at the cursor and belongs to a call, and count the commas after it. */
static bool find_call(const struct cursor *cursor, guint *name, guint *argument)
{
	int level = 0;

	*argument = 0;
	for (guint i = tokens_from(cursor->tokens, cursor->offset); i-- > 0;) {
		const struct token *token = token_at(cursor->tokens, i);

		if (token_is(token, "{") || token_is(token, "}") || token_is(token, ";"))
			return false;
		level += token_is(token, ")") || token_is(token, "]");
		if (!level && token_is(token, ","))
			++*argument;
		if (!token_is(token, "(") && !token_is(token, "["))
			continue;
		if (level--)
			continue;
		*name = i - 1;
		return i && token_is(token, "(");
	}
	return false;
}

static const struct function_declaration *function_named(struct document *document, const char *text)
{
	struct translation *catalog = document_catalog(document);
	const GPtrArray *both[] = {catalog->scripts, catalog->library};

	for (size_t i = 0; i < G_N_ELEMENTS(both); i++)
		for_each_ptr(const struct script *, script, both[i])
			for_each_ptr(const struct function_declaration *, function, script->functions)
				if (!strcmp(function->name, text))
					return function;
	return NULL;
}

bool document_signature(struct document *document, size_t offset, struct signature *ret)
{
	struct arena *arena = document_begin_query(document);
	const struct function_declaration *function = NULL;
	const struct token *token;
	struct macro_view macro;
	struct cursor cursor;
	guint name;

	cursor_find(document_tokens(document), MIN(offset, document->text.bytes->len), &cursor);
	if (cursor.context == CURSOR_NOWHERE || !find_call(&cursor, &name, &ret->active))
		return false;
	token = token_at(cursor.tokens, name);
	ret->parameters = g_array_new(FALSE, FALSE, sizeof(struct range));
	arena_defer(arena, (GDestroyNotify)g_array_unref, ret->parameters);
	if (token->kind == TOKEN_IDENTIFIER)
		function = function_named(document, token->text);
	if (function) {
		ret->label = function_label(arena, function, ret->parameters);
		ret->documentation = documentation_at(arena, &function->location);
		return true;
	}
	if (token->kind != TOKEN_AT || !find_macro(document_some_analysis(document), token->text, &macro))
		return false;
	ret->label = macro_label(arena, &macro, ret->parameters);
	ret->documentation = documentation_at(arena, macro.location);
	return true;
}
