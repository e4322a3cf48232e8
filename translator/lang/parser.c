// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parser: turn tokens into a syntax tree, by recursive descent.
 *
 * Input: the tokens of the preprocessor. Output: a struct script, or NULL after diagnostics. Each function has the name
 * of its grammar rule. This file has the functions that all rules share, and the top level: probes, aliases, functions,
 * globals and embedded C. Points, statements, expressions and the print family are in parse_*.c.
 *
 * After an error, a rule returns NULL; statements and top-level definitions skip to the beginning of the next one. At
 * most one error is reported per token, and MOST_PARSE_ERRORS per file. When the parser gives up, the current token
 * becomes the end of the file, at which every loop stops.
 */
#include "translator/lang/parser.h"

#include <string.h>

#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/lang/annotations.h"
#include "translator/lang/foreign_words.h"
#include "translator/lang/operators.h"
#include "translator/lang/preprocessor.h"

/* Tokens */

const struct token *peek_ahead(const struct parser *p, size_t distance)
{
	const struct token *token = p->tokens + p->position;

	if (p->give_up)
		return p->end;
	while (distance-- && token->kind != TOKEN_END)
		token++;
	return token;
}

const struct token *peek(const struct parser *p)
{
	return peek_ahead(p, 0);
}

const struct token *previous_token(const struct parser *p)
{
	return p->tokens + (p->position ? p->position - 1 : 0);
}

const struct token *advance_token(struct parser *p)
{
	const struct token *token = peek(p);

	if (token->kind != TOKEN_END)
		p->position++;
	return token;
}

bool at(const struct parser *p, const char *text)
{
	return token_is(peek(p), text);
}

bool at_kind(const struct parser *p, enum token_kind kind)
{
	return peek(p)->kind == kind;
}

bool accept(struct parser *p, const char *text)
{
	if (!at(p, text))
		return false;
	advance_token(p);
	return true;
}

static const struct location *outermost(const struct location *at)
{
	while (at->expanded_from)
		at = at->expanded_from;
	return at;
}

/* Tokens of a macro's expansion are on the line of its use. */
bool same_line(const struct token *a, const struct token *b)
{
	const struct location *first = &a->location, *second = &b->location;

	if (first->expanded_from != second->expanded_from) {
		first = outermost(first);
		second = outermost(second);
	}
	return first->file == second->file && first->line == second->line;
}

bool adjacent(const struct token *before, const struct token *token)
{
	return before->source && before->source + before->location.length == token->source;
}

size_t matching_bracket(const struct parser *p, size_t opening)
{
	size_t i = opening;
	int level = 0;

	for (; p->tokens[i].kind != TOKEN_END; i++) {
		const struct token *t = &p->tokens[i];

		level += token_is(t, "(") || token_is(t, "[") || token_is(t, "{");
		level -= token_is(t, ")") || token_is(t, "]") || token_is(t, "}");
		if (level <= 0)
			break;
	}
	return i;
}

/* Diagnostics */

bool parse_error(struct parser *p, const struct token *token, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	p->reported = false;
	if (p->give_up || token == p->last_error)
		return false;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (p->errors++ >= MOST_PARSE_ERRORS) {
		diagnose(p->context->diagnostics, PARSE_ERROR, &token->location,
			 _("more than %d errors; the rest of the file is not checked"), MOST_PARSE_ERRORS);
		p->give_up = true;
		return false;
	}
	diagnose(p->context->diagnostics, PARSE_ERROR, &token->location, "%s", text);
	p->last_error = token;
	p->reported = true;
	return true;
}

void parse_warning(struct parser *p, const struct location *location, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	p->reported = !p->give_up;
	if (p->reported)
		diagnose(p->context->diagnostics, WARNING, location, "%s", text);
}

const char *nearest_word(const struct parser *p, const char *word, const GPtrArray *candidates)
{
	const GPtrArray *near = nearest_matches(p->arena, word, candidates, NULL, 1);

	return near ? g_ptr_array_index(near, 0) : NULL;
}

void hint_near(struct parser *p, const char *name)
{
	parse_hint(p, _("did you mean '%s'?"), name);
	if (p->reported)
		diagnose_names(p->context->diagnostics, names_one(p->arena, name));
}

/* Add a hint for tokens of other languages at this place. */
static void explain_token(struct parser *p, const struct token *token)
{
	const struct token *before = previous_token(p);

	if (token->kind == TOKEN_OPERATOR && g_str_has_prefix(token->text, "%") && strlen(token->text) == 2)
		parse_hint(p, _("'%s' belongs to the preprocessor; put a space after '%%' to divide"), token->text);
	else if (token->kind == TOKEN_IDENTIFIER && before->kind == TOKEN_IDENTIFIER && foreign_word_hint(before->text))
		parse_hint(p, "%s", foreign_word_hint(before->text));
	else if (token_is(token, ":") && before > p->tokens && foreign_word_hint(before[-1].text ?: ""))
		parse_hint(p, "%s", foreign_word_hint(before[-1].text));
}

bool expected(struct parser *p, const char *what)
{
	const struct token *token = peek(p);

	/* After reported text, do not report what is missing, too. */
	if (token->kind == TOKEN_BAD || previous_token(p)->kind == TOKEN_BAD) {
		p->reported = false;
		p->errors++;
		return false;
	}
	if (parse_error(p, token, _("expected %s, saw %s"), what, token_description(p->arena, token)))
		explain_token(p, token);
	return false;
}

bool expect(struct parser *p, const char *text, const char *where)
{
	if (accept(p, text))
		return true;
	return expected(p, arena_printf(p->arena, "'%s' %s", text, where));
}

bool expect_closing(struct parser *p, const char *text, const struct token *opening, const char *where)
{
	if (expect(p, text, where))
		return true;
	if (p->reported && !same_line(opening, peek(p)))
		parse_note(p, &opening->location, _("'%s' opened here"), opening->text);
	return false;
}

bool enter(struct parser *p)
{
	if (++p->depth <= MOST_DEPTH)
		return true;
	p->depth--;
	parse_error(p, peek(p), _("nested more than %d deep"), MOST_DEPTH);
	p->give_up = true;
	return false;
}

void leave(struct parser *p)
{
	p->depth--;
}

/* Top level */

/* Parse the handler of a probe, and add the probe to the script. */
static void add_probe(struct parser *p, const struct token *keyword, GPtrArray *points, bool is_private)
{
	struct probe *probe = arena_new0(p->arena, struct probe);

	probe->location = keyword->location;
	probe->points = points;
	probe->is_private = is_private;
	probe->script = p->script;
	probe->body = block(p, _("before the statements of the probe"));
	if (probe->body)
		g_ptr_array_add(p->script->probes, probe);
}

/* Check that the names of an alias have no flags and wildcards. */
static bool check_alias_names(struct parser *p, const GPtrArray *names, const struct token *place)
{
	for_each_ptr(const struct probe_point *, name, names) {
		if (name->optional || name->sufficient || name->condition) {
			parse_error(p, place, _("the name of an alias takes no '?', '!' or condition"));
			return false;
		}
		for_each_ptr(const struct probe_component *, c, name->components) {
			if (!strchr(c->name, '*'))
				continue;
			parse_error(p, place, _("the name of an alias cannot have a wildcard"));
			return false;
		}
	}
	return true;
}

/* alias := names ( "=" points block [ "," block ] | "+=" points block ) */
static bool alias_definition(struct parser *p, const struct token *keyword, GPtrArray *names, bool is_private)
{
	struct alias *alias = arena_new0(p->arena, struct alias);
	const struct token *op = advance_token(p);
	struct statement *first;

	alias->location = keyword->location;
	alias->names = names;
	alias->is_private = is_private;
	alias->script = p->script;
	if (!check_alias_names(p, names, keyword + 1))
		return false;
	alias->points = probe_points(p, arena_printf(p->arena, _("after '%s'"), op->text));
	if (!alias->points)
		return false;
	first = block(p, _("before the statements of the alias"));
	if (!first)
		return true;
	*(token_is(op, "=") ? &alias->prologue : &alias->epilogue) = first;
	if (token_is(op, "=") && accept(p, ","))
		alias->epilogue = block(p, _("before the epilogue of the alias"));
	g_ptr_array_add(p->script->aliases, alias);
	return true;
}

static bool probe_without_body(struct parser *p)
{
	const struct token *token = peek(p);

	if (at(p, "{"))
		return false;
	expected(p, _("'{' before the statements of the probe"));
	if (token->kind == TOKEN_IDENTIFIER && token_is(peek_ahead(p, 1), "("))
		parse_hint(p, _("enclose the statements of a probe in braces: { %s(...) }"), token->text);
	else if (token->kind == TOKEN_IDENTIFIER)
		parse_hint(p, _("separate probe points with commas, and enclose statements in braces"));
	return true;
}

/* probe := "probe" points ( block | alias ) */
static bool probe_definition(struct parser *p, bool is_private)
{
	const struct token *keyword = advance_token(p);
	GPtrArray *points = probe_points(p, _("after 'probe'"));

	p->in_function = false;
	if (!points)
		return false;
	if (at(p, "=") || at(p, "+="))
		return alias_definition(p, keyword, points, is_private);
	if (probe_without_body(p))
		return false;
	add_probe(p, keyword, points, is_private);
	return true;
}

/* size := "[" number "]" */
static bool global_size(struct parser *p, struct symbol *symbol)
{
	const struct token *opening = advance_token(p);
	struct expr *size = number_literal(p, _("the largest number of elements"));

	if (!size || !expect_closing(p, "]", opening, _("after the size of the array")))
		return false;
	if (size->number <= 0 || size->number > G_MAXINT32) {
		parse_error(p, opening + 1, _("the size of an array must be between 1 and %d"), G_MAXINT32);
		return false;
	}
	symbol->declared_size = size->number;
	symbol->arity = -1;
	return true;
}

/* initializer := "=" ( number | string ) */
static bool global_initializer(struct parser *p, struct symbol *symbol)
{
	const struct token *op = peek(p);

	if (at(p, "=="))
		expected(p, _("'=' before the initial value"));
	if (!accept(p, "="))
		return !at(p, "==");
	if (symbol->declared_size || symbol->wraps) {
		parse_error(p, op, _("an array cannot have an initial value"));
		parse_hint(p, _("fill it in a 'probe begin'"));
		return false;
	}
	if (at_kind(p, TOKEN_STRING))
		symbol->initializer = string_literal(p, "");
	else
		symbol->initializer = number_literal(p, _("a number or a string literal as the initial value"));
	if (!symbol->initializer) {
		parse_hint(p, _("other values are assigned in a 'probe begin'"));
		return false;
	}
	symbol->type = symbol->initializer->type;
	if (peek(p)->kind != TOKEN_OPERATOR || !binary_operator(peek(p)->text))
		return true;
	expected(p, _("nothing more than one literal as the initial value"));
	parse_hint(p, _("other values are assigned in a 'probe begin'"));
	return false;
}

static void refuse_second_declaration(struct parser *p, const struct symbol *symbol)
{
	for_each_ptr(const struct symbol *, other, p->script->globals) {
		if (strcmp(other->name, symbol->name))
			continue;
		diagnose(p->context->diagnostics, PARSE_ERROR, &symbol->location, _("'%s' is declared twice"),
			 symbol->name);
		diagnose_note(p->context->diagnostics, &other->location, _("the other declaration"));
		return;
	}
}

/* global := name [ "%" ] [ size ] [ "%" ] [ initializer ] */
static bool global(struct parser *p, bool is_private)
{
	const struct token *name = peek(p);
	struct symbol *symbol = arena_new0(p->arena, struct symbol);

	if (name->kind != TOKEN_IDENTIFIER)
		return expected(p, _("the name of a global variable"));
	advance_token(p);
	symbol->name = name->text;
	symbol->location = name->location;
	symbol->arity = -1;
	symbol->is_global = true;
	symbol->is_private = is_private;
	symbol->wraps = accept(p, "%");
	if (at(p, "[") && !global_size(p, symbol))
		return false;
	symbol->wraps = accept(p, "%") || symbol->wraps;
	if (!global_initializer(p, symbol))
		return false;
	annotations_use(p->context, symbol, name, previous_token(p), at(p, ",") || at(p, ";") ? peek(p) : NULL);
	refuse_second_declaration(p, symbol);
	g_ptr_array_add(p->script->globals, symbol);
	return true;
}

/* globals := "global" global { "," global } [ ";" ] ; the caller has taken the keyword */
static bool global_definition(struct parser *p, bool is_private)
{
	const struct token *keyword = previous_token(p);
	guint first = p->script->globals->len;

	do {
		if (!global(p, is_private))
			return false;
	} while (accept(p, ","));
	if (at_kind(p, TOKEN_IDENTIFIER) && same_line(previous_token(p), peek(p))) {
		expected(p, _("',' between global variables"));
		parse_hint(p, _("variables are separated by commas: global a, b"));
		return false;
	}
	annotations_use_for_all(p->context, keyword, p->script->globals, first);
	if (is_private && token_is(keyword, "global"))
		annotations_use_for_all(p->context, keyword - 1, p->script->globals, first);
	accept(p, ";");
	return true;
}

/* type := ":" ( "long" | "string" ) */
static bool type_name(struct parser *p, enum value_type *type)
{
	const struct token *token = peek(p);
	const char *text = token->kind == TOKEN_IDENTIFIER ? token->text : "";

	if (strcmp(text, "long") == 0)
		*type = TYPE_LONG;
	else if (strcmp(text, "string") == 0)
		*type = TYPE_STRING;
	if (*type != TYPE_UNKNOWN) {
		advance_token(p);
		return true;
	}
	expected(p, _("'long' or 'string' as the type"));
	if (strstr(text, "int") || strstr(text, "bool"))
		parse_hint(p, _("numbers are of type 'long'"));
	else if (strstr(text, "char"))
		parse_hint(p, _("text is of type 'string'"));
	return false;
}

/* parameter := name [ ":" type ] */
static bool parameter(struct parser *p, struct function_declaration *function)
{
	const struct token *name = peek(p);
	struct symbol *symbol = arena_new0(p->arena, struct symbol);

	if (name->kind != TOKEN_IDENTIFIER)
		return expected(p, _("the name of a parameter"));
	advance_token(p);
	for_each_ptr(const struct symbol *, other, function->parameters) {
		if (strcmp(other->name, name->text) != 0)
			continue;
		parse_error(p, name, _("parameter '%s' appears twice"), name->text);
		parse_note(p, &other->location, _("first here"));
	}
	if (at_kind(p, TOKEN_IDENTIFIER)) {
		expected(p, _("',' or ')' after a parameter"));
		parse_hint(p, _("put the type after the name: %s:long"), peek(p)->text);
		return false;
	}
	symbol->name = name->text;
	symbol->location = name->location;
	symbol->is_parameter = true;
	g_ptr_array_add(function->parameters, symbol);
	return !accept(p, ":") || type_name(p, &symbol->type);
}

/* parameters := "(" [ parameter { "," parameter } ] ")" */
static bool parameters(struct parser *p, struct function_declaration *function)
{
	const struct token *opening = peek(p);

	function->parameters = arena_ptr_array(p->arena);
	if (!expect(p, "(", _("before the parameters of the function")))
		return false;
	if (accept(p, ")"))
		return true;
	do {
		if (!parameter(p, function))
			return false;
	} while (accept(p, ","));
	return expect_closing(p, ")", opening, _("after the parameters"));
}

/* priority := ":" number */
static bool priority(struct parser *p, struct function_declaration *function)
{
	const struct token *colon = peek(p);
	struct expr *number;

	if (!accept(p, ":"))
		return true;
	number = number_literal(p, _("a number as the priority of the function"));
	if (!number) {
		if (at_kind(p, TOKEN_IDENTIFIER))
			parse_hint(p, _("put the type of the result after the name: function f:string (x)"));
		return false;
	}
	if (number->number < 0) {
		parse_error(p, colon + 1, _("the priority of a function cannot be negative"));
		return false;
	}
	function->has_priority = true;
	function->priority = number->number;
	return true;
}

/* body := block | "%{" C code "%}" */
static bool function_body(struct parser *p, struct function_declaration *function)
{
	const struct token *code = peek(p);

	p->in_function = true;
	if (!at_kind(p, TOKEN_EMBEDDED)) {
		if (!at(p, "{"))
			return expected(p, _("'{' before the statements of the function"));
		function->body = block(p, "");
		return true;
	}
	advance_token(p);
	function->is_embedded = true;
	function->body = statement_new(p->arena, STATEMENT_EMBEDDED, &code->location);
	function->body->code = code->text;
	check_embedded(p, code);
	return true;
}

/* function := "function" name [ ":" type ] parameters [ priority ] body */
static bool function_definition(struct parser *p, bool is_private)
{
	struct function_declaration *function = arena_new0(p->arena, struct function_declaration);
	const struct token *name;

	advance_token(p);
	name = peek(p);
	if (name->kind != TOKEN_IDENTIFIER)
		return expected(p, _("the name of a function"));
	advance_token(p);
	function->name = name->text;
	function->location = name->location;
	function->type_location = name->location;
	function->is_private = is_private;
	function->script = p->script;
	if (accept(p, ":")) {
		if (!type_name(p, &function->type))
			return false;
		function->type_declared = true;
	}
	if (!parameters(p, function) || !priority(p, function) || !function_body(p, function))
		return false;
	if (function->body)
		g_ptr_array_add(p->script->functions, function);
	return true;
}

/* embed := "%{" C code "%}" */
static bool embed(struct parser *p)
{
	const struct token *code = advance_token(p);
	struct statement *s = statement_new(p->arena, STATEMENT_EMBEDDED, &code->location);

	s->code = code->text;
	if (check_embedded(p, code))
		g_ptr_array_add(p->script->embeds, s);
	return true;
}

/* private := "private" ( global | function | probe ) ; "global" may be left out */
static bool private_definition(struct parser *p)
{
	advance_token(p);
	if (at(p, "function"))
		return function_definition(p, true);
	if (at(p, "probe"))
		return probe_definition(p, true);
	accept(p, "global");
	return global_definition(p, true);
}

/* Report text that begins no definition. A misspelled keyword is parsed as the one it resembles. */
static bool unknown_definition(struct parser *p)
{
	static const char *const words[] = {"probe", "function", "global", "private"};
	const struct token *token = peek(p);
	g_autoptr(GPtrArray) candidates = g_ptr_array_new();
	const char *near = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		g_ptr_array_add(candidates, (char *)words[i]);
	if (token_is(token, "}")) {
		parse_error(p, token, _("unmatched '}'"));
		advance_token(p);
		return true;
	}
	expected(p, _("'probe', 'function' or 'global'"));
	if (token->kind == TOKEN_IDENTIFIER)
		near = nearest_word(p, token->text, candidates);
	if (!near) {
		if (token->kind == TOKEN_IDENTIFIER || token->kind == TOKEN_KEYWORD)
			parse_hint(p, _("write statements inside a probe: probe begin { ... }"));
		return false;
	}
	hint_near(p, near);
	if (strcmp(near, "probe") == 0)
		return probe_definition(p, false);
	if (strcmp(near, "function") == 0)
		return function_definition(p, false);
	return false;
}

/* definition := probe | function | global | private | embed | ";" */
static bool definition(struct parser *p)
{
	if (at(p, "probe"))
		return probe_definition(p, false);
	if (at(p, "function"))
		return function_definition(p, false);
	if (at(p, "private"))
		return private_definition(p);
	if (accept(p, "global"))
		return global_definition(p, false);
	if (at_kind(p, TOKEN_EMBEDDED))
		return embed(p);
	return accept(p, ";") || unknown_definition(p);
}

/* After an error, skip to the next word that begins a definition and is not part of a probe point. */
static void skip_definition(struct parser *p)
{
	for (; !at_kind(p, TOKEN_END); advance_token(p)) {
		const struct token *token = peek(p);
		bool begins = token_is(token, "probe") || token_is(token, "function") || token_is(token, "global") ||
			      token_is(token, "private");

		if (begins && !token_is(previous_token(p), "."))
			return;
	}
}

static struct script *script_new(struct arena *arena, const struct language_context *context,
				 const struct source_file *file)
{
	struct script *script = arena_new0(arena, struct script);

	script->file = file;
	script->privileged = context->guru_mode || file->privileged;
	script->probes = arena_ptr_array(arena);
	script->aliases = arena_ptr_array(arena);
	script->globals = arena_ptr_array(arena);
	script->functions = arena_ptr_array(arena);
	script->embeds = arena_ptr_array(arena);
	return script;
}

static struct parser parser_new(struct language_context *context, const struct source_file *file, const GArray *tokens)
{
	return (struct parser){
		.context = context,
		.arena = context->arena,
		.script = script_new(context->arena, context, file),
		.tokens = &g_array_index(tokens, struct token, 0),
		.end = &g_array_index(tokens, struct token, tokens->len - 1),
	};
}

/* script := { definition } */
struct script *parse_script(struct language_context *context, const struct source_file *file)
{
	size_t mark = diagnostics_mark(context->diagnostics);
	struct parser p;
	g_autoptr(GArray) tokens = NULL;

	if (!preprocess(context, file, false, &tokens))
		return NULL;
	p = parser_new(context, file, tokens);
	while (!at_kind(&p, TOKEN_END)) {
		size_t start = p.position;

		p.loops = 0;
		p.depth = 0;
		p.operators = 0;
		if (!definition(&p))
			skip_definition(&p);
		if (p.position == start)
			advance_token(&p);
	}
	if (diagnostics_failed_since(context->diagnostics, mark))
		return context->keeps_damaged ? p.script : NULL;
	if (!file->is_tapset)
		annotations_report_unused(context, file, p.tokens);
	return p.script;
}

static void destroy_table(void *table)
{
	g_hash_table_destroy(table);
}

/* library := { definition of a macro } */
bool parse_macro_library(struct language_context *context, const struct source_file *file)
{
	size_t mark = diagnostics_mark(context->diagnostics);
	struct parser p;
	g_autoptr(GArray) tokens = NULL;

	if (!context->library_macros) {
		context->library_macros = g_hash_table_new(g_str_hash, g_str_equal);
		arena_defer(context->arena, destroy_table, context->library_macros);
	}
	if (!preprocess(context, file, true, &tokens))
		return false;
	p = parser_new(context, file, tokens);
	if (!at_kind(&p, TOKEN_END)) {
		expected(&p, _("'@define'"));
		parse_hint(&p, _("a macro library (.stpm) holds @define constructs only"));
	}
	return !diagnostics_failed_since(context->diagnostics, mark);
}

struct probe_point *parse_probe_point(struct language_context *context, const struct source_file *file)
{
	size_t mark = diagnostics_mark(context->diagnostics);
	struct parser p;
	GPtrArray *points;
	g_autoptr(GArray) tokens = NULL;

	if (!preprocess(context, file, false, &tokens))
		return NULL;
	p = parser_new(context, file, tokens);
	points = probe_points(&p, "");
	if (!points)
		return NULL;
	if (!at_kind(&p, TOKEN_END)) {
		expected(&p, _("the end of the probe point"));
	} else if (points->len != 1) {
		parse_error(&p, p.tokens, _("expected one probe point, saw %u"), points->len);
		parse_hint(&p, _("wildcards such as syscall.* match several"));
	}
	return diagnostics_failed_since(context->diagnostics, mark) ? NULL : g_ptr_array_index(points, 0);
}

struct expr *parse_expression(struct language_context *context, const struct source_file *file)
{
	size_t mark = diagnostics_mark(context->diagnostics);
	struct expr *parsed;
	struct parser p;
	g_autoptr(GArray) tokens = NULL;

	if (!preprocess(context, file, false, &tokens))
		return NULL;
	p = parser_new(context, file, tokens);
	parsed = expression(&p);
	if (parsed && !at_kind(&p, TOKEN_END))
		expected(&p, _("the end of the expression"));
	return diagnostics_failed_since(context->diagnostics, mark) ? NULL : parsed;
}
