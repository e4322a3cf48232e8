// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turn patterns into programs; see regex.h.
 *
 * The grammar is that of POSIX extended regular expressions (IEEE 1003.1, 9.5.3). The pattern is parsed into a tree,
 * since x{3} needs its operand three times. Nodes are generated from the end of the pattern to its beginning, so that
 * each knows its successor. Undefined cases of POSIX are errors if they are likely mistakes, such as an unknown escape
 * or a "*" without operand. In other cases, egrep is the model: "a|" and "()" match the empty string.
 */
#include "translator/sema/regex.h"

#include <glib.h>
#include <string.h>

#include "common/base/i18n.h"

enum { DEEPEST = 100, NO_LIMIT = -1 };

enum tree_kind { TREE_EMPTY, TREE_BYTES, TREE_SEQUENCE, TREE_CHOICE, TREE_REPEAT, TREE_GROUP, TREE_BEGIN, TREE_END };

struct tree {
	enum tree_kind kind;
	struct tree *left, *right;
	struct byte_set set;
	int least, most; /* TREE_REPEAT */
	unsigned int group;
};

struct pattern {
	struct arena *arena;
	const char *start, *at, *end;
	const char *message; /* the first error, and its place */
	const char *wrong;
	unsigned int groups;
	int depth;
};

static struct tree *fail(struct pattern *p, const char *at, const char *message)
{
	if (!p->message) {
		p->message = message;
		p->wrong = at;
	}
	return NULL;
}

static struct tree *tree_new(struct pattern *p, enum tree_kind kind, struct tree *left, struct tree *right)
{
	struct tree *tree = arena_new0(p->arena, struct tree);

	tree->kind = kind;
	tree->left = left;
	tree->right = right;
	return tree;
}

static bool next_is(const struct pattern *p, char byte)
{
	return p->at < p->end && *p->at == byte;
}

static void set_add(struct byte_set *set, unsigned char byte)
{
	set->bits[byte / 32] |= 1u << byte % 32;
}

/* ---- bracket expressions --------------------------------------------------------------------------------------- */

/* Is @c in a character class of the POSIX locale? The kernel has no other locale. */
static bool in_class(const char *name, size_t length, unsigned char c, bool *known)
{
	static const struct {
		const char *name;
		GAsciiType type;
	} classes[] = {
		{"alpha", G_ASCII_ALPHA},   {"digit", G_ASCII_DIGIT}, {"alnum", G_ASCII_ALNUM},
		{"upper", G_ASCII_UPPER},   {"lower", G_ASCII_LOWER}, {"space", G_ASCII_SPACE},
		{"print", G_ASCII_PRINT},   {"punct", G_ASCII_PUNCT}, {"graph", G_ASCII_GRAPH},
		{"xdigit", G_ASCII_XDIGIT}, {"cntrl", G_ASCII_CNTRL},
	};

	*known = true;
	if (length == 5 && !strncmp(name, "blank", length))
		return c == ' ' || c == '\t';
	if (length == 5 && !strncmp(name, "space", length) && c == '\v')
		return true; /* not in G_ASCII_SPACE */
	for (size_t i = 0; i < G_N_ELEMENTS(classes); i++)
		if (strlen(classes[i].name) == length && !strncmp(classes[i].name, name, length))
			return g_ascii_table[c] & classes[i].type;
	*known = false;
	return false;
}

/* class := "[:" name ":]" */
static bool named_class(struct pattern *p, struct byte_set *set)
{
	const char *name = p->at + 2, *end = name;
	bool known = false;

	while (end + 1 < p->end && !(end[0] == ':' && end[1] == ']'))
		end++;
	for (int c = 1; end + 1 < p->end && c < 256; c++)
		if (in_class(name, end - name, c, &known))
			set_add(set, c);
	if (!known)
		return fail(p, p->at,
			    _("unknown character class; use alpha, digit, alnum, upper, lower, space, "
			      "blank, print, punct, graph, xdigit or cntrl"));
	p->at = end + 2;
	return true;
}

/* Names of characters in the POSIX locale that are not letters (POSIX.1-2017, XBD table 6-1). */
static const struct {
	const char *name;
	char byte;
} character_names[] = {
	{"alert", '\a'},
	{"backspace", '\b'},
	{"tab", '\t'},
	{"newline", '\n'},
	{"vertical-tab", '\v'},
	{"form-feed", '\f'},
	{"carriage-return", '\r'},
	{"space", ' '},
	{"exclamation-mark", '!'},
	{"quotation-mark", '"'},
	{"number-sign", '#'},
	{"dollar-sign", '$'},
	{"percent-sign", '%'},
	{"ampersand", '&'},
	{"apostrophe", '\''},
	{"left-parenthesis", '('},
	{"right-parenthesis", ')'},
	{"asterisk", '*'},
	{"plus-sign", '+'},
	{"comma", ','},
	{"hyphen", '-'},
	{"hyphen-minus", '-'},
	{"period", '.'},
	{"full-stop", '.'},
	{"slash", '/'},
	{"solidus", '/'},
	{"zero", '0'},
	{"one", '1'},
	{"two", '2'},
	{"three", '3'},
	{"four", '4'},
	{"five", '5'},
	{"six", '6'},
	{"seven", '7'},
	{"eight", '8'},
	{"nine", '9'},
	{"colon", ':'},
	{"semicolon", ';'},
	{"less-than-sign", '<'},
	{"equals-sign", '='},
	{"greater-than-sign", '>'},
	{"question-mark", '?'},
	{"commercial-at", '@'},
	{"left-square-bracket", '['},
	{"backslash", '\\'},
	{"reverse-solidus", '\\'},
	{"right-square-bracket", ']'},
	{"circumflex", '^'},
	{"circumflex-accent", '^'},
	{"underscore", '_'},
	{"low-line", '_'},
	{"grave-accent", '`'},
	{"left-brace", '{'},
	{"left-curly-bracket", '{'},
	{"vertical-line", '|'},
	{"right-brace", '}'},
	{"right-curly-bracket", '}'},
	{"tilde", '~'},
};

static bool begins(const struct pattern *p, const char *at, const char *kinds)
{
	return at + 1 < p->end && at[0] == '[' && strchr(kinds, at[1]);
}

/* element := "[." (byte | name) ".]" | "[=" (byte | name) "=]"; in the POSIX locale both are the character itself. */
static bool element(struct pattern *p, unsigned char *ret)
{
	const char *name = p->at + 2, *end = name + 1; /* one byte at least, so that "[[.].]]" is one */

	while (end + 1 < p->end && !(end[0] == name[-1] && end[1] == ']'))
		end++;
	if (end + 1 < p->end && end - name == 1) {
		*ret = *name;
		p->at = end + 2;
		return true;
	}
	for (size_t i = 0; end + 1 < p->end && i < G_N_ELEMENTS(character_names); i++) {
		if (strlen(character_names[i].name) != (size_t)(end - name) ||
		    strncmp(character_names[i].name, name, end - name))
			continue;
		*ret = character_names[i].byte;
		p->at = end + 2;
		return true;
	}
	return fail(p, p->at, _("unknown collating element; use a character, or its name in POSIX"));
}

/* An end of a range: a byte, or "[." element ".]". */
static bool range_end(struct pattern *p, unsigned char *ret)
{
	if (begins(p, p->at, "."))
		return element(p, ret);
	if (begins(p, p->at, "=:"))
		return fail(p, p->at, _("the end of a range must be a single character"));
	*ret = *p->at++;
	return true;
}

/* range := end [ "-" end ] */
static bool range(struct pattern *p, struct byte_set *set)
{
	const char *start = p->at;
	unsigned char from, to;

	if (!range_end(p, &from))
		return false;
	to = from;
	if (p->at + 1 < p->end && p->at[0] == '-' && p->at[1] != ']') {
		p->at++;
		if (!range_end(p, &to))
			return false;
		if (to < from)
			return fail(p, start, _("the range ends before it starts"));
	}
	for (int c = from; c <= to; c++)
		set_add(set, c);
	return true;
}

/*
 * bracket := "[" [ "^" ] { class | "[=" element "=]" | range } "]", where a "]" at the beginning is an ordinary
 * character
 */
static struct tree *bracket(struct pattern *p)
{
	struct tree *tree = tree_new(p, TREE_BYTES, NULL, NULL);
	const char *open = p->at++, *first;
	bool negated = next_is(p, '^'), good = true;
	unsigned char equivalent;

	p->at += negated;
	for (first = p->at; good && p->at < p->end && (*p->at != ']' || p->at == first);) {
		if (begins(p, p->at, ":")) {
			good = named_class(p, &tree->set);
		} else if (begins(p, p->at, "=")) {
			good = element(p, &equivalent);
			if (good)
				set_add(&tree->set, equivalent);
		} else {
			good = range(p, &tree->set);
		}
	}
	if (!good)
		return NULL;
	if (p->at == p->end)
		return fail(p, open, _("'[' without ']'"));
	p->at++;
	for (int i = 0; negated && i < 8; i++)
		tree->set.bits[i] = ~tree->set.bits[i];
	return tree;
}

/* ---- the rest of the grammar ------------------------------------------------------------------------------------ */

static struct tree *choice(struct pattern *p);

static struct tree *single(struct pattern *p, unsigned char byte)
{
	struct tree *tree = tree_new(p, TREE_BYTES, NULL, NULL);

	set_add(&tree->set, byte);
	p->at++;
	return tree;
}

static struct tree *any_byte(struct pattern *p)
{
	struct tree *tree = tree_new(p, TREE_BYTES, NULL, NULL);

	memset(&tree->set, 0xff, sizeof(tree->set));
	p->at++;
	return tree;
}

/* group := "(" choice ")" */
static struct tree *group(struct pattern *p)
{
	const char *open = p->at++;
	struct tree *tree = tree_new(p, TREE_GROUP, NULL, NULL);

	tree->group = p->groups++;
	if (p->groups > REGEX_MOST_GROUPS)
		return fail(p, open, _("too many groups"));
	if (++p->depth > DEEPEST)
		return fail(p, open, _("groups are nested too deep"));
	tree->left = choice(p);
	p->depth--;
	if (!tree->left)
		return NULL;
	if (!next_is(p, ')'))
		return fail(p, open, _("'(' without ')'"));
	p->at++;
	return tree;
}

static struct tree *escaped(struct pattern *p)
{
	const char *backslash = p->at++;

	if (p->at == p->end)
		return fail(p, backslash, _("a backslash at the end"));
	if (g_ascii_isdigit(*p->at))
		return fail(p, backslash, _("back-references (\\1) are not supported"));
	if (g_ascii_isalnum(*p->at))
		return fail(p, backslash, _("unknown escape sequence"));
	return single(p, *p->at);
}

static struct tree *anchor(struct pattern *p, enum tree_kind kind)
{
	p->at++;
	return tree_new(p, kind, NULL, NULL);
}

/* atom := byte | "." | "\" byte | bracket | group | "^" | "$" */
static struct tree *atom(struct pattern *p)
{
	switch (*p->at) {
	case '(':
		return group(p);
	case '[':
		return bracket(p);
	case '.':
		return any_byte(p);
	case '\\':
		return escaped(p);
	case '^':
		return anchor(p, TREE_BEGIN);
	case '$':
		return anchor(p, TREE_END);
	case '*':
	case '+':
	case '?':
	case '{':
		return fail(p, p->at, _("there is nothing to repeat before this"));
	default:
		return single(p, *p->at);
	}
}

static bool count(struct pattern *p, int *ret)
{
	const char *digits = p->at;

	*ret = 0;
	while (p->at < p->end && g_ascii_isdigit(*p->at) && *ret <= REGEX_MOST_REPEATS)
		*ret = *ret * 10 + (*p->at++ - '0');
	if (*ret > REGEX_MOST_REPEATS)
		return fail(p, digits, _("too many repetitions"));
	return p->at > digits;
}

/* bounds := "{" number [ "," [ number ] ] "}" */
static bool bounds(struct pattern *p, struct tree *tree)
{
	const char *open = p->at++;
	bool good = count(p, &tree->least);

	tree->most = tree->least;
	if (good && next_is(p, ',')) {
		p->at++;
		tree->most = NO_LIMIT;
		if (!next_is(p, '}'))
			good = count(p, &tree->most);
	}
	if (!good || !next_is(p, '}'))
		return fail(p, open, _("write repetitions as {3}, {3,} or {3,5}"));
	if (tree->most != NO_LIMIT && tree->most < tree->least)
		return fail(p, open, _("the upper bound is below the lower bound"));
	p->at++;
	return true;
}

/* repeat := atom { "*" | "+" | "?" | bounds } */
static struct tree *repeat(struct pattern *p)
{
	struct tree *tree = atom(p);

	while (tree && p->at < p->end && strchr("*+?{", *p->at)) {
		tree = tree_new(p, TREE_REPEAT, tree, NULL);
		tree->least = *p->at == '+';
		tree->most = *p->at == '?' ? 1 : NO_LIMIT;
		if (*p->at != '{')
			p->at++;
		else if (!bounds(p, tree))
			return NULL;
	}
	return tree;
}

/* sequence := { repeat } */
static struct tree *sequence(struct pattern *p)
{
	struct tree *tree = NULL, *next;

	while (p->at < p->end && *p->at != '|' && *p->at != ')') {
		next = repeat(p);
		if (!next)
			return NULL;
		tree = tree ? tree_new(p, TREE_SEQUENCE, tree, next) : next;
	}
	return tree ?: tree_new(p, TREE_EMPTY, NULL, NULL);
}

/* choice := sequence { "|" sequence } */
static struct tree *choice(struct pattern *p)
{
	struct tree *tree = sequence(p), *other;

	while (tree && next_is(p, '|')) {
		p->at++;
		other = sequence(p);
		tree = other ? tree_new(p, TREE_CHOICE, tree, other) : NULL;
	}
	return tree;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* Add a node and return its number. When the program is full, overwrite the last node; callers check is_full(). */
static unsigned int node(struct regex_program *g, enum stp_regex_kind kind, unsigned int next, unsigned int other)
{
	unsigned int index = MIN(g->count, REGEX_MOST_NODES - 1);

	g->nodes[index] = (struct stp_regex_node){.kind = kind, .next = next, .other = other};
	g->count = index + 1;
	return index;
}

static bool is_full(const struct regex_program *g)
{
	return g->count == REGEX_MOST_NODES;
}

static unsigned int generate(struct regex_program *g, const struct tree *tree, unsigned int next);

static unsigned int generate_times(struct regex_program *g, const struct tree *tree, int times, unsigned int next)
{
	for (int i = 0; i < times && !is_full(g); i++)
		next = generate(g, tree, next);
	return next;
}

/* Generate x{2,} as x, then x with a loop back; x{2,4} as xx(x(x)?)?. */
static unsigned int generate_repeat(struct regex_program *g, const struct tree *tree, unsigned int next)
{
	unsigned int loop, after = next;

	if (tree->most == NO_LIMIT) {
		loop = node(g, STP_REGEX_SPLIT, 0, next);
		g->nodes[loop].next = generate(g, tree->left, loop);
		if (!tree->least)
			return loop;
		return generate_times(g, tree->left, tree->least - 1, g->nodes[loop].next);
	}
	for (int i = tree->least; i < tree->most && !is_full(g); i++)
		next = node(g, STP_REGEX_SPLIT, generate(g, tree->left, next), after);
	return generate_times(g, tree->left, tree->least, next);
}

/* Generate the nodes of a tree that continues with node @next. Return its first node. */
static unsigned int generate(struct regex_program *g, const struct tree *tree, unsigned int next)
{
	unsigned int index;

	if (is_full(g))
		return next;
	switch (tree->kind) {
	case TREE_EMPTY:
		return next;
	case TREE_BYTES:
		index = node(g, STP_REGEX_BYTE, next, 0);
		g->sets[index] = tree->set;
		return index;
	case TREE_SEQUENCE:
		return generate(g, tree->left, generate(g, tree->right, next));
	case TREE_CHOICE:
		index = generate(g, tree->left, next);
		return node(g, STP_REGEX_SPLIT, index, generate(g, tree->right, next));
	case TREE_REPEAT:
		return generate_repeat(g, tree, next);
	case TREE_GROUP:
		next = node(g, STP_REGEX_SAVE, next, 2 * tree->group + 1);
		return node(g, STP_REGEX_SAVE, generate(g, tree->left, next), 2 * tree->group);
	case TREE_BEGIN:
		return node(g, STP_REGEX_BEGIN, next, 0);
	case TREE_END:
		return node(g, STP_REGEX_END, next, 0);
	}
	return next;
}

struct regex_program *regex_parse(struct arena *arena, const char *text, size_t length, const char **message,
				  size_t *at)
{
	struct pattern p = {.arena = arena, .start = text, .at = text, .end = text + length, .groups = 1};
	struct regex_program *g = arena_new0(arena, struct regex_program);
	struct tree *tree = choice(&p);

	if (tree && p.at < p.end)
		tree = fail(&p, p.at, _("')' without '('"));
	if (tree) {
		g->rest = node(g, STP_REGEX_BYTE, 0, 0);
		memset(&g->sets[g->rest], 0xff, sizeof(g->sets[g->rest]));
		g->nodes[g->rest].next = g->rest;
		g->accept = node(g, STP_REGEX_ACCEPT, g->rest, 0);
		g->start = generate(g, tree, g->accept);
		g->groups = p.groups;
		if (is_full(g))
			tree = fail(&p, text, _("the regular expression is too large"));
	}
	*message = p.message;
	*at = p.message ? p.wrong - text : 0;
	return tree ? g : NULL;
}
