// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Completion: collect from the translator's lists what can be written at the cursor, rank the items that fit the word
 * there, and return the best.
 *
 * Names fit by their beginning, else by a word in them, else by any part of them.
 */
#include "translator/session/internal.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/lang/at_operators.h"
#include "translator/list.h"
#include "translator/probes/provider.h"
#include "translator/sema/sema.h"

/* ---- ranking ----------------------------------------------------------------------------------------------------- */

enum { FIT_BEGINNING, FIT_BEGINNING_OF_OTHER_CASE, FIT_WORD, FIT_INSIDE, FIT_WEIGHT = 100 };

static bool begins_word(const char *name, const char *at)
{
	return at == name || !g_ascii_isalnum(at[-1]);
}

int choice_fit(const struct choice *choice, const char *name)
{
	const char *word = choice->word, *at;
	size_t length = strlen(word);

	if (!strncmp(name, word, length))
		return FIT_BEGINNING;
	if (!g_ascii_strncasecmp(name, word, length))
		return FIT_BEGINNING_OF_OTHER_CASE;
	/* One character is in most names. */
	if (length < 2)
		return -1;
	for (at = strstr(name, word); at; at = strstr(at + 1, word))
		if (begins_word(name, at))
			return FIT_WORD;
	return strstr(name, word) ? FIT_INSIDE : -1;
}

static int compare_ranks(int rank, const char *label, const struct item *other)
{
	return rank != other->rank ? rank - other->rank : strcmp(label, other->label);
}

static gint compare_items(gconstpointer a, gconstpointer b)
{
	const struct item *x = *(const struct item *const *)a;

	return compare_ranks(x->rank, x->label, *(const struct item *const *)b);
}

/* Sort the items, and drop doubles and all but the best. */
static void keep_best(struct choice *choice)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	guint kept = 0;

	g_ptr_array_sort(choice->items, compare_items);
	for (guint i = 0; i < choice->items->len && kept < MOST_ITEMS + 1; i++) {
		struct item *item = g_ptr_array_index(choice->items, i);

		if (g_hash_table_add(seen, (void *)item->label))
			choice->items->pdata[kept++] = item;
	}
	choice->is_incomplete |= kept > MOST_ITEMS;
	g_ptr_array_set_size(choice->items, (gint)MIN(kept, MOST_ITEMS));
	if (kept >= MOST_ITEMS)
		choice->worst = g_ptr_array_index(choice->items, MOST_ITEMS - 1);
}

/* A kernel has 66,000 functions: sort them in portions, so that most are dropped by a single comparison. */
enum { PORTION = 4096 };

struct item *choice_add(struct choice *choice, enum item_kind kind, const char *label, int order)
{
	int fit = choice_fit(choice, label), rank = fit * FIT_WEIGHT + order;
	struct item *item;

	if (fit < 0)
		return NULL;
	if (choice->worst && compare_ranks(rank, label, choice->worst) > 0) {
		choice->is_incomplete = true;
		return NULL;
	}
	if (choice->items->len == PORTION)
		keep_best(choice);
	item = arena_new0(choice->arena, struct item);
	item->kind = kind;
	item->label = label;
	item->rank = rank;
	g_ptr_array_add(choice->items, item);
	return item;
}

/* ---- words of the language --------------------------------------------------------------------------------------- */

struct snippet {
	const char *label, *text, *what;
};

static const struct snippet top_snippets[] = {
	{"probe", "probe ${1:begin} {\n\t$0\n}", N_("a probe")},
	{"function", "function ${1:name}:${2:long} (${3}) {\n\treturn $0\n}", N_("a function")},
	{"global", "global ${1:name}", N_("a global variable")},
	{"private", "private ", N_("a definition for this file only")},
};

static const struct snippet code_snippets[] = {
	{"if", "if (${1:condition}) {\n\t$0\n}", N_("a condition")},
	{"else", "else", N_("the other branch")},
	{"while", "while (${1:condition}) {\n\t$0\n}", N_("a loop")},
	{"for", "for (${1:i} = 0; ${1:i} < ${2:n}; ${1:i}++) {\n\t$0\n}", N_("a loop")},
	{"foreach", "foreach (${1:key} in ${2:array}-) {\n\t$0\n}", N_("a loop over an array")},
	{"try", "try {\n\t$1\n} catch (${2:message}) {\n\t$0\n}", N_("handle run-time errors")},
	{"return", "return ", N_("return from a function")},
	{"next", "next", N_("leave the handler")},
	{"break", "break", N_("leave the loop")},
	{"continue", "continue", N_("go on with the next round of the loop")},
	{"delete", "delete ", N_("delete a variable or an array element")},
};

static void add_snippets(struct choice *choice, const struct snippet *snippets, size_t count, int order)
{
	for (size_t i = 0; i < count; i++) {
		struct item *item = choice_add(choice, ITEM_KEYWORD, snippets[i].label, order);

		if (!item)
			continue;
		item->insert = snippets[i].text;
		item->is_snippet = strchr(snippets[i].text, '$');
		item->kind = item->is_snippet ? ITEM_SNIPPET : ITEM_KEYWORD;
		item->detail = _(snippets[i].what);
	}
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* The order among items that fit equally well. */
enum { ORDER_LOCAL, ORDER_ALIAS, ORDER_GLOBAL, ORDER_FUNCTION, ORDER_KEYWORD, ORDER_LIBRARY, ORDER_LIBRARY_GLOBAL };

static void add_symbol(struct choice *choice, enum item_kind kind, const struct symbol *symbol, int order)
{
	struct item *item = choice_add(choice, kind, symbol->name, order);

	if (item)
		item->detail = symbol_type_text(choice->arena, symbol);
}

/* Is it the unfinished word at the cursor, which looks like a local? */
static bool is_unfinished(const struct analysis *analysis, const struct cursor *cursor, const struct symbol *local)
{
	struct range range;

	return analysis_range(analysis, &local->location, &range) && range.from == cursor->word.from;
}

/* Add the names of the definition around the cursor that are neither global nor called. */
static void add_locals(struct choice *choice, struct analysis *analysis, const struct cursor *cursor)
{
	const struct definition *definition = analysis_definition(analysis, cursor->word.from);
	guint number =
		definition ? (guint)(definition - &g_array_index(analysis->definitions, struct definition, 0)) : 0;

	for_each_ptr(const struct symbol *, parameter,
		     definition && definition->function ? definition->function->parameters : NULL)
		add_symbol(choice, ITEM_LOCAL, parameter, ORDER_LOCAL);
	for_each_ptr(const struct derived_probe *, probe, analysis->t.probes)
		if (definition && definition->probe && probe->origin == definition->probe)
			for_each_ptr(const struct symbol *, local, probe->locals)
				if (!local->is_helper && !is_unfinished(analysis, cursor, local))
					add_symbol(choice, ITEM_LOCAL, local, ORDER_LOCAL);
	/* Add the local variables of text that could not be analyzed. */
	for (guint i = 0; definition && i < analysis->names->len; i++) {
		const struct name *name = &g_array_index(analysis->names, struct name, i);

		if (name->kind == NAME_LOCAL && name->definition == number && name->is_declaration &&
		    name->range.from != cursor->word.from)
			choice_add(choice, ITEM_LOCAL, name->text, ORDER_LOCAL);
	}
}

struct alias_search {
	struct choice *choice;
	GHashTable *seen; /* set of names */
};

static void add_assigned(struct expr **expr, void *data)
{
	struct alias_search *search = data;
	const struct expr *left = (*expr)->kind == EXPR_ASSIGN ? (*expr)->left : NULL;

	if (left && left->kind == EXPR_SYMBOL && !g_str_has_prefix(left->text, "__") &&
	    g_hash_table_add(search->seen, (void *)left->text))
		choice_add(search->choice, ITEM_LOCAL, left->text, ORDER_ALIAS);
}

/* Add what the aliases of a probe set: the analysis has only those of the variables that the handler uses. */
static void add_alias_variables(struct document *document, struct choice *choice, const struct definition *definition)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	struct alias_search search = {choice, seen};

	for_each_ptr(const struct probe_point *, point,
		     definition && definition->probe ? definition->probe->points : NULL) {
		const struct alias *alias = alias_of_point(document_catalog(document), point);

		if (!alias)
			continue;
		statement_walk(alias->prologue, add_assigned, &search);
		statement_walk(alias->epilogue, add_assigned, &search);
	}
}

static bool is_public(const char *name, bool is_private)
{
	return !is_private && !g_str_has_prefix(name, "__");
}

static void add_function(struct choice *choice, const struct function_declaration *function, int order)
{
	struct item *item = choice_add(choice, ITEM_FUNCTION, function->name, order);

	if (!item)
		return;
	item->detail = function_label(choice->arena, function, NULL);
	item->insert = arena_printf(choice->arena, function->parameters->len ? "%s($1)" : "%s()", function->name);
	item->is_snippet = function->parameters->len > 0;
	item->documentation = documentation_at(choice->arena, &function->location);
}

static void add_script(struct choice *choice, const struct script *script, bool is_library)
{
	for_each_ptr(const struct symbol *, global, script->globals)
		if (!is_library || is_public(global->name, global->is_private))
			add_symbol(choice, ITEM_GLOBAL, global, is_library ? ORDER_LIBRARY_GLOBAL : ORDER_GLOBAL);
	for_each_ptr(const struct function_declaration *, function, script->functions)
		if (!is_library || is_public(function->name, function->is_private))
			add_function(choice, function, is_library ? ORDER_LIBRARY : ORDER_FUNCTION);
}

static void add_print_functions(struct choice *choice)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	print_function_names(names);
	for_each_ptr(const char *, name, names) {
		struct item *item = choice_add(choice, ITEM_FUNCTION, name, ORDER_LIBRARY);

		if (!item)
			continue;
		item->insert = arena_printf(choice->arena, "%s($1)", name);
		item->is_snippet = true;
	}
}

static void complete_code(struct document *document, const struct cursor *cursor, struct choice *choice)
{
	struct analysis *analysis = document_some_analysis(document);
	struct translation *catalog = environment_catalog(analysis->environment);

	add_locals(choice, analysis, cursor);
	add_alias_variables(document, choice, analysis_definition(analysis, cursor->word.from));
	if (analysis->script)
		add_script(choice, analysis->script, false);
	/* A mistake may hide definitions, so add those of the last text without one. */
	if (document->known && document->known != analysis && document->known->script)
		add_script(choice, document->known->script, false);
	add_snippets(choice, code_snippets, G_N_ELEMENTS(code_snippets), ORDER_KEYWORD);
	add_print_functions(choice);
	for_each_ptr(const struct script *, script, catalog->library)
		add_script(choice, script, true);
}

/* ---- "@" --------------------------------------------------------------------------------------------------------- */

static void add_operators(struct choice *choice)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	at_operator_names(names);
	for_each_ptr(const char *, name, names) {
		struct item *item = choice_add(choice, ITEM_OPERATOR, arena_printf(choice->arena, "@%s", name), 0);

		if (!item)
			continue;
		item->insert = arena_printf(choice->arena, "@%s($1)", name);
		item->is_snippet = true;
	}
}

static void add_macro(const struct macro_view *macro, void *data)
{
	struct choice *choice = data;
	struct item *item;

	if (!is_public(macro->name, false))
		return;
	item = choice_add(choice, ITEM_MACRO, arena_printf(choice->arena, "@%s", macro->name), 1);
	if (!item)
		return;
	item->documentation = documentation_at(choice->arena, macro->location);
	if (!macro->parameters)
		return;
	item->insert = arena_printf(choice->arena, "@%s($1)", macro->name);
	item->is_snippet = true;
}

static void complete_operators(struct document *document, struct choice *choice)
{
	struct analysis *analysis = document_some_analysis(document);

	add_operators(choice);
	language_visit_macros(&analysis->t.language, add_macro, choice);
}

/* ---- "$" and "->" ------------------------------------------------------------------------------------------------ */

static void complete_variables(struct document *document, const struct cursor *cursor, struct choice *choice)
{
	static const char *const groups[] = {"$$vars", "$$parms", "$$locals", "$$return"};
	struct analysis *analysis = document_analysis(document);
	struct derived_probe *probe = analysis_probe(analysis, analysis_definition(analysis, cursor->word.from));

	if (!probe || !probe->provider->target_variable)
		return;
	for_each_ptr(const struct listed_variable *, variable, listed_variables(&analysis->t, probe)) {
		struct item *item = *variable->name == '$' ? choice_add(choice, ITEM_TARGET, variable->name, 0) : NULL;

		if (item)
			item->detail = variable->type;
	}
	for (size_t i = 0; probe->function && i < G_N_ELEMENTS(groups); i++)
		choice_add(choice, ITEM_TARGET, groups[i], 1);
}

static struct type *structure_of(struct type *type)
{
	while (type && (type->kind == KIND_POINTER || type->kind == KIND_ARRAY))
		type = type->target;
	return type && (type->kind == KIND_STRUCT || type->kind == KIND_UNION) ? type : NULL;
}

/* Add the members, and those of structures and unions without names. */
static void add_members(struct choice *choice, struct type *type)
{
	const GPtrArray *members = NULL;

	error_free(debuginfo_members(type, &members));
	for_each_ptr(const struct member *, member, members) {
		struct item *item;

		if (!member->name) {
			if (structure_of(member->type))
				add_members(choice, member->type);
			continue;
		}
		item = choice_add(choice, ITEM_MEMBER, member->name, (int)MIN(choice->items->len, FIT_WEIGHT - 1));
		if (item)
			item->detail = member->type->spelling;
	}
}

static void complete_members(struct document *document, const struct cursor *cursor, struct choice *choice)
{
	struct analysis *analysis = document_analysis(document);
	size_t begin = chain_begin(cursor->tokens, cursor->next - 1),
	       end = token_offset(cursor->tokens, cursor->next - 1);
	const struct definition *definition = analysis_definition(analysis, begin);
	struct type *type =
		structure_of(chain_type(analysis, definition, cursor->tokens->file->text + begin, end - begin));

	if (type)
		add_members(choice, type);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void complete_word(struct document *document, const struct cursor *cursor, struct choice *choice)
{
	if (*choice->word == '$')
		complete_variables(document, cursor, choice);
	else if (*choice->word == '@')
		complete_operators(document, choice);
	else
		complete_code(document, cursor, choice);
}

void document_complete(struct document *document, size_t offset, struct completion *ret)
{
	struct arena *arena = document_begin_query(document);
	struct choice choice = {.arena = arena, .items = arena_ptr_array(arena)};
	struct cursor cursor;

	cursor_find(document_tokens(document), MIN(offset, document->text.bytes->len), &cursor);
	*ret = (struct completion){.replaced = cursor.word};
	choice.word =
		arena_strndup(arena, document->text.bytes->str + cursor.word.from, cursor.offset - cursor.word.from);
	switch (cursor.context) {
	case CURSOR_TOP:
		add_snippets(&choice, top_snippets, G_N_ELEMENTS(top_snippets), 0);
		break;
	case CURSOR_POINT:
		complete_component(document, &cursor, &choice);
		break;
	case CURSOR_ARGUMENT:
		complete_argument(document, &cursor, &choice, &ret->replaced);
		break;
	case CURSOR_MEMBER:
		complete_members(document, &cursor, &choice);
		break;
	case CURSOR_CODE:
		complete_word(document, &cursor, &choice);
		break;
	case CURSOR_STRING:
	case CURSOR_NOWHERE:
		break;
	}
	keep_best(&choice);
	ret->items = choice.items;
	ret->is_incomplete = choice.is_incomplete;
}
