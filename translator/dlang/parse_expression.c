// SPDX-License-Identifier: GPL-2.0-or-later
/* Expressions of D: those of C, with strings, aggregations, scoped variables and kernel symbols. */
#include "translator/dlang/parser.h"

#include "common/base/i18n.h"

struct d_node *d_node_new(struct d_parser *p, enum d_node_kind kind, const struct location *at)
{
	struct d_node *node = arena_new0(p->arena, struct d_node);

	node->kind = kind;
	node->location = *at;
	return node;
}

static struct d_node *unary(struct d_parser *p);

/* arguments := [ assignment { "," assignment } ] closing */
static GPtrArray *arguments(struct d_parser *p, const char *closing)
{
	GPtrArray *list = arena_ptr_array(p->arena);

	if (d_accept(p, closing))
		return list;
	do {
		struct d_node *argument = d_assignment(p);

		if (!argument)
			return NULL;
		g_ptr_array_add(list, argument);
	} while (d_accept(p, ","));
	return d_expect(p, closing, _("after the arguments")) ? list : NULL;
}

/* ---- primary expressions ----------------------------------------------------------------------------------------- */

/* sizeof := "sizeof" ( "(" type ")" | unary ) */
static struct d_node *sizeof_operator(struct d_parser *p, const struct location *at)
{
	struct d_node *node = d_node_new(p, D_SIZEOF, at);

	if (d_at(p, "(")) {
		struct d_parser saved = *p;

		d_advance(p);
		if (d_at_type(p)) {
			node->type = d_type_name(p);
			return node->type && d_expect(p, ")", _("after the type")) ? node : NULL;
		}
		*p = saved;
	}
	node->left = unary(p);
	return node->left ? node : NULL;
}

/* stringof := "stringof" unary */
static struct d_node *stringof_operator(struct d_parser *p, const struct location *at)
{
	struct d_node *node = d_node_new(p, D_STRINGOF, at);

	node->left = unary(p);
	return node->left ? node : NULL;
}

/* offsetof := "offsetof" "(" type "," member ")" */
static struct d_node *offsetof_operator(struct d_parser *p, const struct location *at)
{
	struct d_node *node = d_node_new(p, D_OFFSETOF, at);

	if (!d_expect(p, "(", _("after offsetof")))
		return NULL;
	node->type = d_type_name(p);
	if (!node->type || !d_expect(p, ",", _("after the type")))
		return NULL;
	node->text = d_identifier(p, _("a member"));
	return node->text && d_expect(p, ")", _("after the member")) ? node : NULL;
}

/* xlate := "xlate" "<" type ">" "(" expression ")" */
static struct d_node *xlate_operator(struct d_parser *p, const struct location *at)
{
	struct d_node *node = d_node_new(p, D_TRANSLATE, at);

	if (!d_expect(p, "<", _("after xlate")))
		return NULL;
	node->type = d_type_name(p);
	if (!node->type || !d_expect(p, ">", _("after the type")) || !d_expect(p, "(", _("after xlate <type>")))
		return NULL;
	node->left = d_expression(p);
	return node->left && d_expect(p, ")", _("after the expression")) ? node : NULL;
}

static const struct {
	const char *word;
	struct d_node *(*parse)(struct d_parser *p, const struct location *at);
} word_operators[] = {
	{"sizeof", sizeof_operator},
	{"stringof", stringof_operator},
	{"offsetof", offsetof_operator},
	{"xlate", xlate_operator},
};

/* scoped := ( "self" | "this" ) "->" name */
static struct d_node *scoped(struct d_parser *p, const struct d_token *word)
{
	struct d_node *node = d_node_new(p, !strcmp(word->text, "self") ? D_SELF : D_THIS, &word->location);

	if (!d_expect(p, "->", _("after self or this")))
		return NULL;
	node->text = d_identifier(p, _("the name of a variable"));
	return node->text ? node : NULL;
}

/* Note an aggregation that is cleared, because its keys are kept then. */
static void note_cleared(struct d_parser *p, const struct d_node *call)
{
	const struct d_node *first = call->arguments->len ? g_ptr_array_index(call->arguments, 0) : NULL;

	if (first && first->kind == D_AGGREGATION && !strcmp(call->text, "clear"))
		g_ptr_array_add(p->program->cleared, (void *)first->text);
}

/* name := identifier [ "(" arguments ")" ] */
static struct d_node *name_or_call(struct d_parser *p)
{
	struct d_token word = d_advance(p);
	struct d_node *node;

	for (size_t i = 0; i < G_N_ELEMENTS(word_operators); i++)
		if (!strcmp(word.text, word_operators[i].word))
			return word_operators[i].parse(p, &word.location);
	if (!strcmp(word.text, "self") || !strcmp(word.text, "this"))
		return scoped(p, &word);
	node = d_node_new(p, D_NAME, &word.location);
	node->text = word.text;
	if (!d_accept(p, "("))
		return node;
	node->kind = D_CALL;
	node->arguments = arguments(p, ")");
	if (!node->arguments)
		return NULL;
	note_cleared(p, node);
	return node;
}

static struct d_node *constant(struct d_parser *p)
{
	struct d_token token = d_advance(p);
	struct d_node *node = d_node_new(p, token.kind == D_TOKEN_STRING ? D_STRING : D_NUMBER, &token.location);

	node->text = token.text;
	node->text_length = token.length;
	node->number = token.number;
	node->is_unsigned = token.is_unsigned;
	node->is_long = token.is_long;
	node->is_character = token.kind == D_TOKEN_CHARACTER;
	return node;
}

/* string := literal { literal } */
static struct d_node *string_constant(struct d_parser *p)
{
	struct d_node *node = constant(p);

	while (d_peek(p)->kind == D_TOKEN_STRING) {
		struct d_token more = d_advance(p);

		node->text = arena_printf(p->arena, "%s%s", node->text, more.text);
		node->text_length = strlen(node->text);
	}
	return node;
}

/* aggregation := "@" [ name ] [ "[" arguments "]" ] */
static struct d_node *aggregation(struct d_parser *p)
{
	struct d_token token = d_advance(p);
	struct d_node *node = d_node_new(p, D_AGGREGATION, &token.location);

	node->text = token.text;
	if (!d_accept(p, "["))
		return node;
	node->arguments = arguments(p, "]");
	if (node->arguments && !node->arguments->len)
		return d_syntax_error(p, _("expected keys of the aggregation"));
	return node->arguments ? node : NULL;
}

static struct d_node *kernel_name(struct d_parser *p)
{
	struct d_token token = d_advance(p);
	struct d_node *node = d_node_new(p, D_KERNEL, &token.location);

	node->text = token.text;
	node->module = token.module;
	return node;
}

static struct d_node *primary(struct d_parser *p)
{
	const struct d_token *token = d_peek(p);
	struct d_node *node;

	switch (token->kind) {
	case D_TOKEN_NUMBER:
	case D_TOKEN_CHARACTER:
		return constant(p);
	case D_TOKEN_STRING:
		return string_constant(p);
	case D_TOKEN_AGGREGATION:
		return aggregation(p);
	case D_TOKEN_KERNEL:
		return kernel_name(p);
	case D_TOKEN_BAD:
		return NULL;
	case D_TOKEN_WORD:
		if (!d_is_keyword(token) || !strcmp(token->text, "self") || !strcmp(token->text, "this") ||
		    !strcmp(token->text, "sizeof") || !strcmp(token->text, "stringof") ||
		    !strcmp(token->text, "offsetof") || !strcmp(token->text, "xlate"))
			return name_or_call(p);
		break;
	default:
		break;
	}
	if (!d_accept(p, "("))
		return d_syntax_error(p, _("expected an expression"));
	node = d_expression(p);
	return node && d_expect(p, ")", _("after the expression")) ? node : NULL;
}

/* ---- postfix and unary operators --------------------------------------------------------------------------------- */

static struct d_node *postfix_increment(struct d_parser *p, struct d_node *left, enum expr_operator op)
{
	struct d_node *node = d_node_new(p, D_INCREMENT, &left->location);

	node->op = op;
	node->is_postfix = true;
	node->left = left;
	return node;
}

static struct d_node *index_operator(struct d_parser *p, struct d_node *left)
{
	struct d_node *node = d_node_new(p, D_INDEX, &left->location);

	node->left = left;
	node->arguments = arguments(p, "]");
	if (node->arguments && !node->arguments->len)
		return d_syntax_error(p, _("expected an index"));
	return node->arguments ? node : NULL;
}

static struct d_node *member_operator(struct d_parser *p, struct d_node *left, bool is_arrow)
{
	struct d_node *node = d_node_new(p, D_MEMBER, &d_peek(p)->location);
	struct d_token word = d_advance(p);

	/* A member may be named like a keyword of D that C does not have. */
	if (word.kind != D_TOKEN_WORD)
		return d_error_at(p, &word.location, "D_SYNTAX", _("expected a member after '%s'"),
				  is_arrow ? "->" : ".");
	node->left = left;
	node->text = word.text;
	node->is_arrow = is_arrow;
	return node;
}

/* postfix := primary { "[" arguments "]" | "." name | "->" name | "++" | "--" } */
static struct d_node *postfix(struct d_parser *p)
{
	struct d_node *node = primary(p);

	while (node && d_step(p)) {
		if (d_accept(p, "["))
			node = index_operator(p, node);
		else if (d_accept(p, "->"))
			node = member_operator(p, node, true);
		else if (d_accept(p, "."))
			node = member_operator(p, node, false);
		else if (d_accept(p, "++"))
			node = postfix_increment(p, node, OP_ADD);
		else if (d_accept(p, "--"))
			node = postfix_increment(p, node, OP_SUBTRACT);
		else if (d_at(p, "("))
			return d_error_at(p, &node->location, "D_FUNC_IDENT",
					  _("only the name of a function can be called"));
		else
			return node;
	}
	return NULL;
}

static const struct {
	const char *text;
	enum d_node_kind kind;
	enum expr_operator op;
} prefixes[] = {
	{"-", D_NEGATE, OP_NONE},     {"+", D_PLUS, OP_NONE},		{"!", D_NOT, OP_NONE},
	{"~", D_COMPLEMENT, OP_NONE}, {"*", D_DEREFERENCE, OP_NONE},	{"&", D_ADDRESS, OP_NONE},
	{"++", D_INCREMENT, OP_ADD},  {"--", D_INCREMENT, OP_SUBTRACT},
};

/* Can a unary expression begin at the current token? */
static bool at_operand(struct d_parser *p)
{
	const struct d_token *token = d_peek(p);

	if (token->kind == D_TOKEN_OPERATOR)
		return d_at(p, "(");
	return token->kind != D_TOKEN_END && token->kind != D_TOKEN_BAD;
}

/* Is "(name)" or "(name *)" a cast to a type that is declared nowhere in the program, such as one of the kernel? */
static bool at_unknown_cast(struct d_parser *p)
{
	struct d_parser saved = *p;
	bool is_cast = false, has_star = false, named_type;
	struct d_token word = d_advance(p);

	named_type = word.kind == D_TOKEN_KERNEL || (word.kind == D_TOKEN_WORD && !d_is_keyword(&word));
	while (named_type && d_accept(p, "*"))
		has_star = true;
	if (named_type && d_accept(p, ")"))
		is_cast = has_star || (at_operand(p) && word.kind == D_TOKEN_WORD);
	*p = saved;
	return is_cast;
}

/* cast := "(" type ")" unary */
static struct d_node *cast(struct d_parser *p, const struct location *at)
{
	struct d_node *node = d_node_new(p, D_CAST, at);

	node->type = d_type_name(p);
	if (!node->type || !d_expect(p, ")", _("after the type")))
		return NULL;
	node->left = unary(p);
	return node->left ? node : NULL;
}

/* Note a variable whose address is taken, because it must be in memory. */
static void note_addressed(struct d_parser *p, struct d_node *operand)
{
	if (operand->kind == D_INDEX)
		operand = operand->left;
	if (operand->kind == D_NAME || operand->kind == D_SELF || operand->kind == D_THIS)
		g_ptr_array_add(p->program->addressed, operand);
}

static struct d_node *prefixed(struct d_parser *p)
{
	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		struct d_node *node;

		if (!d_at(p, prefixes[i].text))
			continue;
		node = d_node_new(p, prefixes[i].kind, &d_peek(p)->location);
		d_advance(p);
		node->op = prefixes[i].op;
		node->left = unary(p);
		if (node->left && node->kind == D_ADDRESS)
			note_addressed(p, node->left);
		return node->left ? node : NULL;
	}
	return NULL;
}

static bool at_prefix(struct d_parser *p)
{
	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (d_at(p, prefixes[i].text))
			return true;
	return false;
}

/* unary := prefix unary | cast | postfix */
static struct d_node *unary(struct d_parser *p)
{
	struct d_node *node = NULL;

	if (!d_enter(p)) {
		d_leave(p);
		return NULL;
	}
	if (d_at(p, "(")) {
		struct d_parser saved = *p;
		struct location at = d_peek(p)->location;

		d_advance(p);
		if (d_at_type(p) || at_unknown_cast(p)) {
			node = cast(p, &at);
			d_leave(p);
			return node;
		}
		*p = saved;
	}
	node = at_prefix(p) ? prefixed(p) : postfix(p);
	d_leave(p);
	return node;
}

/* ---- binary operators -------------------------------------------------------------------------------------------- */

static const struct binary_operator {
	const char *text;
	int precedence; /* higher binds tighter */
	enum d_node_kind kind;
	enum expr_operator op;
} binary_operators[] = {
	{"*", 11, D_BINARY, OP_MULTIPLY},
	{"/", 11, D_BINARY, OP_DIVIDE},
	{"%", 11, D_BINARY, OP_MODULO},
	{"+", 10, D_BINARY, OP_ADD},
	{"-", 10, D_BINARY, OP_SUBTRACT},
	{"<<", 9, D_BINARY, OP_SHIFT_LEFT},
	{">>", 9, D_BINARY, OP_SHIFT_RIGHT},
	{"<", 8, D_BINARY, OP_LESS},
	{">", 8, D_BINARY, OP_GREATER},
	{"<=", 8, D_BINARY, OP_LESS_EQUAL},
	{">=", 8, D_BINARY, OP_GREATER_EQUAL},
	{"==", 7, D_BINARY, OP_EQUAL},
	{"!=", 7, D_BINARY, OP_NOT_EQUAL},
	{"&", 6, D_BINARY, OP_AND},
	{"^", 5, D_BINARY, OP_XOR},
	{"|", 4, D_BINARY, OP_OR},
	{"&&", 3, D_BINARY, OP_LOGICAL_AND},
	{"^^", 2, D_LOGICAL_XOR, OP_NONE},
	{"||", 1, D_BINARY, OP_LOGICAL_OR},
};

/* Is the current "/" the end of a predicate? */
static bool ends_predicate(struct d_parser *p)
{
	char next;

	if (!p->in_predicate || !d_at(p, "/"))
		return false;
	next = d_lexer_peek(&p->lexer);
	return !next || next == '{' || next == ';';
}

static const struct binary_operator *at_binary(struct d_parser *p)
{
	if (d_peek(p)->kind != D_TOKEN_OPERATOR || ends_predicate(p))
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(binary_operators); i++)
		if (d_at(p, binary_operators[i].text))
			return &binary_operators[i];
	return NULL;
}

/* binary := unary { operator binary }, by precedence */
static struct d_node *binary(struct d_parser *p, int precedence)
{
	struct d_node *left = unary(p);

	while (left) {
		const struct binary_operator *operator= at_binary(p);
		struct d_node *node;

		if (!operator|| operator->precedence<precedence)
			break;
		node = d_node_new(p, operator->kind, &d_peek(p)->location);
		d_advance(p);
		node->op = operator->op;
		node->left = left;
		node->right = binary(p, operator->precedence + 1);
		left = node->right ? node : NULL;
	}
	return left;
}

/* conditional := binary [ "?" expression ":" conditional ] */
static struct d_node *conditional(struct d_parser *p)
{
	struct d_node *condition = binary(p, 1), *node;

	if (!condition || !d_at(p, "?"))
		return condition;
	node = d_node_new(p, D_CONDITIONAL, &d_peek(p)->location);
	d_advance(p);
	node->condition = condition;
	node->left = d_expression(p);
	if (!node->left || !d_expect(p, ":", _("in the conditional expression")))
		return NULL;
	node->right = d_enter(p) ? conditional(p) : NULL;
	d_leave(p);
	return node->right ? node : NULL;
}

struct d_node *d_constant(struct d_parser *p)
{
	return conditional(p);
}

static const struct {
	const char *text;
	enum expr_operator op;
} assignments[] = {
	{"=", OP_NONE},	   {"+=", OP_ADD},	   {"-=", OP_SUBTRACT},	    {"*=", OP_MULTIPLY},
	{"/=", OP_DIVIDE}, {"%=", OP_MODULO},	   {"&=", OP_AND},	    {"|=", OP_OR},
	{"^=", OP_XOR},	   {"<<=", OP_SHIFT_LEFT}, {">>=", OP_SHIFT_RIGHT},
};

static struct d_node *assignment(struct d_parser *p)
{
	struct d_node *left = conditional(p);

	for (size_t i = 0; left && i < G_N_ELEMENTS(assignments); i++) {
		struct d_node *node;

		if (!d_at(p, assignments[i].text))
			continue;
		node = d_node_new(p, D_ASSIGN, &d_peek(p)->location);
		d_advance(p);
		node->op = assignments[i].op;
		node->left = left;
		node->right = d_assignment(p);
		return node->right ? node : NULL;
	}
	return left;
}

/* assignment := conditional [ operator assignment ] */
struct d_node *d_assignment(struct d_parser *p)
{
	struct d_node *node = d_enter(p) ? assignment(p) : NULL;

	d_leave(p);
	return node;
}

struct d_node *d_expression(struct d_parser *p)
{
	struct d_node *left = d_assignment(p);

	while (left && d_at(p, ",")) {
		struct d_node *node = d_node_new(p, D_COMMA, &d_peek(p)->location);

		d_advance(p);
		node->left = left;
		node->right = d_assignment(p);
		left = node->right ? node : NULL;
	}
	return left;
}
