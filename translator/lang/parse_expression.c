// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parser: expressions.
 *
 * Binary operators are parsed by precedence climbing with the table in operators.h. Assignment and "?:", which bind
 * looser, and unary and postfix operators, which bind tighter, have their own functions. "$name", @var and @cast begin
 * a chain of "->", "[…]" and a final "$". The same chain after any other expression makes a cast whose type pass 2
 * infers (EXPR_TARGET, TARGET_CAST, type_name NULL).
 *
 * The table at_operators has a row for each operator "@name": its name, the parser of its arguments, and the kind of
 * node.
 *
 * The trap: statements need no separator. Where C requires a ";", the line end matters: a postfix "++", and an index
 * after a call, must be on the same line.
 */
#include <string.h>

#include "common/base/i18n.h"
#include "translator/lang/at_operators.h"
#include "translator/lang/operators.h"
#include "translator/lang/parser.h"

static struct expr *unary(struct parser *p);

bool starts_expression(const struct token *token)
{
	static const char *const prefixes[] = {"(", "[", "-", "+", "!", "~", "++", "--", "&"};

	switch (token->kind) {
	case TOKEN_END:
	case TOKEN_KEYWORD:
		return false;
	case TOKEN_OPERATOR:
		for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
			if (token_is(token, prefixes[i]))
				return true;
		}
		return false;
	default:
		return true;
	}
}

/* Literals and names */

static bool is_library(const struct token *token)
{
	const struct source_file *file = token->location.file;

	return file && file->is_library;
}

/* Is only whitespace between two tokens of the same text? */
static bool only_space_between(const struct token *before, const struct token *token)
{
	const char *p = before->source ? before->source + before->location.length : NULL;

	if (!p || before->location.file != token->location.file || p > token->source)
		return true;
	return p + strspn(p, " \t\r\n\f\v\\") >= token->source;
}

/* Is there another literal that belongs to the one before? Up to version 1.8, no comment could be between them. */
static bool literal_continues(const struct parser *p)
{
	const struct token *token = peek(p);

	if (token->kind != TOKEN_STRING)
		return false;
	return is_library(token) || !language_older_than(p->context, "2.0") ||
	       only_space_between(previous_token(p), token);
}

/* string := literal { literal } : adjacent literals are one */
struct expr *string_literal(struct parser *p, const char *what)
{
	const struct token *first = peek(p);
	g_autoptr(GString) text = g_string_new(NULL);
	struct expr *literal;

	if (first->kind != TOKEN_STRING) {
		expected(p, what);
		return NULL;
	}
	do {
		const struct token *part = advance_token(p);

		g_string_append_len(text, part->text, (gssize)part->length);
	} while (literal_continues(p));
	literal = expr_new(p->arena, EXPR_STRING, &first->location);
	literal->type = TYPE_STRING;
	literal->text = arena_strndup(p->arena, text->str, text->len);
	literal->text_length = text->len;
	return literal;
}

static struct expr *number_node(struct parser *p, const struct location *location, int64_t number)
{
	struct expr *node = expr_new(p->arena, EXPR_NUMBER, location);

	node->type = TYPE_LONG;
	node->number = number;
	return node;
}

/* number := [ "-" ] digits */
struct expr *number_literal(struct parser *p, const char *what)
{
	const struct token *first = peek(p);
	bool minus = at(p, "-") && peek_ahead(p, 1)->kind == TOKEN_NUMBER;
	struct expr *number;

	if (minus)
		advance_token(p);
	if (!at_kind(p, TOKEN_NUMBER)) {
		expected(p, what);
		return NULL;
	}
	if (minus)
		return number_node(p, &first->location, (int64_t) - (uint64_t)advance_token(p)->number);
	advance_token(p);
	number = number_node(p, &first->location, first->number);
	/* Remember hexadecimal notation: probe points print an address as it was written. */
	if (g_str_has_prefix(first->text, "0x"))
		number->text = first->text;
	return number;
}

struct expr *symbol_expression(struct parser *p, const char *what)
{
	const struct token *name = peek(p);
	struct expr *symbol;

	if (name->kind != TOKEN_IDENTIFIER) {
		expected(p, what);
		return NULL;
	}
	advance_token(p);
	symbol = expr_new(p->arena, EXPR_SYMBOL, &name->location);
	symbol->text = name->text;
	return symbol;
}

bool check_embedded(struct parser *p, const struct token *token)
{
	if (p->script->privileged)
		return true;
	parse_error(p, token, _("embedded C code is not allowed here"));
	parse_hint(p, _("it can crash the machine; run stap -g to allow it (guru mode)"));
	return false;
}

/* key := expression | "*" */
static struct expr *key(struct parser *p)
{
	const struct token *token = peek(p);

	if (!at(p, "*"))
		return expression(p);
	advance_token(p);
	return expr_new(p->arena, EXPR_WILDCARD, &token->location);
}

GPtrArray *keys(struct parser *p)
{
	GPtrArray *list = arena_ptr_array(p->arena);
	const struct token *opening = peek(p);

	if (!expect(p, "[", _("before the keys")))
		return NULL;
	do {
		struct expr *next = key(p);

		if (!next)
			return NULL;
		if (list->len == MAX_KEYS) {
			parse_error(p, previous_token(p), _("more than %d keys"), MAX_KEYS);
			return NULL;
		}
		g_ptr_array_add(list, next);
	} while (accept(p, ","));
	return expect_closing(p, "]", opening, _("after the keys")) ? list : NULL;
}

static bool is_lvalue(const struct expr *e)
{
	if (e->kind == EXPR_TARGET)
		return !e->address_of;
	return e->kind == EXPR_SYMBOL || (e->kind == EXPR_INDEX && e->left->kind == EXPR_SYMBOL);
}

static bool check_lvalue(struct parser *p, const struct expr *e, const struct token *op)
{
	if (is_lvalue(e))
		return true;
	parse_error(p, op, _("'%s' cannot change the expression beside it"), op->text);
	if (token_is(op, "="))
		parse_hint(p, _("only variables, array elements and $variables can be assigned; use '==' to compare"));
	else
		parse_hint(p, _("only variables, array elements and $variables can be changed"));
	return false;
}

/* Chains after $variables and casts */

static struct component *add_component(struct parser *p, struct expr *target, enum component_kind kind,
				       const struct location *location)
{
	struct component *component = arena_new0(p->arena, struct component);

	component->kind = kind;
	component->location = *location;
	if (!target->components)
		target->components = arena_ptr_array(p->arena);
	g_ptr_array_add(target->components, component);
	return component;
}

/* Remove up to two "$" from the end of a name. Return their number. */
static int strip_dollars(struct parser *p, const char **name)
{
	size_t length = strlen(*name);
	int count = 0;

	while (count < 2 && length > 1 && (*name)[length - 1] == '$') {
		length--;
		count++;
	}
	*name = arena_strndup(p->arena, *name, length);
	return count;
}

static void add_pretty_print(struct parser *p, struct expr *target, const struct location *location, int depth)
{
	if (!depth)
		return;
	add_component(p, target, COMPONENT_PRETTY_PRINT, location)->depth = depth;
	target->type = TYPE_STRING;
}

/* Return a node for appending a chain: the $variable itself, or a cast of unknown type around another expression. */
static struct expr *chain_target(struct parser *p, struct expr *e, const struct location *location)
{
	struct expr *cast;

	if (e->kind == EXPR_TARGET && !e->address_of && e->type != TYPE_STRING)
		return e;
	cast = expr_new(p->arena, EXPR_TARGET, location);
	cast->target = TARGET_CAST;
	cast->operand = e;
	return cast;
}

/* member := "->" name */
static struct expr *member(struct parser *p, struct expr *e)
{
	const struct token *arrow = advance_token(p), *name = peek(p);
	struct expr *target = chain_target(p, e, &arrow->location);
	struct component *component;
	int dollars;

	if (name->kind != TOKEN_IDENTIFIER && name->kind != TOKEN_KEYWORD) {
		expected(p, _("the name of a member after '->'"));
		return NULL;
	}
	advance_token(p);
	component = add_component(p, target, COMPONENT_MEMBER, &name->location);
	component->name = name->text;
	dollars = strip_dollars(p, &component->name);
	add_pretty_print(p, target, &name->location, dollars);
	return target;
}

/* element := "[" expression "]" */
static struct expr *element(struct parser *p, struct expr *e)
{
	const struct token *opening = advance_token(p);
	struct expr *target = chain_target(p, e, &opening->location), *index = expression(p);

	if (!index || !expect_closing(p, "]", opening, _("after the index")))
		return NULL;
	add_component(p, target, COMPONENT_INDEX, &opening->location)->index = index;
	return target;
}

/* index := ( symbol | histogram ) keys */
static struct expr *index_expression(struct parser *p, struct expr *base)
{
	struct expr *index = expr_new(p->arena, EXPR_INDEX, &base->location);

	index->left = base;
	index->arguments = keys(p);
	return index->arguments ? index : NULL;
}

/* Does the "[" at the current token belong to @p e? */
static bool index_follows(const struct parser *p, const struct expr *e)
{
	if (!at(p, "["))
		return false;
	if (e->kind == EXPR_SYMBOL || e->kind == EXPR_TARGET || e->kind == EXPR_HISTOGRAM)
		return true;
	return (e->kind == EXPR_CALL || e->kind == EXPR_INDEX) && same_line(previous_token(p), peek(p));
}

/* Is the token a single "$" or "$$", after "]" or ")"? */
static bool at_lone_dollars(const struct parser *p)
{
	const struct token *token = peek(p);

	return token->kind == TOKEN_TARGET && (strcmp(token->text, "$") == 0 || strcmp(token->text, "$$") == 0);
}

static struct expr *increment(struct parser *p, const struct token *op, struct expr *operand, bool postfix)
{
	struct expr *node = expr_new(p->arena, EXPR_INCREMENT, &op->location);

	if (!check_lvalue(p, operand, op))
		return NULL;
	node->op = token_is(op, "++") ? OP_ADD : OP_SUBTRACT;
	node->postfix = postfix;
	node->operand = operand;
	node->type = TYPE_LONG;
	return node;
}

/* Is this "++" a postfix of the preceding expression? Not on a new line, nor if it is adjacent to a following name. */
static bool postfix_increment_follows(const struct parser *p)
{
	const struct token *op = peek(p), *next = peek_ahead(p, 1);
	bool name_behind = next->kind == TOKEN_IDENTIFIER || next->kind == TOKEN_TARGET;

	if ((!at(p, "++") && !at(p, "--")) || !same_line(previous_token(p), op))
		return false;
	return !name_behind || !adjacent(op, next) || adjacent(previous_token(p), op);
}

/* Operators written "@name" */

/* arguments := "(" [ expression { "," expression } ] ")" */
static GPtrArray *call_arguments(struct parser *p, const char *where)
{
	const struct token *opening = peek(p);
	GPtrArray *arguments = arena_ptr_array(p->arena);

	if (!expect(p, "(", where))
		return NULL;
	if (accept(p, ")"))
		return arguments;
	do {
		struct expr *argument = expression(p);

		if (!argument)
			return NULL;
		g_ptr_array_add(arguments, argument);
	} while (accept(p, ","));
	if (starts_expression(peek(p))) {
		expected(p, _("',' or ')' after an argument"));
		parse_hint(p, _("arguments are separated by commas"));
		return NULL;
	}
	return expect_closing(p, ")", opening, _("after the arguments")) ? arguments : NULL;
}

/* Parse an operator whose number of arguments is in the table; node->text is its name. */
static struct expr *counted_operator(struct parser *p, const struct at_operator *op, const struct location *location)
{
	struct expr *e = expr_new(p->arena, op->kind, location);
	const struct token *name = previous_token(p);

	e->text = op->name;
	e->type = TYPE_LONG;
	e->arguments = call_arguments(p, arena_printf(p->arena, _("after '@%s'"), op->name));
	if (!e->arguments)
		return NULL;
	if (e->arguments->len >= op->least && e->arguments->len <= op->most)
		return e;
	if (op->least == op->most)
		parse_error(p, name,
			    ngettext("@%s takes %u argument, not %u", "@%s takes %u arguments, not %u", op->least),
			    op->name, op->least, e->arguments->len);
	else
		parse_error(p, name, _("@%s takes %u to %u arguments, not %u"), op->name, op->least, op->most,
			    e->arguments->len);
	return NULL;
}

/* Get argument @number as a string literal. */
static bool string_argument(struct parser *p, const struct expr *e, const char *op, guint number, const char **text)
{
	const struct expr *argument = g_ptr_array_index(e->arguments, number);
	struct token *place;

	if (argument->kind == EXPR_STRING) {
		*text = argument->text;
		return true;
	}
	place = arena_new0(p->arena, struct token);
	place->location = argument->location;
	parse_error(p, place, _("argument %u of @%s must be a string literal"), number + 1, op);
	return false;
}

/* @op(expression): the single argument becomes the operand */
static struct expr *operand_operator(struct parser *p, const struct at_operator *op, const struct location *location)
{
	struct expr *e = counted_operator(p, op, location);

	if (!e)
		return NULL;
	e->operand = g_ptr_array_steal_index(e->arguments, 0);
	e->arguments = NULL;
	e->type = e->kind == EXPR_ENTRY ? TYPE_UNKNOWN : TYPE_LONG;
	return e;
}

/* @op("text"[, "module"]) */
static struct expr *text_operator(struct parser *p, const struct at_operator *op, const struct location *location)
{
	const struct token *name = previous_token(p);
	struct expr *e = counted_operator(p, op, location);

	if (!e || !string_argument(p, e, op->name, 0, &e->text))
		return NULL;
	if (e->arguments->len > 1 && !string_argument(p, e, op->name, 1, &e->module))
		return NULL;
	e->arguments = NULL;
	return op->kind != EXPR_CONST || check_embedded(p, name) ? e : NULL;
}

/* @enumname("type", value[, "module"]) */
static struct expr *enumname_operator(struct parser *p, const struct at_operator *op, const struct location *location)
{
	struct expr *e = counted_operator(p, op, location);

	if (!e || !string_argument(p, e, op->name, 0, &e->type_name))
		return NULL;
	if (e->arguments->len > 2 && !string_argument(p, e, op->name, 2, &e->module))
		return NULL;
	e->text = NULL;
	e->operand = g_ptr_array_index(e->arguments, 1);
	e->arguments = NULL;
	e->type = TYPE_STRING;
	return e;
}

/* @probewrite(variable) */
static struct expr *probewrite_operator(struct parser *p, const struct at_operator *op, const struct location *location)
{
	const struct token *name = previous_token(p);
	struct expr *e = operand_operator(p, op, location);

	if (!e || e->operand->kind == EXPR_SYMBOL || e->operand->kind == EXPR_TARGET)
		return e;
	parse_error(p, name, _("@probewrite takes a variable"));
	return NULL;
}

/* @var("name[@file]"[, "module"]) chain */
static struct expr *var_operator(struct parser *p, const struct at_operator *op, const struct location *location)
{
	struct expr *e = counted_operator(p, op, location);

	if (!e || !string_argument(p, e, op->name, 0, &e->text))
		return NULL;
	if (e->arguments->len > 1 && !string_argument(p, e, op->name, 1, &e->module))
		return NULL;
	e->target = TARGET_ATVAR;
	e->arguments = NULL;
	e->type = TYPE_UNKNOWN;
	return e;
}

/* @cast(pointer, "type"[, "module"]) chain */
static struct expr *cast_operator(struct parser *p, const struct at_operator *op, const struct location *location)
{
	struct expr *e = counted_operator(p, op, location);

	if (!e || !string_argument(p, e, op->name, 1, &e->type_name))
		return NULL;
	if (e->arguments->len > 2 && !string_argument(p, e, op->name, 2, &e->module))
		return NULL;
	e->target = TARGET_CAST;
	e->operand = g_ptr_array_index(e->arguments, 0);
	e->arguments = NULL;
	e->text = NULL;
	e->type = TYPE_UNKNOWN;
	return e;
}

/* @count(aggregate), @sum, @min, @max, @avg; @variance(aggregate[, shift]) */
static struct expr *statistic_operator(struct parser *p, const struct at_operator *op, const struct location *location)
{
	const struct token *name = previous_token(p);
	struct expr *e = counted_operator(p, op, location);

	if (!e)
		return NULL;
	e->operand = g_ptr_array_steal_index(e->arguments, 0);
	if (!e->arguments->len)
		e->arguments = NULL;
	if (e->operand->kind == EXPR_SYMBOL ||
	    (e->operand->kind == EXPR_INDEX && e->operand->left->kind == EXPR_SYMBOL))
		return e;
	parse_error(p, name, _("@%s takes an aggregate: a global or an array element that '<<<' fills"), op->name);
	return NULL;
}

/*
 * Check the bounds and the width of a linear histogram. They determine its number of buckets, so they must be literals.
 * Pass 2 warns about a width that gives no buckets.
 */
static bool check_linear(struct parser *p, const struct token *name, const struct expr *e)
{
	const struct expr *low, *high;

	for_each_ptr(const struct expr *, bound, e->arguments) {
		if (bound->kind == EXPR_NUMBER)
			continue;
		parse_error(p, name, _("the bounds and the width of @hist_linear must be number literals"));
		return false;
	}
	low = g_ptr_array_index(e->arguments, 0);
	high = g_ptr_array_index(e->arguments, 1);
	if (high->number >= low->number)
		return true;
	parse_error(p, name, _("@hist_linear needs low <= high"));
	parse_hint(p, _("it is written @hist_linear(x, low, high, width)"));
	return false;
}

/* @hist_log(aggregate), @hist_linear(aggregate, low, high, width) */
static struct expr *histogram_operator(struct parser *p, const struct at_operator *op, const struct location *location)
{
	const struct token *name = previous_token(p);
	struct expr *e = statistic_operator(p, op, location);

	if (!e || (e->arguments && !check_linear(p, name, e)))
		return NULL;
	e->type = TYPE_STATS;
	return e;
}

/* clang-format off */
static const struct at_operator at_operators[] = {
	{ "count",       statistic_operator,  EXPR_STATISTIC,         1, 1 },
	{ "sum",         statistic_operator,  EXPR_STATISTIC,         1, 1 },
	{ "min",         statistic_operator,  EXPR_STATISTIC,         1, 1 },
	{ "max",         statistic_operator,  EXPR_STATISTIC,         1, 1 },
	{ "avg",         statistic_operator,  EXPR_STATISTIC,         1, 1 },
	{ "variance",    statistic_operator,  EXPR_STATISTIC,         1, 2 },
	{ "hist_log",    histogram_operator,  EXPR_HISTOGRAM,         1, 1 },
	{ "hist_linear", histogram_operator,  EXPR_HISTOGRAM,         4, 4 },
	{ "cast",        cast_operator,       EXPR_TARGET,            2, 3 },
	{ "var",         var_operator,        EXPR_TARGET,            1, 2 },
	{ "defined",     operand_operator,    EXPR_DEFINED,           1, 1 },
	{ "entry",       operand_operator,    EXPR_ENTRY,             1, 1 },
	{ "perf",        text_operator,       EXPR_PERF,              1, 1 },
	{ "const",       text_operator,       EXPR_CONST,             1, 1 },
	{ "enum",        text_operator,       EXPR_ENUM,              1, 2 },
	{ "enumname",    enumname_operator,   EXPR_ENUM,              2, 3 },
	{ "probewrite",  probewrite_operator, EXPR_PROBEWRITE,        1, 1 },
	{ "kregister",   counted_operator,    EXPR_REGISTER_OPERATOR, 1, 1 },
	{ "uregister",   counted_operator,    EXPR_REGISTER_OPERATOR, 1, 1 },
	{ "kderef",      counted_operator,    EXPR_REGISTER_OPERATOR, 2, 2 },
	{ "uderef",      counted_operator,    EXPR_REGISTER_OPERATOR, 2, 2 },
	{ "sizeof",      counted_operator,    EXPR_SIZE_OPERATOR,     1, 2 },
	{ "offsetof",    counted_operator,    EXPR_SIZE_OPERATOR,     2, 3 },
	{ "container_of", counted_operator,   EXPR_SIZE_OPERATOR,     3, 4 },
};
/* clang-format on */

const struct at_operator *at_operator_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(at_operators); i++) {
		if (strcmp(at_operators[i].name, name) == 0)
			return &at_operators[i];
	}
	return NULL;
}

void at_operator_names(GPtrArray *names)
{
	for (size_t i = 0; i < G_N_ELEMENTS(at_operators); i++)
		g_ptr_array_add(names, (char *)at_operators[i].name);
}

bool at_histogram(const struct parser *p)
{
	const struct token *token = peek(p);
	const struct at_operator *op = token->kind == TOKEN_AT ? at_operator_find(token->text) : NULL;

	return op && op->kind == EXPR_HISTOGRAM;
}

/* at-operator := "@name" "(" … ")" */
static struct expr *at_expression(struct parser *p)
{
	const struct token *name = peek(p);
	const struct at_operator *op = at_operator_find(name->text);

	if (!op) {
		expected(p, _("an expression"));
		return NULL;
	}
	advance_token(p);
	return op->parse(p, op, &name->location);
}

struct expr *histogram_expression(struct parser *p)
{
	return at_expression(p);
}

/* Parse a histogram in an expression, where it must be indexed. Only print and foreach take a whole one. */
static struct expr *indexed_histogram(struct parser *p)
{
	const struct token *name = peek(p);
	struct expr *histogram = histogram_expression(p);

	if (!histogram)
		return NULL;
	if (at(p, "["))
		return index_expression(p, histogram);
	parse_error(p, name, _("@%s is not a value"), name->text);
	parse_hint(p, _("print it, take a bucket such as @%s(x)[1], or iterate over its buckets with foreach"),
		   name->text);
	return NULL;
}

/* Primary expressions */

/* target := "$name" */
static struct expr *target_variable(struct parser *p)
{
	const struct token *token = advance_token(p);
	struct expr *target = expr_new(p->arena, EXPR_TARGET, &token->location);
	int dollars;

	target->target = TARGET_VARIABLE;
	target->text = token->text + 1;
	if (strcmp(token->text, "$") == 0 || strcmp(token->text, "$$") == 0) {
		parse_error(p, token, _("expected a name after '%s'"), token->text);
		return NULL;
	}
	dollars = strip_dollars(p, &target->text);
	if (target->text[0] == '$')
		target->type = TYPE_STRING;
	add_pretty_print(p, target, &token->location, dollars);
	return target;
}

/* call := name arguments */
static struct expr *call(struct parser *p)
{
	const struct token *name = advance_token(p);
	struct expr *e = expr_new(p->arena, EXPR_CALL, &name->location);

	e->text = name->text;
	e->arguments = call_arguments(p, "");
	return e->arguments ? e : NULL;
}

/* name := call | print | symbol */
static struct expr *named_expression(struct parser *p)
{
	const struct print_function *print = print_function_find(peek(p)->text);

	if (print)
		return print_expression(p, print);
	if (token_is(peek_ahead(p, 1), "("))
		return call(p);
	return symbol_expression(p, "");
}

/* in := keys "in" array */
static struct expr *membership(struct parser *p, const struct location *location, GPtrArray *list)
{
	struct expr *in = expr_new(p->arena, EXPR_IN, location);

	in->arguments = list;
	in->type = TYPE_LONG;
	in->left = symbol_expression(p, _("the name of an array after 'in'"));
	return in->left ? in : NULL;
}

static struct expr *bracketed_membership(struct parser *p)
{
	const struct token *opening = peek(p);
	GPtrArray *list = keys(p);

	if (!list)
		return NULL;
	if (!accept(p, "in")) {
		expected(p, _("'in' and an array after the keys"));
		return NULL;
	}
	return membership(p, &opening->location, list);
}

/* parentheses := "(" expression ")" */
static struct expr *parenthesized(struct parser *p)
{
	const struct token *opening = advance_token(p);
	struct expr *e;

	if (!enter(p))
		return NULL;
	e = expression(p);
	leave(p);
	return e && expect_closing(p, ")", opening, _("after the expression")) ? e : NULL;
}

/* Use any value for a token whose error the preprocessor or the lexer has reported. */
static struct expr *bad_expression(struct parser *p)
{
	const struct token *bad = advance_token(p);

	if (at(p, "(")) {
		p->position = matching_bracket(p, p->position);
		accept(p, ")");
	}
	return number_node(p, &bad->location, 0);
}

static struct expr *embedded_expression(struct parser *p)
{
	const struct token *code = advance_token(p);
	struct expr *e = expr_new(p->arena, EXPR_EMBEDDED, &code->location);

	e->text = code->text;
	e->text_length = code->length;
	e->type = strstr(code->text, "/* string */") ? TYPE_STRING : TYPE_LONG;
	return check_embedded(p, code) ? e : NULL;
}

static struct expr *no_expression(struct parser *p)
{
	const struct token *token = peek(p);

	expected(p, _("an expression"));
	if (token->kind == TOKEN_KEYWORD)
		parse_hint(p, _("'%s' is a reserved word and cannot be used as a name"), token->text);
	else if (token_is(token, "=") && previous_token(p)->kind == TOKEN_KEYWORD)
		parse_hint(p, _("'%s' is a reserved word and cannot be used as a name"), previous_token(p)->text);
	else if (token_is(token, "=") && token_is(previous_token(p), "=="))
		parse_hint(p, _("equality is written '=='"));
	return NULL;
}

/* primary := number | string | name | $name | @operator | %{ C %} | "(" expression ")" | keys "in" array */
static struct expr *primary(struct parser *p)
{
	switch (peek(p)->kind) {
	case TOKEN_NUMBER:
		return number_literal(p, "");
	case TOKEN_STRING:
		return string_literal(p, "");
	case TOKEN_IDENTIFIER:
		return named_expression(p);
	case TOKEN_TARGET:
		return target_variable(p);
	case TOKEN_AT:
		return at_histogram(p) ? indexed_histogram(p) : at_expression(p);
	case TOKEN_EMBEDDED:
		return embedded_expression(p);
	case TOKEN_BAD:
		return bad_expression(p);
	default:
		break;
	}
	if (at(p, "("))
		return parenthesized(p);
	if (at(p, "["))
		return bracketed_membership(p);
	return no_expression(p);
}

/* Before version 2.6, "->" followed only $variables, @cast and @var. The library is not older. */
static bool refuse_autocast(struct parser *p, const struct expr *e)
{
	if (e->kind == EXPR_TARGET || !language_older_than(p->context, "2.6") || is_library(peek(p)))
		return false;
	parse_error(p, peek(p), _("before version 2.6, '->' follows only $variables, @cast and @var"));
	parse_hint(p, _("name the type with @cast(..., \"struct ...\")->..., or use a newer --compatible"));
	return true;
}

/* postfix := primary { "->" name | "[" … "]" | "$" | "$$" } [ "++" | "--" ] */
static struct expr *postfix(struct parser *p)
{
	struct expr *e = primary(p);

	while (e) {
		if (at(p, "->")) {
			if (refuse_autocast(p, e))
				return NULL;
			e = member(p, e);
		} else if (index_follows(p, e)) {
			e = e->kind == EXPR_SYMBOL ? index_expression(p, e) : element(p, e);
		} else if (e->kind == EXPR_TARGET && at_lone_dollars(p)) {
			const struct token *dollars = advance_token(p);

			add_pretty_print(p, e, &dollars->location, (int)dollars->length);
		} else {
			break;
		}
	}
	if (e && postfix_increment_follows(p))
		return increment(p, advance_token(p), e, true);
	return e;
}

/* Build the address of p[n]. */
static struct expr *element_address(struct parser *p, const struct expr *element, const struct token *op)
{
	struct expr *target = chain_target(p, element->left, &op->location);

	add_component(p, target, COMPONENT_INDEX, &element->location)->index = g_ptr_array_index(element->arguments, 0);
	target->address_of = true;
	target->type = TYPE_LONG;
	return target;
}

/* address := "&" target */
static struct expr *address(struct parser *p)
{
	const struct token *op = advance_token(p);
	bool is_parenthesized = token_is(peek(p), "(");
	struct expr *e = postfix(p);

	if (!e)
		return NULL;
	if (e->kind == EXPR_TARGET && e->type != TYPE_STRING && !e->address_of) {
		e->address_of = true;
		e->type = TYPE_LONG;
		return e;
	}
	/* The address of an array is the array itself, as in C. */
	if (e->kind == EXPR_SIZE_OPERATOR && !strcmp(e->text, "container_of"))
		return e;
	/* An element of an array that a variable points to; pass 2 checks that. */
	if (e->kind == EXPR_INDEX && e->left->kind == EXPR_SYMBOL && e->arguments->len == 1)
		return element_address(p, e, op);
	/* Only pass 2 knows whether an expression in parentheses has an address. */
	if (is_parenthesized) {
		struct expr *target = chain_target(p, e, &op->location);

		target->address_of = true;
		target->type = TYPE_LONG;
		return target;
	}
	parse_error(p, op, _("'&' takes the address of a $variable only"));
	parse_hint(p, _("for example &$dentry->d_name"));
	return NULL;
}

static struct expr *prefix_operation(struct parser *p, enum expr_operator op)
{
	const struct token *token = advance_token(p);
	struct expr *e = expr_new(p->arena, EXPR_UNARY, &token->location);

	e->op = op;
	e->type = TYPE_LONG;
	e->operand = unary(p);
	return e->operand ? e : NULL;
}

/* unary := ( "-" | "+" | "!" | "~" | "&" | "++" | "--" ) unary | postfix ; "-" and a number are one literal */
static struct expr *unary_nested(struct parser *p)
{
	static const struct {
		const char *text;
		enum expr_operator op;
	} table[] = {{"-", OP_NEGATE}, {"+", OP_PLUS}, {"!", OP_LOGICAL_NOT}, {"~", OP_COMPLEMENT}};

	if (at(p, "-") && peek_ahead(p, 1)->kind == TOKEN_NUMBER)
		return number_literal(p, "");
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		if (at(p, table[i].text))
			return prefix_operation(p, table[i].op);
	}
	if (at(p, "&"))
		return address(p);
	if (at(p, "++") || at(p, "--")) {
		const struct token *op = advance_token(p);
		struct expr *operand = unary(p);

		return operand ? increment(p, op, operand, false) : NULL;
	}
	return postfix(p);
}

static struct expr *unary(struct parser *p)
{
	struct expr *e;

	if (!enter(p))
		return NULL;
	e = unary_nested(p);
	leave(p);
	return e;
}

static const struct operator_info *binary_at(const struct parser *p)
{
	const struct token *token = peek(p);

	return token->kind == TOKEN_OPERATOR || token->kind == TOKEN_KEYWORD ? binary_operator(token->text) : NULL;
}

/* Build a binary operation from its operands. */
static struct expr *binary_node(struct parser *p, const struct operator_info *info, const struct token *op,
				struct expr *left, struct expr *right)
{
	struct expr *e = expr_new(p->arena, info->kind, &op->location);

	e->op = info->op;
	e->negated = info->negated;
	e->left = left;
	e->right = right;
	e->type = info->kind == EXPR_CONCAT ? TYPE_STRING : TYPE_LONG;
	if (info->kind != EXPR_REGEX || right->kind == EXPR_STRING)
		return e;
	parse_error(p, op, _("the right side of '%s' must be a string literal"), op->text);
	parse_hint(p, _("regular expressions are compiled with the script, so they cannot be computed"));
	return NULL;
}

static bool count_operator(struct parser *p)
{
	if (++p->operators <= MOST_OPERATORS)
		return true;
	parse_error(p, peek(p), _("expression has more than %d operators"), MOST_OPERATORS);
	p->give_up = true;
	return false;
}

/* binary := unary { operator binary } for operators that bind at least as tight as @p least */
static struct expr *binary(struct parser *p, enum precedence least)
{
	struct expr *left = unary(p);
	const struct operator_info *info;

	while (left && (info = binary_at(p)) != NULL && info->precedence >= least) {
		const struct token *op = advance_token(p);
		struct expr *right;

		if (!count_operator(p))
			return NULL;
		if (info->kind == EXPR_IN) {
			GPtrArray *list = arena_ptr_array(p->arena);

			g_ptr_array_add(list, left);
			left = membership(p, &op->location, list);
			continue;
		}
		right = binary(p, info->precedence + 1);
		left = right ? binary_node(p, info, op, left, right) : NULL;
	}
	return left;
}

/* conditional := binary [ "?" expression ":" conditional ] */
static struct expr *conditional(struct parser *p)
{
	struct expr *condition = binary(p, PRECEDENCE_LOGICAL_OR), *e;
	const struct token *question = peek(p);

	if (!condition || !accept(p, "?"))
		return condition;
	if (!enter(p))
		return NULL;
	e = expr_new(p->arena, EXPR_CONDITIONAL, &question->location);
	e->condition = condition;
	e->left = expression(p);
	e->right = e->left && expect(p, ":", _("between the values of '?'")) ? conditional(p) : NULL;
	leave(p);
	return e->right ? e : NULL;
}

/* expression := conditional [ assignment-operator expression ] */
struct expr *expression(struct parser *p)
{
	struct expr *left = conditional(p), *e;
	const struct token *op = peek(p);
	const struct operator_info *info = op->kind == TOKEN_OPERATOR ? assignment_operator(op->text) : NULL;

	if (!left || !info)
		return left;
	advance_token(p);
	if (!check_lvalue(p, left, op) || !enter(p))
		return NULL;
	e = expr_new(p->arena, EXPR_ASSIGN, &op->location);
	e->op = info->op;
	e->left = left;
	e->right = expression(p);
	leave(p);
	return e->right ? e : NULL;
}
