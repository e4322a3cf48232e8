// SPDX-License-Identifier: GPL-2.0-or-later
/* The requests about documents: each is a query of the session, whose answer becomes JSON. */
#include "translator/lsp/server.h"

#include <string.h>

#include "common/base/i18n.h"

static JsonNode *null(void)
{
	return json_node_new(JSON_NODE_NULL);
}

static JsonBuilder *begin_array(void)
{
	JsonBuilder *b = json_builder_new_immutable();

	json_builder_begin_array(b);
	return b;
}

static JsonNode *finish_array(JsonBuilder *b)
{
	JsonNode *node;

	json_builder_end_array(b);
	node = json_builder_get_root(b);
	g_object_unref(b);
	return node;
}

static JsonBuilder *begin_object(void)
{
	JsonBuilder *b = json_builder_new_immutable();

	json_builder_begin_object(b);
	return b;
}

static void put_markdown(JsonBuilder *b, const char *name, const char *text)
{
	if (!text)
		return;
	json_builder_set_member_name(b, name);
	json_builder_begin_object(b);
	put_text(b, "kind", "markdown");
	put_text(b, "value", text);
	json_builder_end_object(b);
}

static void put_edit(const struct request *request, JsonBuilder *b, const struct edit *edit)
{
	json_builder_begin_object(b);
	put_range(request->server, b, "range", request->opened->document, edit->range);
	put_text(b, "newText", edit->text);
	json_builder_end_object(b);
}

/* ---- completion -------------------------------------------------------------------------------------------------- */

/* The kinds of the protocol. */
static const int item_kinds[ITEM_KIND_COUNT_] = {
	[ITEM_KEYWORD] = 14, [ITEM_SNIPPET] = 15,	 [ITEM_FUNCTION] = 3,  [ITEM_LOCAL] = 6,  [ITEM_GLOBAL] = 6,
	[ITEM_TARGET] = 6,   [ITEM_MEMBER] = 5,		 [ITEM_OPERATOR] = 24, [ITEM_MACRO] = 21, [ITEM_POINT] = 23,
	[ITEM_FILE] = 17,    [ITEM_KERNEL_FUNCTION] = 3, [ITEM_MODULE] = 9,
};

/* Return a snippet as plain text: up to its first place to fill in. */
static char *plain_text(const char *snippet)
{
	return g_strndup(snippet, strcspn(snippet, "$\n"));
}

static void put_item(const struct request *request, JsonBuilder *b, const struct item *item, struct range replaced,
		     guint number)
{
	bool is_snippet = item->is_snippet && request->server->has_snippets;
	g_autofree char *plain = item->is_snippet && !is_snippet ? plain_text(item->insert) : NULL;
	g_autofree char *order = g_strdup_printf("%03u", number);

	json_builder_begin_object(b);
	put_text(b, "label", item->label);
	put_number(b, "kind", item_kinds[item->kind]);
	put_text(b, "detail", item->detail);
	put_markdown(b, "documentation", item->documentation);
	put_text(b, "sortText", order);
	/* Editors filter by what is replaced, which may begin with "$" or "@". */
	put_text(b, "filterText", item->label);
	if (is_snippet)
		put_number(b, "insertTextFormat", 2);
	json_builder_set_member_name(b, "textEdit");
	put_edit(request, b, &(struct edit){replaced, plain ?: item->insert ?: item->label});
	json_builder_end_object(b);
}

static JsonNode *handle_completion(struct request *request)
{
	JsonBuilder *b = begin_object();
	struct completion completion;

	document_complete(request->opened->document, request->offset, &completion);
	put_flag(b, "isIncomplete", completion.is_incomplete);
	json_builder_set_member_name(b, "items");
	json_builder_begin_array(b);
	for (guint i = 0; i < completion.items->len; i++)
		put_item(request, b, g_ptr_array_index(completion.items, i), completion.replaced, i);
	json_builder_end_array(b);
	return rpc_end(b);
}

/* ---- descriptions ------------------------------------------------------------------------------------------------ */

static JsonNode *handle_hover(struct request *request)
{
	struct description description;
	JsonBuilder *b;

	if (!document_describe(request->opened->document, request->offset, &description))
		return null();
	b = begin_object();
	put_markdown(b, "contents", description.text);
	put_range(request->server, b, "range", request->opened->document, description.range);
	return rpc_end(b);
}

/* Offsets in a label are counted in the client's units; labels are ASCII. */
static void put_parameters(JsonBuilder *b, const GArray *parameters)
{
	json_builder_set_member_name(b, "parameters");
	json_builder_begin_array(b);
	for (guint i = 0; i < parameters->len; i++) {
		const struct range *range = &g_array_index(parameters, struct range, i);

		json_builder_begin_object(b);
		json_builder_set_member_name(b, "label");
		json_builder_begin_array(b);
		json_builder_add_int_value(b, (gint64)range->from);
		json_builder_add_int_value(b, (gint64)range->to);
		json_builder_end_array(b);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static JsonNode *handle_signature(struct request *request)
{
	struct signature signature;
	JsonBuilder *b;

	if (!document_signature(request->opened->document, request->offset, &signature))
		return null();
	b = begin_object();
	json_builder_set_member_name(b, "signatures");
	json_builder_begin_array(b);
	json_builder_begin_object(b);
	put_text(b, "label", signature.label);
	put_markdown(b, "documentation", signature.documentation);
	put_parameters(b, signature.parameters);
	json_builder_end_object(b);
	json_builder_end_array(b);
	put_number(b, "activeSignature", 0);
	put_number(b, "activeParameter", signature.active);
	return rpc_end(b);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static JsonNode *places_node(const struct request *request, const GPtrArray *places)
{
	JsonBuilder *b = begin_array();

	for_each_ptr(const struct place *, place, places) {
		json_builder_begin_object(b);
		put_location(request->server, b, place);
		json_builder_end_object(b);
	}
	return finish_array(b);
}

static JsonNode *handle_definition(struct request *request)
{
	return places_node(request, document_definition(request->opened->document, request->offset));
}

static JsonNode *handle_references(struct request *request)
{
	bool with_declaration = member_flag(member_object(request->params, "context"), "includeDeclaration");

	return places_node(request, document_references(request->opened->document, request->offset, with_declaration));
}

static JsonNode *handle_highlight(struct request *request)
{
	const GPtrArray *ranges = document_highlights(request->opened->document, request->offset);
	JsonBuilder *b = begin_array();

	for_each_ptr(const struct range *, range, ranges) {
		json_builder_begin_object(b);
		put_range(request->server, b, "range", request->opened->document, *range);
		json_builder_end_object(b);
	}
	return finish_array(b);
}

static JsonNode *fail(struct request *request, struct error *error)
{
	request->error = g_strdup(error->message);
	error_free(error);
	return NULL;
}

static JsonNode *handle_prepare_rename(struct request *request)
{
	struct range range;
	struct error *error = document_prepare_rename(request->opened->document, request->offset, &range);
	g_autofree char *name = NULL;
	JsonBuilder *b;

	if (error)
		return fail(request, error);
	b = begin_object();
	put_range(request->server, b, "range", request->opened->document, range);
	name = g_strndup(document_text(request->opened->document)->bytes->str + range.from, range.to - range.from);
	put_text(b, "placeholder", name);
	return rpc_end(b);
}

/* Add {"changes": {uri: [edits]}}. */
static void put_changes(const struct request *request, JsonBuilder *b, const GPtrArray *edits)
{
	json_builder_set_member_name(b, "changes");
	json_builder_begin_object(b);
	json_builder_set_member_name(b, request->opened->uri);
	json_builder_begin_array(b);
	for_each_ptr(const struct edit *, edit, edits)
		put_edit(request, b, edit);
	json_builder_end_array(b);
	json_builder_end_object(b);
}

/* Add {"changes": {uri: [edits]}} that replaces places, which are sorted by file. */
static void put_replacements(const struct request *request, JsonBuilder *b, const GPtrArray *places, const char *text)
{
	const char *last = NULL;

	json_builder_set_member_name(b, "changes");
	json_builder_begin_object(b);
	for_each_ptr(const struct place *, place, places) {
		if (!last || strcmp(last, place->path) != 0) {
			g_autofree char *uri = uri_of_path(request->server, place->path);

			if (last)
				json_builder_end_array(b);
			json_builder_set_member_name(b, uri);
			json_builder_begin_array(b);
		}
		last = place->path;
		json_builder_begin_object(b);
		put_place(request->server, b, place);
		put_text(b, "newText", text);
		json_builder_end_object(b);
	}
	if (last)
		json_builder_end_array(b);
	json_builder_end_object(b);
}

static JsonNode *handle_rename(struct request *request)
{
	const char *name = member_text(request->params, "newName") ?: "";
	const GPtrArray *places;
	struct error *error = document_rename(request->opened->document, request->offset, name, &places);
	JsonBuilder *b;

	if (error)
		return fail(request, error);
	b = begin_object();
	put_replacements(request, b, places, name);
	return rpc_end(b);
}

/* ---- the document as a whole ------------------------------------------------------------------------------------- */

static JsonNode *handle_symbols(struct request *request)
{
	static const int kinds[] = {
		[SYMBOL_PROBE] = 24,  [SYMBOL_ALIAS] = 11, [SYMBOL_FUNCTION] = 12,
		[SYMBOL_GLOBAL] = 13, [SYMBOL_MACRO] = 14,
	};
	const struct document *document = request->opened->document;
	JsonBuilder *b = begin_array();

	for_each_ptr(const struct outline_item *, item, document_outline(request->opened->document)) {
		json_builder_begin_object(b);
		put_text(b, "name", item->name);
		put_text(b, "detail", item->detail);
		put_number(b, "kind", kinds[item->kind]);
		put_range(request->server, b, "range", document, item->range);
		put_range(request->server, b, "selectionRange", document, item->name_range);
		json_builder_end_object(b);
	}
	return finish_array(b);
}

static JsonNode *handle_folds(struct request *request)
{
	const GArray *folds = document_folds(request->opened->document);
	JsonBuilder *b = begin_array();

	for (guint i = 0; i < folds->len; i++) {
		const struct fold *fold = &g_array_index(folds, struct fold, i);

		json_builder_begin_object(b);
		put_number(b, "startLine", (gint64)fold->first);
		put_number(b, "endLine", (gint64)fold->last);
		if (fold->is_comment)
			put_text(b, "kind", "comment");
		json_builder_end_object(b);
	}
	return finish_array(b);
}

static const char *const modifiers[] = {"declaration", "static", "defaultLibrary"};

static int modifiers_of(const struct colored *colored)
{
	return colored->is_declaration | colored->is_global << 1 | colored->is_of_library << 2;
}

/* Each token is five numbers, relative to the token before. */
static JsonNode *handle_semantic_tokens(struct request *request)
{
	struct document *document = request->opened->document;
	const GArray *colors = document_colors(document);
	enum encoding encoding = request->server->encoding;
	struct position last = {0};
	JsonBuilder *b = begin_object();

	json_builder_set_member_name(b, "data");
	json_builder_begin_array(b);
	for (guint i = 0; i < colors->len; i++) {
		const struct colored *colored = &g_array_index(colors, struct colored, i);
		struct position at = text_position(document_text(document), colored->range.from, encoding);
		struct position end = text_position(document_text(document), colored->range.to, encoding);
		bool same_line = at.line == last.line;
		gint64 numbers[] = {at.line - last.line, at.character - (same_line ? last.character : 0),
				    end.character - at.character, colored->color, modifiers_of(colored)};

		for (size_t n = 0; n < G_N_ELEMENTS(numbers); n++)
			json_builder_add_int_value(b, numbers[n]);
		last = at;
	}
	json_builder_end_array(b);
	return rpc_end(b);
}

static JsonNode *handle_inlays(struct request *request)
{
	struct document *document = request->opened->document;
	struct range range = read_range(request->server, document, member_object(request->params, "range"));
	JsonBuilder *b = begin_array();

	for_each_ptr(const struct inlay *, inlay, document_inlays(document)) {
		struct position at = text_position(document_text(document), inlay->offset, request->server->encoding);

		if (inlay->offset < range.from || inlay->offset > range.to)
			continue;
		json_builder_begin_object(b);
		json_builder_set_member_name(b, "position");
		json_builder_begin_object(b);
		put_number(b, "line", at.line);
		put_number(b, "character", at.character);
		json_builder_end_object(b);
		put_text(b, "label", inlay->text);
		if (inlay->is_type)
			put_number(b, "kind", 1);
		else
			put_flag(b, "paddingLeft", true);
		json_builder_end_object(b);
	}
	return finish_array(b);
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

/* Return an edit of the lines that differ; the lines around them stay as they are, with what the editor has there. */
static struct edit smallest_edit(const struct text *text, const GString *formatted, char **with)
{
	const GString *old = text->bytes;
	size_t before = 0, after = 0, most = MIN(old->len, formatted->len);

	while (before < most && old->str[before] == formatted->str[before])
		before++;
	while (before && old->str[before - 1] != '\n')
		before--;
	while (after < most - before && old->str[old->len - 1 - after] == formatted->str[formatted->len - 1 - after])
		after++;
	while (after && old->str[old->len - 1 - after] != '\n')
		after--;
	*with = g_strndup(formatted->str + before, formatted->len - before - after);
	return (struct edit){{before, old->len - after}, *with};
}

static JsonNode *handle_formatting(struct request *request)
{
	JsonObject *options = member_object(request->params, "options");
	struct format_style style = {
		.tab_size = (int)CLAMP(member_number(options, "tabSize", 8), 1, 16),
		.with_spaces = member_flag(options, "insertSpaces"),
	};
	GString *formatted = document_format(request->opened->document, &style);
	const struct text *text = document_text(request->opened->document);
	g_autofree char *with = NULL;
	JsonBuilder *b;

	if (!formatted) {
		request->error = g_strdup(_("a script with errors cannot be formatted"));
		return NULL;
	}
	b = begin_array();
	if (!g_string_equal(formatted, text->bytes)) {
		struct edit edit = smallest_edit(text, formatted, &with);

		put_edit(request, b, &edit);
	}
	g_string_free(formatted, TRUE);
	return finish_array(b);
}

static void put_action(const struct request *request, JsonBuilder *b, const struct problem *problem,
		       const struct fix *fix, bool is_best)
{
	g_autoptr(GPtrArray) edits = g_ptr_array_new();

	g_ptr_array_add(edits, (void *)&fix->edit);
	json_builder_begin_object(b);
	put_text(b, "title", fix->title);
	put_text(b, "kind", "quickfix");
	put_flag(b, "isPreferred", is_best);
	json_builder_set_member_name(b, "diagnostics");
	json_builder_begin_array(b);
	put_problem(request->server, b, request->opened->document, problem);
	json_builder_end_array(b);
	json_builder_set_member_name(b, "edit");
	json_builder_begin_object(b);
	put_changes(request, b, edits);
	json_builder_end_object(b);
	json_builder_end_object(b);
}

static JsonNode *handle_actions(struct request *request)
{
	struct document *document = request->opened->document;
	struct range range = read_range(request->server, document, member_object(request->params, "range"));
	JsonBuilder *b = begin_array();

	for_each_ptr(const struct problem *, problem, document_problems(document)) {
		if (problem->range.from > range.to || problem->range.to < range.from)
			continue;
		for (guint i = 0; i < problem->fixes->len; i++)
			put_action(request, b, problem, g_ptr_array_index(problem->fixes, i), i == 0);
	}
	return finish_array(b);
}

/* Problems for clients that ask for them instead of waiting. */
static JsonNode *handle_diagnostics(struct request *request)
{
	JsonBuilder *b = begin_object();

	put_text(b, "kind", "full");
	json_builder_set_member_name(b, "items");
	json_builder_begin_array(b);
	for_each_ptr(const struct problem *, problem, document_problems(request->opened->document))
		put_problem(request->server, b, request->opened->document, problem);
	json_builder_end_array(b);
	return rpc_end(b);
}

/* ---- lenses ------------------------------------------------------------------------------------------------------ */

/* What a client can do with a script. It has these commands itself: the server runs nothing. */
static const struct {
	const char *command, *title;
} lenses[] = {
	{"spile.runInGuest", N_("Run in guest")},
	{"spile.showReport", N_("Show report")},
};

/* The arguments of a command: the script, and its options, since the command line of a run needs them, too. */
static void put_lens_arguments(const struct request *request, JsonBuilder *b)
{
	json_builder_set_member_name(b, "arguments");
	json_builder_begin_array(b);
	json_builder_add_string_value(b, request->opened->uri);
	json_builder_begin_array(b);
	for_each_ptr(const char *, word, document_options(request->opened->document)) {
		g_autofree char *valid = g_utf8_make_valid(word, -1);

		json_builder_add_string_value(b, valid);
	}
	json_builder_end_array(b);
	json_builder_end_array(b);
}

static void put_lens(const struct request *request, JsonBuilder *b, struct range range, size_t number)
{
	json_builder_begin_object(b);
	put_range(request->server, b, "range", request->opened->document, range);
	json_builder_set_member_name(b, "command");
	json_builder_begin_object(b);
	put_text(b, "title", _(lenses[number].title));
	put_text(b, "command", lenses[number].command);
	put_lens_arguments(request, b);
	json_builder_end_object(b);
	json_builder_end_object(b);
}

/* Find the first probe. Return false if there is none. */
static bool first_probe(struct document *document, struct range *ret)
{
	for_each_ptr(const struct outline_item *, item, document_outline(document)) {
		if (item->kind != SYMBOL_PROBE)
			continue;
		*ret = item->name_range;
		return true;
	}
	return false;
}

/* The lenses are at the first probe. */
static JsonNode *handle_lenses(struct request *request)
{
	JsonBuilder *b = begin_array();
	struct range range;

	for (size_t i = 0; first_probe(request->opened->document, &range) && i < G_N_ELEMENTS(lenses); i++)
		put_lens(request, b, range, i);
	return finish_array(b);
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static const struct method methods[] = {
	{"textDocument/codeAction", handle_actions},
	{"textDocument/codeLens", handle_lenses},
	{"textDocument/completion", handle_completion},
	{"textDocument/definition", handle_definition},
	{"textDocument/diagnostic", handle_diagnostics},
	{"textDocument/documentHighlight", handle_highlight},
	{"textDocument/documentSymbol", handle_symbols},
	{"textDocument/foldingRange", handle_folds},
	{"textDocument/formatting", handle_formatting},
	{"textDocument/hover", handle_hover},
	{"textDocument/inlayHint", handle_inlays},
	{"textDocument/prepareRename", handle_prepare_rename},
	{"textDocument/references", handle_references},
	{"textDocument/rename", handle_rename},
	{"textDocument/semanticTokens/full", handle_semantic_tokens},
	{"textDocument/signatureHelp", handle_signature},
};

const struct method *method_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(methods); i++)
		if (!strcmp(methods[i].name, name))
			return &methods[i];
	return NULL;
}

static void put_words(JsonBuilder *b, const char *name, const char *const *words, size_t count)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_array(b);
	for (size_t i = 0; i < count; i++)
		json_builder_add_string_value(b, words[i]);
	json_builder_end_array(b);
}

static void put_legend(JsonBuilder *b)
{
#define COLOR_TEXT(name, text) text,
	static const char *const types[] = {TOKEN_COLORS(COLOR_TEXT)};
#undef COLOR_TEXT

	json_builder_set_member_name(b, "semanticTokensProvider");
	json_builder_begin_object(b);
	json_builder_set_member_name(b, "legend");
	json_builder_begin_object(b);
	put_words(b, "tokenTypes", types, G_N_ELEMENTS(types));
	put_words(b, "tokenModifiers", modifiers, G_N_ELEMENTS(modifiers));
	json_builder_end_object(b);
	put_flag(b, "full", true);
	json_builder_end_object(b);
}

static void put_options(JsonBuilder *b, const char *name)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_object(b);
}

void put_capabilities(const struct server *server, JsonBuilder *b)
{
	static const char *const completes[] = {".", "\"", "$", "@", ">", ":", "/"}, *const signs[] = {"(", ","};
	static const char *const kinds[] = {"quickfix"};
	static const char *const plain[] = {
		"hoverProvider",
		"definitionProvider",
		"referencesProvider",
		"documentHighlightProvider",
		"documentSymbolProvider",
		"foldingRangeProvider",
		"documentFormattingProvider",
		"inlayHintProvider",
	};

	put_options(b, "capabilities");
	put_text(b, "positionEncoding", server->encoding == ENCODING_UTF8 ? "utf-8" : "utf-16");
	put_options(b, "textDocumentSync");
	put_flag(b, "openClose", true);
	put_number(b, "change", 2);
	put_flag(b, "save", true);
	json_builder_end_object(b);
	put_options(b, "completionProvider");
	put_words(b, "triggerCharacters", completes, G_N_ELEMENTS(completes));
	json_builder_end_object(b);
	put_options(b, "signatureHelpProvider");
	put_words(b, "triggerCharacters", signs, G_N_ELEMENTS(signs));
	json_builder_end_object(b);
	put_options(b, "renameProvider");
	put_flag(b, "prepareProvider", true);
	json_builder_end_object(b);
	if (server->has_lenses) {
		put_options(b, "codeLensProvider");
		json_builder_end_object(b);
	}
	if (server->pulls) {
		put_options(b, "diagnosticProvider");
		put_flag(b, "interFileDependencies", true);
		put_flag(b, "workspaceDiagnostics", false);
		json_builder_end_object(b);
	}
	put_options(b, "codeActionProvider");
	put_words(b, "codeActionKinds", kinds, G_N_ELEMENTS(kinds));
	json_builder_end_object(b);
	for (size_t i = 0; i < G_N_ELEMENTS(plain); i++)
		put_flag(b, plain[i], true);
	put_legend(b);
	json_builder_end_object(b);
}
