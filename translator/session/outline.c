// SPDX-License-Identifier: GPL-2.0-or-later
/* Queries about a whole document: its definitions, folds, colors, and notes to show inside of the text. */
#include "translator/session/internal.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/sema/sema.h"

/* ---- definitions ------------------------------------------------------------------------------------------------- */

/* Return the end of the last token before an offset that is not a keyword of the next definition. */
static size_t end_before(const struct tokens *tokens, size_t offset)
{
	guint i = tokens_from(tokens, offset);

	while (i && token_begins_definition(tokens, i - 1))
		i--;
	return i ? token_end(tokens, i - 1) : 0;
}

/* Return where a definition begins: at its keyword. */
static size_t begin_of(const struct tokens *tokens, const struct definition *definition)
{
	guint i = tokens_from(tokens, definition->name);

	if (definition->kind == SYMBOL_GLOBAL)
		return definition->name;
	while (i && token_begins_definition(tokens, i - 1))
		i--;
	return i < tokens->all->len ? MIN(token_offset(tokens, i), definition->name) : definition->name;
}

static void name_item(struct arena *arena, const struct definition *definition, struct outline_item *item)
{
	if (definition->probe)
		item->name = points_text(arena, definition->probe->points, false, SIZE_MAX);
	if (definition->alias)
		item->name = points_text(arena, definition->alias->names, false, SIZE_MAX);
	if (definition->function) {
		item->name = definition->function->name;
		item->detail = function_label(arena, definition->function, NULL);
	}
	if (definition->global) {
		item->name = definition->global->name;
		item->detail = symbol_type_text(arena, definition->global);
	}
}

static void add_item(struct document *document, const struct definition *definition, GPtrArray *ret)
{
	const struct tokens *tokens = document_tokens(document);
	struct outline_item *item = arena_new0(document->answers, struct outline_item);
	guint name = tokens_from(tokens, definition->name);

	item->kind = definition->kind;
	name_item(document->answers, definition, item);
	if (name >= tokens->all->len || !item->name)
		return;
	item->range.from = begin_of(tokens, definition);
	item->name_range = (struct range){definition->name, token_end(tokens, name)};
	/* Several globals share a declaration. */
	item->range.to = definition->global ? item->name_range.to
					    : MAX(end_before(tokens, definition->range.to), item->name_range.to);
	g_ptr_array_add(ret, item);
}

static gint compare_items(gconstpointer a, gconstpointer b)
{
	const struct outline_item *x = *(const struct outline_item *const *)a;
	const struct outline_item *y = *(const struct outline_item *const *)b;

	return compare_ranges(&x->range, &y->range);
}

/* Macros are known by their tokens only. */
static void add_macros(struct document *document, GPtrArray *ret)
{
	const struct tokens *tokens = document_tokens(document);

	for (guint i = 1; i < tokens->all->len; i++) {
		struct outline_item *item;

		if (!token_defines_macro(tokens, i))
			continue;
		item = arena_new0(document->answers, struct outline_item);
		item->kind = SYMBOL_MACRO;
		item->name = arena_strdup(document->answers, token_at(tokens, i)->text);
		item->name_range = (struct range){token_offset(tokens, i), token_end(tokens, i)};
		item->range = (struct range){token_offset(tokens, i - 1), item->name_range.to};
		g_ptr_array_add(ret, item);
	}
}

const GPtrArray *document_outline(struct document *document)
{
	struct arena *arena = document_begin_query(document);
	const struct analysis *analysis = document_analysis(document);
	GPtrArray *ret = arena_ptr_array(arena);

	for (guint i = 0; i < analysis->definitions->len; i++)
		add_item(document, &g_array_index(analysis->definitions, struct definition, i), ret);
	add_macros(document, ret);
	g_ptr_array_sort(ret, compare_items);
	return ret;
}

/* ---- folds ------------------------------------------------------------------------------------------------------- */

static void add_fold(const struct document *document, size_t from, size_t to, bool is_comment, GArray *ret)
{
	struct fold fold = {text_line(&document->text, from), text_line(&document->text, to), is_comment};

	if (fold.last > fold.first)
		g_array_append_val(ret, fold);
}

static void fold_brackets(struct document *document, GArray *ret)
{
	const struct tokens *tokens = document_tokens(document);
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < tokens->all->len; i++) {
		const struct token *token = token_at(tokens, i);

		if (token->kind == TOKEN_EMBEDDED)
			add_fold(document, token_offset(tokens, i), token_end(tokens, i), false, ret);
		if (token_is(token, "{") || token_is(token, "%("))
			g_array_append_val(open, i);
		if (!open->len || (!token_is(token, "}") && !token_is(token, "%)")))
			continue;
		add_fold(document, token_offset(tokens, g_array_index(open, guint, open->len - 1)),
			 token_offset(tokens, i), false, ret);
		g_array_set_size(open, open->len - 1);
	}
}

/* Comments of single lines that follow each other are one fold. */
static void fold_comments(struct document *document, GArray *ret)
{
	const struct tokens *tokens = document_tokens(document);
	size_t from = 0, to = 0;

	for (guint i = 0; i < tokens->comments->len; i++) {
		const struct comment *comment = &g_array_index(tokens->comments, struct comment, i);
		size_t begin = (size_t)(comment->source - tokens->file->text), end = begin + comment->length;
		size_t line = text_line(&document->text, begin);

		if (i && line <= text_line(&document->text, to) + 1 &&
		    tokens_from(tokens, to) == tokens_from(tokens, begin)) {
			to = end;
			continue;
		}
		if (i)
			add_fold(document, from, to, true, ret);
		from = begin;
		to = end;
	}
	if (tokens->comments->len)
		add_fold(document, from, to, true, ret);
}

static gint compare_folds(gconstpointer a, gconstpointer b)
{
	const struct fold *x = a, *y = b;

	return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
				    : (x->last > y->last) - (x->last < y->last);
}

static GArray *answer_array(struct document *document, guint size)
{
	GArray *array = g_array_new(FALSE, TRUE, size);

	arena_defer(document_begin_query(document), (GDestroyNotify)g_array_unref, array);
	return array;
}

const GArray *document_folds(struct document *document)
{
	GArray *ret = answer_array(document, sizeof(struct fold));

	fold_brackets(document, ret);
	fold_comments(document, ret);
	g_array_sort(ret, compare_folds);
	return ret;
}

/* ---- colors ------------------------------------------------------------------------------------------------------ */

static bool color_of_name(const struct name *name, struct colored *colored)
{
	static const enum token_color colors[NAME_KIND_COUNT_] = {
		[NAME_FUNCTION] = COLOR_FUNCTION, [NAME_GLOBAL] = COLOR_VARIABLE, [NAME_PARAMETER] = COLOR_PARAMETER,
		[NAME_LOCAL] = COLOR_VARIABLE,	  [NAME_ALIAS] = COLOR_EVENT,
	};

	colored->color = colors[name->kind];
	colored->is_declaration = name->is_declaration;
	colored->is_global = name->kind == NAME_GLOBAL;
	colored->is_of_library = name->declared.file && name->declared.file->is_tapset;
	return true;
}

static bool is_type_name(const struct tokens *tokens, guint index)
{
	const struct token *token = token_at(tokens, index);

	return index && token_is(token_at(tokens, index - 1), ":") &&
	       (!strcmp(token->text, "long") || !strcmp(token->text, "string"));
}

static bool color_identifier(const struct analysis *analysis, const struct tokens *tokens, guint index,
			     struct colored *colored)
{
	const struct name *name = analysis_name(analysis, colored->range.from);

	if (name && name->range.from == colored->range.from)
		return color_of_name(name, colored);
	if (index && token_is(token_at(tokens, index - 1), "->"))
		colored->color = COLOR_PROPERTY;
	else if (is_type_name(tokens, index))
		colored->color = COLOR_TYPE;
	else if (index + 1 < tokens->all->len && token_is(token_at(tokens, index + 1), "("))
		colored->color = COLOR_FUNCTION;
	else
		colored->color = COLOR_VARIABLE;
	return true;
}

static bool color_token(const struct analysis *analysis, const struct tokens *tokens, guint index,
			struct colored *colored)
{
	static const struct {
		enum token_kind kind;
		enum token_color color;
	} table[] = {
		{TOKEN_KEYWORD, COLOR_KEYWORD},	  {TOKEN_NUMBER, COLOR_NUMBER}, {TOKEN_STRING, COLOR_STRING},
		{TOKEN_TARGET, COLOR_VARIABLE},	  {TOKEN_AT, COLOR_MACRO},	{TOKEN_ARGUMENT, COLOR_MACRO},
		{TOKEN_OPERATOR, COLOR_OPERATOR},
	};
	enum token_kind kind = token_at(tokens, index)->kind;

	if (kind == TOKEN_IDENTIFIER)
		return color_identifier(analysis, tokens, index, colored);
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
		if (table[i].kind == kind) {
			colored->color = table[i].color;
			return true;
		}
	return false;
}

/* Add a range in pieces of a line each, as editors want it. */
static void add_lines(const struct document *document, struct colored colored, GArray *ret)
{
	struct range range = colored.range;

	for (size_t line = text_line(&document->text, range.from); range.from < range.to; line++) {
		colored.range = (struct range){range.from, MIN(range.to, text_line_end(&document->text, line))};
		if (colored.range.to > colored.range.from)
			g_array_append_val(ret, colored);
		range.from = text_line_begin(&document->text, line + 1);
		if (line + 1 >= document->text.lines->len)
			return;
	}
}

static bool is_c_keyword(const char *word)
{
	static const char *const words[] = {
		"break",  "case",   "char",	"const",  "continue", "default", "do",	     "double",
		"else",	  "enum",   "extern",	"float",  "for",      "goto",	 "if",	     "inline",
		"int",	  "long",   "register", "return", "short",    "signed",	 "sizeof",   "static",
		"struct", "switch", "typedef",	"union",  "unsigned", "void",	 "volatile", "while",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

/* The lexical grammar of C is near enough to ours: only its keywords differ, and "#" begins no comment. */
static bool color_c_token(const struct token *token, struct colored *colored)
{
	if (token->kind == TOKEN_STRING)
		colored->color = COLOR_STRING;
	else if (token->kind == TOKEN_NUMBER)
		colored->color = COLOR_NUMBER;
	else if (token->kind != TOKEN_IDENTIFIER && token->kind != TOKEN_KEYWORD)
		return false;
	else
		colored->color = is_c_keyword(token->text) ? COLOR_KEYWORD : COLOR_VARIABLE;
	return true;
}

static void add_shifted(const struct document *document, size_t shift, size_t from, size_t to, enum token_color color,
			GArray *ret)
{
	add_lines(document, (struct colored){.range = {shift + from, shift + to}, .color = color}, ret);
}

static void color_embedded(const struct document *document, struct range range, GArray *ret)
{
	size_t begin = range.from + 2, end = MAX(range.to, range.from + 4) - 2;
	struct tokens *code = tokens_new("<C>", document->text.bytes->str + begin, end - begin);

	add_shifted(document, 0, range.from, begin, COLOR_OPERATOR, ret);
	add_shifted(document, 0, end, range.to, COLOR_OPERATOR, ret);
	for (guint i = 0; i < code->all->len; i++) {
		struct colored colored;

		if (color_c_token(token_at(code, i), &colored))
			add_shifted(document, begin, token_offset(code, i), token_end(code, i), colored.color, ret);
	}
	for (guint i = 0; i < code->comments->len; i++) {
		const struct comment *comment = &g_array_index(code->comments, struct comment, i);
		size_t from = (size_t)(comment->source - code->file->text);

		add_shifted(document, begin, from, from + comment->length,
			    *comment->source == '#' ? COLOR_MACRO : COLOR_COMMENT, ret);
	}
	tokens_free(code);
}

const GArray *document_colors(struct document *document)
{
	const struct tokens *tokens = document_tokens(document);
	const struct analysis *analysis = document_analysis(document);
	GArray *ret = answer_array(document, sizeof(struct colored));

	for (guint i = 0; i < tokens->all->len; i++) {
		struct colored colored = {.range = {token_offset(tokens, i), token_end(tokens, i)}};

		if (token_at(tokens, i)->kind == TOKEN_EMBEDDED)
			color_embedded(document, colored.range, ret);
		else if (color_token(analysis, tokens, i, &colored))
			add_lines(document, colored, ret);
	}
	for (guint i = 0; i < tokens->comments->len; i++) {
		const struct comment *comment = &g_array_index(tokens->comments, struct comment, i);
		size_t begin = (size_t)(comment->source - tokens->file->text);

		add_lines(document, (struct colored){.range = {begin, begin + comment->length}, .color = COLOR_COMMENT},
			  ret);
	}
	g_array_sort(ret, compare_ranges);
	return ret;
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

static void add_inlay(struct arena *arena, size_t offset, bool is_type, const char *text, GPtrArray *ret)
{
	struct inlay *inlay = arena_new0(arena, struct inlay);

	*inlay = (struct inlay){offset, text, is_type};
	g_ptr_array_add(ret, inlay);
}

static const char *inlay_type(struct arena *arena, const struct analysis *analysis, const struct name *name)
{
	const struct definition *definition =
		&g_array_index(analysis->definitions, struct definition, name->definition);
	const struct symbol *symbol = name->symbol;
	const char *type;

	if (name->kind == NAME_LOCAL)
		local_type(analysis, definition, name->text, &symbol);
	type = symbol && (name->kind == NAME_LOCAL || name->kind == NAME_GLOBAL) ? symbol_type_text(arena, symbol)
										 : NULL;
	return type ? arena_printf(arena, ": %s", type) : NULL;
}

/* Return the index of the last token of the point that begins at a token. */
static guint last_of_point(const struct tokens *tokens, guint first)
{
	int level = 0;
	guint i = first;

	for (; i + 1 < tokens->all->len; i++) {
		const struct token *next = token_at(tokens, i + 1);

		level += token_is(token_at(tokens, i), "(") - token_is(token_at(tokens, i), ")");
		if (!level && (token_is(next, ",") || token_is(next, "{") || token_is(next, "if")))
			break;
	}
	return i;
}

/* Say how many places a point matches, if it is not obviously one. */
static void add_matches(struct document *document, const struct analysis *analysis, const struct probe *probe,
			GPtrArray *ret)
{
	const struct tokens *tokens = document_tokens(document);
	struct range range;

	for (guint i = 0; i < probe->points->len; i++) {
		const struct probe_point *point = g_ptr_array_index(probe->points, i);
		guint count = point_matches(analysis, point, NULL);
		guint first;

		if (count < 2 || !analysis_range(analysis, &point->location, &range))
			continue;
		first = tokens_from(tokens, range.from);
		if (first >= tokens->all->len)
			continue;
		add_inlay(document->answers, token_end(tokens, last_of_point(tokens, first)), false,
			  arena_printf(document->answers, ngettext("%u match", "%u matches", count), count), ret);
	}
}

static gint compare_inlays(gconstpointer a, gconstpointer b)
{
	const struct inlay *x = *(const struct inlay *const *)a, *y = *(const struct inlay *const *)b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

const GPtrArray *document_inlays(struct document *document)
{
	struct arena *arena = document_begin_query(document);
	const struct analysis *analysis = document_analysis(document);
	GPtrArray *ret = arena_ptr_array(arena);

	for (guint i = 0; i < analysis->names->len; i++) {
		const struct name *name = &g_array_index(analysis->names, struct name, i);
		const char *type = name->is_declaration ? inlay_type(arena, analysis, name) : NULL;

		if (type)
			add_inlay(arena, name->range.to, true, type, ret);
	}
	for (guint i = 0; i < analysis->definitions->len; i++) {
		const struct definition *definition = &g_array_index(analysis->definitions, struct definition, i);

		if (definition->probe)
			add_matches(document, analysis, definition->probe, ret);
	}
	g_ptr_array_sort(ret, compare_inlays);
	return ret;
}
