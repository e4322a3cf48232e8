// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find where a name is used: in its document, in other open documents, and in the files of tapsets.
 *
 * A name of another file means the same if it has the same kind, and its declaration is in the same file. An open
 * document is searched as it is in the editor; all other files of tapsets as the catalog has read them. Only files that
 * contain the text of the name are searched for names. Locals, parameters, and what a script declares for itself are
 * used in one document only.
 */
#include "translator/session/internal.h"

#include <string.h>

struct use_search {
	struct document *document;
	const char *text; /* without "@" */
	bool is_macro; /* otherwise, a name of the kind */
	enum name_kind kind;
	const char *declared_in; /* path of the file with the declaration; NULL: not known */
	bool with_declaration;
	GPtrArray *ret; /* of struct place * */
};

/* ---- one text ---------------------------------------------------------------------------------------------------- */

static void add_range(struct arena *arena, struct range range, GPtrArray *ret)
{
	struct range *copy = arena_new0(arena, struct range);

	*copy = range;
	g_ptr_array_add(ret, copy);
}

/* Return the ranges of a macro's name (struct range *), without the sign. */
static GPtrArray *macro_uses(struct arena *arena, const struct tokens *tokens, const char *name, bool with_declaration)
{
	GPtrArray *ret = arena_ptr_array(arena);

	for (guint i = 0; i < tokens->all->len; i++) {
		const char *macro = token_macro(tokens, i);
		bool uses = token_at(tokens, i)->kind == TOKEN_AT;

		if (macro && !strcmp(macro, name) && (uses || with_declaration))
			add_range(arena, (struct range){token_offset(tokens, i) + uses, token_end(tokens, i)}, ret);
	}
	return ret;
}

/* Do two names of a document mean the same? Locals and parameters are those of one definition. */
static bool is_same(const struct name *a, const struct name *b)
{
	if (a->kind != b->kind || a->kind == NAME_ALIAS || strcmp(a->text, b->text))
		return false;
	return (a->kind != NAME_LOCAL && a->kind != NAME_PARAMETER) || a->definition == b->definition;
}

const struct name *document_name(struct document *document, size_t offset)
{
	const struct name *name = analysis_name(document_analysis(document), offset);

	return name && name->kind != NAME_ALIAS ? name : NULL;
}

const char *document_macro(struct document *document, size_t offset)
{
	const struct tokens *tokens = document_tokens(document);
	guint index;

	return tokens_find(tokens, offset, &index) ? token_macro(tokens, index) : NULL;
}

/* Return the uses in the document itself (struct range *). */
static GPtrArray *uses_here(struct document *document, size_t offset, bool with_declaration)
{
	struct analysis *analysis = document_analysis(document);
	const struct name *name = document_name(document, offset);
	const char *macro = document_macro(document, offset);
	GPtrArray *ret;

	if (macro)
		return macro_uses(document->answers, document_tokens(document), macro, with_declaration);
	ret = arena_ptr_array(document->answers);
	for (guint i = 0; name && i < analysis->names->len; i++) {
		const struct name *other = &g_array_index(analysis->names, struct name, i);

		if (is_same(name, other) && (with_declaration || !other->is_declaration))
			add_range(document->answers, other->range, ret);
	}
	return ret;
}

const GPtrArray *document_highlights(struct document *document, size_t offset)
{
	document_begin_query(document);
	return uses_here(document, offset, true);
}

/* ---- other files ------------------------------------------------------------------------------------------------- */

static void add_places(struct use_search *search, const char *path, const struct text *text, const GPtrArray *ranges)
{
	struct arena *arena = search->document->answers;

	for_each_ptr(const struct range *, range, ranges) {
		struct place *place = arena_new0(arena, struct place);
		size_t line = text_line(text, range->from);

		*place = (struct place){
			.path = arena_strdup(arena, path),
			.line = (int)line + 1,
			.column = (int)(range->from - text_line_begin(text, line)) + 1,
			.length = (int)(range->to - range->from),
		};
		g_ptr_array_add(search->ret, place);
	}
}

static bool is_found(const struct use_search *search, const struct name *name)
{
	return name->kind == search->kind && !strcmp(name->text, search->text) && name->declared.file &&
	       !strcmp(name->declared.file->name, search->declared_in) &&
	       (search->with_declaration || !name->is_declaration);
}

static void search_names(struct use_search *search, const struct analysis *analysis)
{
	struct arena *arena = search->document->answers;
	GPtrArray *ranges = arena_ptr_array(arena);

	for (guint i = 0; i < analysis->names->len; i++) {
		const struct name *name = &g_array_index(analysis->names, struct name, i);

		if (is_found(search, name))
			add_range(arena, name->range, ranges);
	}
	add_places(search, analysis->source->name, &analysis->text, ranges);
}

static void search_tokens(struct use_search *search, const char *path, const struct tokens *tokens,
			  const struct text *text)
{
	guint index;

	/* A script's own macro hides that of the tapset. */
	if (strcmp(path, search->declared_in) != 0 && tokens_macro_definition(tokens, search->text, &index))
		return;
	add_places(search, path, text,
		   macro_uses(search->document->answers, tokens, search->text, search->with_declaration));
}

static bool contains(const char *text, size_t length, const char *name)
{
	return memmem(text, length, name, strlen(name));
}

static void search_open(struct use_search *search, struct document *document)
{
	const GString *bytes = document->text.bytes;

	if (document == search->document || !contains(bytes->str, bytes->len, search->text))
		return;
	if (search->is_macro)
		search_tokens(search, document->path, document_tokens(document), &document->text);
	else
		search_names(search, document_analysis(document));
}

static void release_library_analysis(void *data)
{
	struct analysis *analysis = data;

	text_clear(&analysis->text);
	g_array_unref(analysis->definitions);
	g_array_unref(analysis->names);
}

const struct analysis *library_analysis(struct document *document, const struct script *script)
{
	struct analysis *analysis = arena_new0(document->answers, struct analysis);

	analysis->t = *document_catalog(document);
	analysis->script = (struct script *)script;
	analysis->source = (struct source_file *)script->file;
	text_init(&analysis->text, script->file->text, script->file->length);
	analysis->definitions = g_array_new(FALSE, TRUE, sizeof(struct definition));
	analysis->names = g_array_new(FALSE, TRUE, sizeof(struct name));
	arena_defer(document->answers, release_library_analysis, analysis);
	find_names(analysis);
	return analysis;
}

static void search_macro_uses(struct use_search *search, const struct source_file *file)
{
	struct tokens *tokens = tokens_new(file->name, file->text, file->length);
	struct text text;

	text_init(&text, file->text, file->length);
	search_tokens(search, file->name, tokens, &text);
	text_clear(&text);
	tokens_free(tokens);
}

static const struct script *script_of(const struct translation *t, const struct source_file *file)
{
	for_each_ptr(const struct script *, script, t->library) {
		if (script->file == file)
			return script;
	}
	return NULL;
}

static void search_library_file(struct use_search *search, const struct translation *catalog,
				const struct source_file *file)
{
	const struct script *script = script_of(catalog, file);

	if (session_document(search->document->session, file->name) ||
	    !contains(file->text, file->length, search->text))
		return;
	if (search->is_macro)
		search_macro_uses(search, file);
	else if (script)
		search_names(search, library_analysis(search->document, script));
}

static void search_others(struct use_search *search)
{
	const struct translation *catalog = environment_catalog(document_environment(search->document));
	g_autoptr(GList) documents = g_hash_table_get_values(search->document->session->documents);

	for (const GList *link = documents; link; link = link->next)
		search_open(search, link->data);
	for_each_ptr(const struct library_file *, file, catalog->library_files)
		if (file->source)
			search_library_file(search, catalog, file->source);
}

/* Is it a file whose definitions other files can use? */
static bool is_shared(const struct document *document, const char *path)
{
	const struct translation *catalog;

	if (!path)
		return false;
	if (g_str_has_suffix(path, ".stpm"))
		return true;
	catalog = environment_catalog(document_environment((struct document *)document));
	for_each_ptr(const struct library_file *, file, catalog->library_files) {
		if (!strcmp(file->path, path))
			return true;
	}
	return false;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Fill in what to search for in other files. Return false if it is used only in its document. */
static bool begin_search(struct use_search *search, size_t offset)
{
	struct document *document = search->document;
	const struct name *name = document_name(document, offset);
	const char *macro = document_macro(document, offset);
	struct macro_view view;
	guint index;

	search->is_macro = macro;
	search->text = macro ?: name ? name->text : NULL;
	if (macro && tokens_macro_definition(document_tokens(document), macro, &index))
		search->declared_in = document->path;
	else if (macro && find_macro(document_analysis(document), macro, &view))
		search->declared_in = view.location->file->name;
	if (!macro && name && (name->kind == NAME_FUNCTION || name->kind == NAME_GLOBAL)) {
		search->kind = name->kind;
		search->declared_in = name->declared.file ? name->declared.file->name : NULL;
	}
	return is_shared(document, search->declared_in);
}

static gint compare_places(gconstpointer a, gconstpointer b)
{
	const struct place *x = *(const struct place *const *)a, *y = *(const struct place *const *)b;
	int by_path = strcmp(x->path, y->path);

	return by_path ?: x->line != y->line ? x->line - y->line : x->column - y->column;
}

const GPtrArray *document_references(struct document *document, size_t offset, bool with_declaration)
{
	struct use_search search = {
		.document = document,
		.with_declaration = with_declaration,
		.ret = arena_ptr_array(document_begin_query(document)),
	};

	add_places(&search, document->path, &document->text, uses_here(document, offset, with_declaration));
	if (begin_search(&search, offset))
		search_others(&search);
	g_ptr_array_sort(search.ret, compare_places);
	return search.ret;
}
