// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parser: probe points.
 *
 * A point is a dotted sequence of components, each with an optional literal in parentheses, then "?" or "!" and a
 * condition. Braces enclose alternatives and may be nested: each element of the sequence yields a list, and the points
 * are the product of these lists. A component's name is joined from adjacent tokens, since "*" is an operator
 * elsewhere, and every reserved word may be a component ("process.begin", "x.return").
 */
#include <string.h>

#include "common/base/i18n.h"
#include "translator/lang/parser.h"

enum { MOST_POINTS = 10000 };

static bool point_alternatives(struct parser *p, GPtrArray *points, const char *after);

static bool is_name_part(const struct token *token)
{
	return token->kind == TOKEN_IDENTIFIER || token->kind == TOKEN_KEYWORD || token_is(token, "*");
}

/*
 * Can the token continue a name? After a number, only "*" can: a word or digit there, which only a script argument can
 * insert, would merge with the number when the name is printed.
 */
static bool continues_name(const struct token *before, const struct token *token)
{
	if (!adjacent(before, token))
		return false;
	if (before->kind == TOKEN_NUMBER)
		return token_is(token, "*");
	return is_name_part(token) || token->kind == TOKEN_NUMBER;
}

/* name := adjacent words, numbers and "*" */
static struct probe_component *component_name(struct parser *p, const char *after)
{
	struct probe_component *component = arena_new0(p->arena, struct probe_component);
	const struct token *first = peek(p);
	g_autoptr(GString) name = g_string_new(NULL);

	if (!is_name_part(first) && first->kind != TOKEN_BAD) {
		expected(p, arena_printf(p->arena, _("the name of a probe point %s"), after));
		if (first->kind == TOKEN_STRING)
			parse_hint(p, _("a probe point begins with a family, e.g. kernel.function(\"...\")"));
		return NULL;
	}
	component->location = first->location;
	do {
		g_string_append(name, advance_token(p)->text);
	} while (continues_name(previous_token(p), peek(p)));
	component->name = arena_strndup(p->arena, name->str, name->len);
	component->location.length = (int)name->len;
	return component;
}

/* Is the component's argument a name, not a number? */
static bool takes_name(const char *component)
{
	static const char *const names[] = {"function", "module", "process", "library", "statement", "trace",
					    "mark",	"plt",	  "callee",  "label",	"procfs",    "provider"};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(component, names[i]))
			return true;
	return false;
}

/* component := name [ "(" ( number | string ) ")" ] */
static struct probe_component *component(struct parser *p, const char *after)
{
	struct probe_component *c = component_name(p, after);
	const struct token *opening = peek(p);
	bool is_number;

	if (!c || !accept(p, "("))
		return c;
	is_number = at_kind(p, TOKEN_NUMBER) || at(p, "-");
	if (is_number)
		c->argument = number_literal(p, _("a number"));
	else
		c->argument = string_literal(p, _("a string or a number literal"));
	if (!c->argument && at_kind(p, TOKEN_IDENTIFIER) && takes_name(c->name))
		parse_hint(p, _("enclose the name in quotes: \"%s\""), peek(p)->text);
	if (!c->argument)
		return NULL;
	if (accept(p, ")"))
		return c;
	expect_closing(p, ")", opening, _("after the parameter of the probe point"));
	if (at(p, ","))
		parse_hint(p, _("a component takes one parameter; further ones are components of their own"));
	return NULL;
}

/* Append the components of @p tail to a copy of @p head; flags and condition come from the tail. */
static struct probe_point *join(struct parser *p, const struct probe_point *head, const struct probe_point *tail)
{
	struct probe_point *point = probe_point_copy(p->arena, head);
	const struct probe_point *rest = probe_point_copy(p->arena, tail);

	for_each_ptr(struct probe_component *, c, rest->components)
		g_ptr_array_add(point->components, c);
	point->optional = rest->optional;
	point->sufficient = rest->sufficient;
	point->condition = rest->condition;
	return point;
}

/* Replace @p heads by every combination of a head and a tail. */
static GPtrArray *product(struct parser *p, const GPtrArray *heads, const GPtrArray *tails, const struct token *place)
{
	GPtrArray *points;

	if ((size_t)heads->len * tails->len > MOST_POINTS) {
		parse_error(p, place, _("the braces stand for more than %d probe points"), MOST_POINTS);
		return NULL;
	}
	points = arena_ptr_array(p->arena);
	for_each_ptr(const struct probe_point *, head, heads) {
		for_each_ptr(const struct probe_point *, tail, tails)
			g_ptr_array_add(points, join(p, head, tail));
	}
	return points;
}

static struct probe_point *point_new(struct parser *p, const struct location *location)
{
	struct probe_point *point = arena_new0(p->arena, struct probe_point);

	point->location = *location;
	point->components = arena_ptr_array(p->arena);
	return point;
}

/* part := component | "{" points "}" ; the list of sequences that it stands for */
static GPtrArray *part(struct parser *p, const char *after)
{
	GPtrArray *list = arena_ptr_array(p->arena);
	const struct token *first = peek(p);
	struct probe_component *c;
	struct probe_point *point;
	bool good;

	if (accept(p, "{")) {
		if (!enter(p))
			return NULL;
		good = point_alternatives(p, list, _("in braces"));
		leave(p);
		return good && expect_closing(p, "}", first, _("after the alternatives")) ? list : NULL;
	}
	c = component(p, after);
	if (!c)
		return NULL;
	point = point_new(p, &first->location);
	g_ptr_array_add(point->components, c);
	g_ptr_array_add(list, point);
	return list;
}

/* Reject flags and conditions inside braces if more components follow. */
static bool check_no_flags(struct parser *p, const GPtrArray *points, const struct token *place)
{
	for_each_ptr(const struct probe_point *, point, points) {
		if (!point->optional && !point->sufficient && !point->condition)
			continue;
		parse_error(p, place, _("'?', '!' and conditions may only follow the last component"));
		return false;
	}
	return true;
}

/* flags := [ "?" | "!" ] [ "if" "(" expression ")" ] */
static bool flags(struct parser *p, const GPtrArray *points)
{
	bool optional = accept(p, "?"), sufficient = !optional && accept(p, "!");
	struct expr *condition = NULL;
	const struct token *opening;

	if (accept(p, "if")) {
		opening = peek(p);
		if (!expect(p, "(", _("after 'if'")))
			return false;
		p->operators = 0;
		condition = expression(p);
		if (!condition || !expect_closing(p, ")", opening, _("after the condition")))
			return false;
	}
	for_each_ptr(struct probe_point *, point, points) {
		point->sufficient |= sufficient;
		/* "!" implies "?". */
		point->optional = (point->optional || optional) && !point->sufficient;
		if (condition)
			point->condition = expr_copy(p->arena, condition);
	}
	return true;
}

/* point := part { "." part } flags */
static bool point(struct parser *p, GPtrArray *points, const char *after)
{
	const struct token *first = peek(p);
	GPtrArray *list = part(p, after);

	while (list && at(p, ".")) {
		const struct token *dot = advance_token(p);
		GPtrArray *next;

		if (!check_no_flags(p, list, dot))
			return false;
		next = part(p, _("after '.'"));
		list = next ? product(p, list, next, first) : NULL;
	}
	if (!list || !flags(p, list))
		return false;
	for_each_ptr(struct probe_point *, one, list)
		g_ptr_array_add(points, one);
	return true;
}

/* points := point { "," point } */
static bool point_alternatives(struct parser *p, GPtrArray *points, const char *after)
{
	do {
		if (!point(p, points, after))
			return false;
		after = _("after ','");
	} while (accept(p, ","));
	return true;
}

/* Is this "{" the body of a probe whose point is missing? Then its "}" is not followed by more of a point. */
static bool at_body(const struct parser *p)
{
	static const char *const continues[] = {".", ",", "?", "!", "{", "=", "+=", "if"};
	size_t closing = matching_bracket(p, p->position);

	if (!at(p, "{"))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(continues); i++) {
		if (token_is(&p->tokens[closing], "}") && token_is(&p->tokens[closing + 1], continues[i]))
			return false;
	}
	return true;
}

/* Parse the points of a probe, and report a missing one. */
GPtrArray *probe_points(struct parser *p, const char *after)
{
	GPtrArray *points = arena_ptr_array(p->arena);

	do {
		if (at_body(p)) {
			expected(p, arena_printf(p->arena, _("a probe point %s"), after));
			parse_hint(p, _("the form of a probe is: probe point { statements }"));
			return NULL;
		}
		if (!point(p, points, after))
			return NULL;
		after = _("after ','");
	} while (accept(p, ","));
	return points;
}
