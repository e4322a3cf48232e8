// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parser of D: clauses, declarations and statements.
 *
 *     program := { declaration | clause }
 *     clause := description { "," description } [ "/" predicate "/" ] [ block | ";" ]
 *
 * A probe description is a token of its own kind. At the top level, a text begins a declaration if its first word is a
 * keyword or a type and if another word or a "*" follows; else it is a description.
 */
#include "translator/dlang/parser.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/dlang/types.h"

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

const struct d_token *d_peek(struct d_parser *p)
{
	if (!p->has_token) {
		p->before = p->lexer;
		p->token = d_lexer_next(&p->lexer);
		p->has_token = true;
	}
	return &p->token;
}

struct d_token d_advance(struct d_parser *p)
{
	struct d_token token = *d_peek(p);

	if (token.kind != D_TOKEN_END)
		p->has_token = false;
	return token;
}

struct d_token d_peek_second(struct d_parser *p)
{
	struct d_lexer copy;

	d_peek(p);
	copy = p->lexer;
	return d_lexer_next(&copy);
}

bool d_at(struct d_parser *p, const char *text)
{
	return d_token_is(d_peek(p), text);
}

bool d_accept(struct d_parser *p, const char *text)
{
	if (!d_at(p, text))
		return false;
	d_advance(p);
	return true;
}

bool d_expect(struct d_parser *p, const char *text, const char *where)
{
	return d_accept(p, text) || d_syntax_error(p, _("expected '%s' %s"), text, where) != NULL;
}

/* The words that cannot be names. */
static const char *const keywords[] = {
	"auto",	    "break",	"case",	  "char",     "const",	"continue",   "counter", "default",
	"do",	    "double",	"else",	  "enum",     "extern", "float",      "for",	 "goto",
	"if",	    "import",	"inline", "int",      "long",	"offsetof",   "probe",	 "provider",
	"register", "restrict", "return", "self",     "short",	"signed",     "sizeof",	 "static",
	"string",   "stringof", "struct", "switch",   "this",	"translator", "typedef", "union",
	"unsigned", "userland", "void",	  "volatile", "while",	"xlate",
};

bool d_is_keyword(const struct d_token *token)
{
	for (size_t i = 0; token->kind == D_TOKEN_WORD && i < G_N_ELEMENTS(keywords); i++)
		if (!strcmp(token->text, keywords[i]))
			return true;
	return false;
}

const char *d_identifier(struct d_parser *p, const char *what)
{
	const struct d_token *token = d_peek(p);

	if (token->kind == D_TOKEN_WORD && !d_is_keyword(token))
		return d_advance(p).text;
	return d_syntax_error(p, _("expected %s"), what);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

void *d_error_at(struct d_parser *p, const struct location *at, const char *tag, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	diagnose(p->context->diagnostics, PARSE_ERROR, at, "[%s] %s", tag, text);
	return NULL;
}

void *d_syntax_error(struct d_parser *p, const char *format, ...)
{
	const struct d_token *token = d_peek(p);
	g_autofree char *text = NULL;
	va_list args;

	if (token->kind == D_TOKEN_BAD)
		return NULL;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (token->kind == D_TOKEN_END)
		diagnose(p->context->diagnostics, PARSE_ERROR, &token->location,
			 _("[D_SYNTAX] syntax error near end of input"));
	else
		diagnose(p->context->diagnostics, PARSE_ERROR, &token->location,
			 _("[D_SYNTAX] syntax error near \"%.*s\""), token->location.length,
			 token->location.file->text + (p->lexer.cursor - p->lexer.file->text) - token->location.length);
	diagnose_hint(p->context->diagnostics, "%s", text);
	if (token->kind == D_TOKEN_WORD &&
	    (!strcmp(token->text, "while") || !strcmp(token->text, "for") || !strcmp(token->text, "do")))
		diagnose_hint(p->context->diagnostics, _("D has no loops; use a tick probe or several clauses"));
	return NULL;
}

bool d_enter(struct d_parser *p)
{
	if (++p->depth <= D_MOST_DEPTH)
		return true;
	if (p->depth == D_MOST_DEPTH + 1)
		d_error_at(p, &d_peek(p)->location, "D_SYNTAX", _("nested too deep"));
	return false;
}

void d_leave(struct d_parser *p)
{
	p->depth--;
}

bool d_step(struct d_parser *p)
{
	if (++p->steps <= D_MOST_STEPS)
		return true;
	if (p->steps == D_MOST_STEPS + 1)
		d_error_at(p, &d_peek(p)->location, "D_SYNTAX", _("too many operators"));
	return false;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static struct d_statement *statement(struct d_parser *p);

static struct d_statement *statement_of(struct d_parser *p, enum d_statement_kind kind)
{
	struct d_statement *s = arena_new0(p->arena, struct d_statement);

	p->steps = 0;
	s->kind = kind;
	s->location = d_peek(p)->location;
	return s;
}

/* block := "{" { statement } "}" */
static struct d_statement *block(struct d_parser *p)
{
	struct d_statement *s = statement_of(p, D_BLOCK);

	if (!d_expect(p, "{", _("before the statements")))
		return NULL;
	s->statements = arena_ptr_array(p->arena);
	while (!d_accept(p, "}")) {
		struct d_statement *inner;

		if (d_accept(p, ";"))
			continue;
		inner = statement(p);
		if (!inner)
			return NULL;
		g_ptr_array_add(s->statements, inner);
	}
	return s;
}

/* if := "if" "(" expression ")" statement [ "else" statement ] */
static struct d_statement *if_statement(struct d_parser *p)
{
	struct d_statement *s = statement_of(p, D_IF);

	d_advance(p);
	if (!d_expect(p, "(", _("after if")))
		return NULL;
	s->expression = d_expression(p);
	if (!s->expression || !d_expect(p, ")", _("after the condition")))
		return NULL;
	s->then = statement(p);
	if (!s->then)
		return NULL;
	if (d_accept(p, "else")) {
		s->otherwise = statement(p);
		if (!s->otherwise)
			return NULL;
	}
	return s;
}

static struct d_statement *expression_statement(struct d_parser *p)
{
	struct d_statement *s = statement_of(p, D_EXPRESSION);

	s->expression = d_expression(p);
	if (!s->expression)
		return NULL;
	/* The last statement of a block needs no semicolon. */
	return d_at(p, "}") || d_expect(p, ";", _("after the statement")) ? s : NULL;
}

static struct d_statement *statement(struct d_parser *p)
{
	struct d_statement *s = NULL;

	if (!d_enter(p)) {
		d_leave(p);
		return NULL;
	}
	if (d_at(p, "{"))
		s = block(p);
	else if (d_at(p, "if"))
		s = if_statement(p);
	else if (d_at(p, ";"))
		s = statement_of(p, D_BLOCK);
	else
		s = expression_statement(p);
	if (s && s->kind == D_BLOCK && !s->statements) {
		s->statements = arena_ptr_array(p->arena);
		d_advance(p);
	}
	d_leave(p);
	return s;
}

/* ---- probe descriptions and clauses ------------------------------------------------------------------------------ */

/* Split "provider:module:function:name". With fewer parts, the last is @p->last_part and the others are before it. */
static struct d_description *description_of(struct d_parser *p, const struct d_token *token, enum d_part last)
{
	struct d_description *description = arena_new0(p->arena, struct d_description);
	g_auto(GStrv) parts = g_strsplit(token->text, ":", -1);
	int count = (int)g_strv_length(parts), first;

	description->location = token->location;
	description->text = token->text;
	for (int i = 0; i < D_PART_COUNT_; i++)
		description->parts[i] = "";
	if (g_ascii_isdigit(*token->text) && strspn(token->text, "0123456789") == token->length) {
		description->id = g_ascii_strtoll(token->text, NULL, 10);
		return description;
	}
	if (count > (int)last + 1)
		return d_error_at(p, &token->location, "D_PDESC_INVAL",
				  _("the probe description '%s' has more than %d parts"), token->text, (int)last + 1);
	first = (int)last + 1 - count;
	for (int i = 0; i < count; i++)
		description->parts[first + i] = arena_strdup(p->arena, parts[i]);
	return description;
}

static struct d_description *description(struct d_parser *p, enum d_part last)
{
	struct d_token token;

	if (p->has_token)
		p->lexer = p->before;
	p->has_token = false;
	token = d_lexer_description(&p->lexer);
	if (token.kind == D_TOKEN_BAD)
		return NULL;
	if (!token.length)
		return d_syntax_error(p, _("expected a probe description"));
	return description_of(p, &token, last);
}

/* predicate := "/" expression "/" */
static bool predicate(struct d_parser *p, struct d_clause *clause)
{
	if (!d_accept(p, "/"))
		return true;
	p->in_predicate = true;
	clause->predicate = d_expression(p);
	p->in_predicate = false;
	return clause->predicate && d_expect(p, "/", _("after the predicate"));
}

static struct d_clause *clause_rule(struct d_parser *p, enum d_part last)
{
	struct d_clause *clause = arena_new0(p->arena, struct d_clause);

	clause->location = d_peek(p)->location;
	clause->descriptions = arena_ptr_array(p->arena);
	do {
		struct d_description *one = description(p, last);

		if (!one)
			return NULL;
		g_ptr_array_add(clause->descriptions, one);
	} while (d_accept(p, ","));
	if (!predicate(p, clause))
		return NULL;
	if (d_at(p, "{")) {
		clause->body = block(p);
		return clause->body ? clause : NULL;
	}
	if (!d_accept(p, ";") && d_peek(p)->kind != D_TOKEN_END)
		return d_syntax_error(p, _("expected '{' after the probe description"));
	return clause;
}

/* ---- declarations ------------------------------------------------------------------------------------------------ */

/* typedef := "typedef" specifiers declarator { "," declarator } ";" */
static bool typedef_declaration(struct d_parser *p)
{
	struct d_written_type *base;

	d_advance(p);
	base = d_specifiers(p);
	if (!base)
		return false;
	do {
		struct d_declarator *declarator = d_declarator(p, base);

		if (!declarator)
			return false;
		if (!declarator->name)
			return d_syntax_error(p, _("expected the name of the new type")) != NULL;
		declarator->types_before = p->program->types->len;
		g_ptr_array_add(p->program->typedefs, declarator);
		g_hash_table_add(p->types, (void *)declarator->name);
	} while (d_accept(p, ","));
	return d_expect(p, ";", _("after the declaration"));
}

/* inline := "inline" specifiers declarator "=" assignment ";", where keys of the declarator have names */
static bool inline_declaration(struct d_parser *p)
{
	struct d_inline *inlined = arena_new0(p->arena, struct d_inline);
	struct d_written_type *base;

	d_advance(p);
	base = d_specifiers(p);
	p->names_keys = true;
	inlined->declarator = base ? d_declarator(p, base) : NULL;
	p->names_keys = false;
	if (!inlined->declarator)
		return false;
	if (!inlined->declarator->name)
		return d_syntax_error(p, _("expected the name of the inline")) != NULL;
	if (!d_expect(p, "=", _("after the name of the inline")))
		return false;
	inlined->value = d_assignment(p);
	if (!inlined->value)
		return false;
	g_ptr_array_add(p->program->inlines, inlined);
	return d_expect(p, ";", _("after the declaration"));
}

/* translator := "translator" type "<" type name ">" "{" { name "=" assignment ";" } "}" ";" */
static bool translator_declaration(struct d_parser *p)
{
	struct d_translator *translator = arena_new0(p->arena, struct d_translator);
	struct d_written_type *base;
	struct d_declarator *input;

	translator->location = d_advance(p).location;
	translator->names = arena_ptr_array(p->arena);
	translator->values = arena_ptr_array(p->arena);
	translator->output = d_type_name(p);
	if (!translator->output || !d_expect(p, "<", _("after the type")))
		return false;
	base = d_specifiers(p);
	input = base ? d_declarator(p, base) : NULL;
	if (!input)
		return false;
	if (!input->name)
		return d_syntax_error(p, _("expected the name of the input")) != NULL;
	translator->input = input->type;
	translator->input_name = input->name;
	if (!d_expect(p, ">", _("after the input")) || !d_expect(p, "{", _("before the members")))
		return false;
	while (!d_accept(p, "}")) {
		const char *name = d_identifier(p, _("a member"));
		struct d_node *value;

		if (!name || !d_expect(p, "=", _("after the member")))
			return false;
		value = d_assignment(p);
		if (!value || !d_expect(p, ";", _("after the value")))
			return false;
		g_ptr_array_add(translator->names, (void *)name);
		g_ptr_array_add(translator->values, value);
	}
	g_ptr_array_add(p->program->translators, translator);
	return d_accept(p, ";") || true;
}

static const char *const storage_classes[] = {"extern", "self", "this"};

static bool at_storage_class(struct d_parser *p)
{
	for (size_t i = 0; i < G_N_ELEMENTS(storage_classes); i++)
		if (d_peek(p)->kind == D_TOKEN_WORD && d_at(p, storage_classes[i]))
			return true;
	return false;
}

/* variables := [ "extern" | "self" | "this" ] specifiers [ declarator { "," declarator } ] ";" */
static bool variable_declaration(struct d_parser *p)
{
	bool is_external = d_accept(p, "extern");
	enum d_scope scope = is_external	   ? D_GLOBAL_SCOPE
			     : d_accept(p, "self") ? D_THREAD_SCOPE
			     : d_accept(p, "this") ? D_CLAUSE_SCOPE
						   : D_GLOBAL_SCOPE;
	struct d_written_type *base;

	if (at_storage_class(p))
		return d_error_at(p, &d_peek(p)->location, "D_DECL_CLASS",
				  _("a declaration has only one storage class")) != NULL;
	base = d_specifiers(p);
	if (!base)
		return false;
	if (d_accept(p, ";")) {
		if (base->kind >= D_WRITTEN_STRUCT && base->kind <= D_WRITTEN_ENUM && scope == D_GLOBAL_SCOPE)
			return true;
		d_error_at(p, &base->location, "D_DECL_USELESS", _("the declaration declares nothing"));
		return false;
	}
	do {
		struct d_variable_declaration *variable = arena_new0(p->arena, struct d_variable_declaration);

		variable->scope = scope;
		variable->is_external = is_external;
		variable->declarator = d_declarator(p, base);
		if (!variable->declarator)
			return false;
		if (!variable->declarator->name)
			return d_syntax_error(p, _("expected the name of a variable")) != NULL;
		g_ptr_array_add(p->program->variables, variable);
	} while (d_accept(p, ","));
	return d_expect(p, ";", _("after the declaration"));
}

static const struct {
	const char *word;
	bool (*parse)(struct d_parser *p);
} declarations[] = {
	{"typedef", typedef_declaration},
	{"inline", inline_declaration},
	{"translator", translator_declaration},
	{"extern", variable_declaration},
};

/* Does a declaration of a type or variable begin here? */
static bool at_variables(struct d_parser *p)
{
	const char *after = (d_peek(p), p->lexer.cursor);
	struct d_token second;

	if (d_peek(p)->kind != D_TOKEN_WORD || after >= p->lexer.end || strchr(":-.?[$*", *after))
		return false;
	second = d_peek_second(p);
	if (second.kind == D_TOKEN_KERNEL)
		return true;
	if (d_at_type(p) || d_at(p, "self") || d_at(p, "this"))
		return second.kind == D_TOKEN_WORD || d_token_is(&second, "*") || d_token_is(&second, "{") ||
		       d_token_is(&second, "(") || d_token_is(&second, ";");
	return second.kind == D_TOKEN_WORD && g_ascii_isspace(*after);
}

/* Parse the declaration at the current token; *found is false if none begins there. */
static bool declaration(struct d_parser *p, bool *found)
{
	const char *after = (d_peek(p), p->lexer.cursor);

	*found = true;
	for (size_t i = 0; i < G_N_ELEMENTS(declarations); i++)
		if (d_peek(p)->kind == D_TOKEN_WORD && d_at(p, declarations[i].word) && after < p->lexer.end &&
		    g_ascii_isspace(*after))
			return declarations[i].parse(p);
	if (d_at(p, "provider") && d_peek_second(p).kind == D_TOKEN_WORD)
		return d_provider_declaration(p);
	*found = at_variables(p);
	return !*found || variable_declaration(p);
}

struct d_program *d_program_new(struct arena *arena)
{
	struct d_program *program = arena_new0(arena, struct d_program);

	program->clauses = arena_ptr_array(arena);
	program->types = arena_ptr_array(arena);
	program->typedefs = arena_ptr_array(arena);
	program->variables = arena_ptr_array(arena);
	program->inlines = arena_ptr_array(arena);
	program->translators = arena_ptr_array(arena);
	program->providers = arena_ptr_array(arena);
	program->options = arena_ptr_array(arena);
	program->addressed = arena_ptr_array(arena);
	program->cleared = arena_ptr_array(arena);
	return program;
}

static GHashTable *known_types(const struct d_program *program)
{
	GHashTable *types = g_hash_table_new(g_str_hash, g_str_equal);

	d_visit_built_in_types(types);
	for_each_ptr(const struct d_declarator *, declarator, program->typedefs)
		g_hash_table_add(types, (void *)declarator->name);
	return types;
}

bool dlang_parse(struct language_context *context, const struct source_file *file, const struct d_macros *macros,
		 enum d_part last, struct d_program *program)
{
	g_autoptr(GHashTable) types = known_types(program);
	struct d_parser p = {.context = context, .arena = context->arena, .program = program, .types = types};
	size_t mark = diagnostics_mark(context->diagnostics);

	d_lexer_begin(&p.lexer, context, file, macros, program);
	while (d_peek(&p)->kind != D_TOKEN_END) {
		struct d_clause *clause;
		bool found;

		p.steps = 0;
		if (d_accept(&p, ";"))
			continue;
		if (!declaration(&p, &found))
			return false;
		if (found)
			continue;
		clause = clause_rule(&p, last);
		if (!clause)
			return false;
		g_ptr_array_add(program->clauses, clause);
	}
	return !diagnostics_failed_since(context->diagnostics, mark);
}
