// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Preprocessor: macros, "%( condition %? … %: … %)" and script arguments.
 *
 * Input: the tokens of one file. Output: the tokens for the parser. The recursive function expand() copies tokens from
 * a range to an output list. It replaces a conditional by the expansion of the selected branch, a macro use by the
 * expansion of its body, and $1 by the tokens of the argument.
 *
 * The condition is evaluated before the branches are read. So the other branch may use missing arguments and unknown
 * macros, which is the purpose of conditionals. A macro's arguments are expanded once, at the place of use. Tokens of a
 * body have the place of the macro use in location.expanded_from.
 *
 * The trap: macros that use macros can grow exponentially. So the number of tokens and the depth of nesting are
 * limited. A macro cannot be used in its own expansion, which excludes recursion.
 */
#include "translator/lang/preprocessor.h"

#include <fnmatch.h>
#include <string.h>

#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/lang/at_operators.h"
#include "translator/lang/script_options.h"

enum { MOST_TOKENS = 4 * 1000 * 1000, MOST_NESTING = 200, MOST_ERRORS = 20, BYTES_OF_TOKEN = 8 };

struct macro {
	const char *name;
	struct location location;
	GPtrArray *parameters; /* of const char *; NULL: used without parentheses */
	const struct token *body;
	size_t length;
	bool active; /* being expanded */
};

/* The parameters of the macro that is being expanded. */
struct scope {
	const struct macro *macro;
	GArray **arguments; /* the expanded tokens of each parameter */
	const struct location *used_at;
};

/* A range of tokens that is being read. */
struct range {
	const struct token *next, *end;
};

struct preprocessor {
	struct language_context *context;
	GHashTable *macros; /* name -> struct macro *, of this file */
	bool library;
	bool stop; /* too deep, too many tokens or too many errors: emit nothing from now on */
	size_t mark; /* diagnostics mark at the start */
	size_t produced;
	int nesting;
	struct location end;
};

static void expand(struct preprocessor *pp, struct range range, const struct scope *scope, GArray *out);

static bool report(struct preprocessor *pp, const struct location *location, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Report an error. Return false if it was dropped because there are too many. */
static bool report(struct preprocessor *pp, const struct location *location, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	if (pp->stop)
		return false;
	if (diagnostics_mark(pp->context->diagnostics) - pp->mark >= MOST_ERRORS) {
		pp->stop = true;
		return false;
	}
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	diagnose(pp->context->diagnostics, PARSE_ERROR, location, "%s", text);
	return true;
}

#define hint(pp, ...) diagnose_hint((pp)->context->diagnostics, __VA_ARGS__)

static void destroy_array(void *array)
{
	g_array_unref(array);
}

static GArray *token_array(struct arena *arena)
{
	GArray *array = g_array_new(FALSE, FALSE, sizeof(struct token));

	arena_defer(arena, destroy_array, array);
	return array;
}

static struct range whole(const GArray *tokens)
{
	const struct token *first = (const struct token *)(const void *)tokens->data;

	return (struct range){first, first + tokens->len};
}

/* Append a token to the output. Tokens of a macro body get the place of the use. */
static void emit(struct preprocessor *pp, const struct token *token, const struct scope *scope, GArray *out)
{
	struct token copy = *token;

	if (scope)
		copy.location.expanded_from = scope->used_at;
	if (pp->produced++ >= MOST_TOKENS) {
		report(pp, &copy.location, _("macro expansion grows beyond %d tokens"), MOST_TOKENS);
		pp->stop = true;
		return;
	}
	g_array_append_val(out, copy);
}

/* Copy the place of a use to the arena, for the tokens of its expansion. */
static const struct location *keep_location(struct preprocessor *pp, const struct token *token,
					    const struct scope *scope)
{
	struct location *kept = arena_new0(pp->context->arena, struct location);

	*kept = token->location;
	if (scope)
		kept->expanded_from = scope->used_at;
	return kept;
}

static bool next_is(const struct range *range, const char *op)
{
	return range->next < range->end && token_is(range->next, op);
}

static bool take(struct range *range, const char *op)
{
	if (!next_is(range, op))
		return false;
	range->next++;
	return true;
}

/*
 * Find the token @stop1 or @stop2 at the nesting level of @from, where "%(" and "%)" nest. Return NULL if not found.
 */
static const struct token *find_level(const struct token *from, const struct token *end, const char *stop1,
				      const char *stop2)
{
	int level = 0;

	for (const struct token *t = from; t < end; t++) {
		if (level == 0 && (token_is(t, stop1) || (stop2 && token_is(t, stop2))))
			return t;
		if (token_is(t, "%("))
			level++;
		else if (token_is(t, "%)") && --level < 0)
			return NULL;
	}
	return NULL;
}

/* Script arguments */

/* Make a source file of a script argument, for diagnostics. */
static struct source_file *argument_file(struct preprocessor *pp, const char *name, const char *text)
{
	struct source_file *file = arena_new0(pp->context->arena, struct source_file);

	file->name = name;
	file->text = text;
	file->length = strlen(text);
	return file;
}

/* Append a token with the place of another one and a new text. */
static void emit_text(struct preprocessor *pp, const struct token *at, enum token_kind kind, const char *text,
		      const struct scope *scope, GArray *out)
{
	struct token token = *at;

	token.kind = kind;
	token.text = text;
	token.length = strlen(text);
	emit(pp, &token, scope, out);
}

/* Emit a number as tokens; a negative one has two. */
static void emit_number(struct preprocessor *pp, const struct token *at, int64_t value, const struct scope *scope,
			GArray *out)
{
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
	const char *text = arena_printf(pp->context->arena, "%" G_GUINT64_FORMAT, magnitude);
	struct token number = *at;

	if (value < 0)
		emit_text(pp, at, TOKEN_OPERATOR, "-", scope, out);
	number.kind = TOKEN_NUMBER;
	number.text = text;
	number.length = strlen(text);
	number.number = (int64_t)magnitude;
	emit(pp, &number, scope, out);
}

/* Replace the token by the text of an argument (counted from 1): by tokens for "$", by a string for "@". */
static void paste_text(struct preprocessor *pp, const struct token *token, int number, const char *text,
		       const struct scope *scope, GArray *out)
{
	const char *name;
	GArray *tokens;
	struct location end;

	if (*token->source == '@') {
		emit_text(pp, token, TOKEN_STRING, text, scope, out);
		return;
	}
	name = arena_printf(pp->context->arena, _("<argument %d>"), number);
	tokens = token_array(pp->context->arena);
	if (!lex_source(pp->context, argument_file(pp, name, text), keep_location(pp, token, scope), tokens, &end))
		pp->stop = true;
	for (struct range r = whole(tokens); r.next < r.end; r.next++)
		emit(pp, r.next, NULL, out);
}

static void paste_argument(struct preprocessor *pp, const struct token *token, int number, const struct scope *scope,
			   GArray *out)
{
	/* Do not count the uses in argv.stp of the library, which reads all arguments. */
	if (pp->context->argument_used && !token->location.file->is_tapset)
		pp->context->argument_used[number - 1] = true;
	paste_text(pp, token, number, pp->context->arguments[number - 1], scope, out);
}

static void missing_argument(struct preprocessor *pp, const struct token *token)
{
	int count = pp->context->argument_count;

	if (!report(pp, &token->location, _("script argument %c%s was not given"), *token->source, token->text))
		return;
	if (count)
		hint(pp,
		     ngettext("only %d argument was given after the script",
			      "only %d arguments were given after the script", (unsigned long)count),
		     count);
	else
		hint(pp, _("arguments follow the script on the command line, e.g. stap script.stp 10"));
}

static bool has_argument(const struct preprocessor *pp, const struct token *token, int *number)
{
	*number = (int)MIN(g_ascii_strtoull(token->text, NULL, 10), (guint64)G_MAXINT);
	return *number >= 1 && *number <= pp->context->argument_count;
}

/* Replace $# by a number, @# by a string. */
static void emit_argument_count(struct preprocessor *pp, const struct token *token, const struct scope *scope,
				GArray *out)
{
	int count = pp->context->argument_count;

	if (*token->source == '@')
		emit_text(pp, token, TOKEN_STRING, arena_printf(pp->context->arena, "%d", count), scope, out);
	else
		emit_number(pp, token, count, scope, out);
}

static void expand_argument(struct preprocessor *pp, const struct token *token, const struct scope *scope, GArray *out)
{
	int number;

	if (token->text[0] == '#') {
		emit_argument_count(pp, token, scope, out);
	} else if (token->text[0] == '*') {
		for (int i = 1; i <= pp->context->argument_count; i++) {
			if (i > 1)
				emit_text(pp, token, TOKEN_OPERATOR, ",", scope, out);
			paste_argument(pp, token, i, scope, out);
		}
	} else if (has_argument(pp, token, &number)) {
		paste_argument(pp, token, number, scope, out);
	} else if (pp->context->imagines_arguments && number > 0) {
		paste_text(pp, token, number, "1", scope, out);
	} else {
		struct token bad = *token;

		missing_argument(pp, token);
		bad.kind = TOKEN_BAD;
		emit(pp, &bad, scope, out);
	}
}

/* Conditions */

/* A condition that is being evaluated. In dead parts (after a decided && or ||), only the syntax is checked. */
struct condition {
	struct preprocessor *pp;
	struct range range;
	const struct location *place; /* of the "%(" */
	bool failed;
};

static const struct location *condition_place(const struct condition *c)
{
	return c->range.next < c->range.end ? &c->range.next->location : c->place;
}

static const char *condition_saw(const struct condition *c)
{
	return c->range.next < c->range.end ? token_description(c->pp->context->arena, c->range.next) : "'%?'";
}

/* Always false, so that callers can return it. */
static bool condition_error(struct condition *c, const char *expected)
{
	if (!c->failed)
		report(c->pp, condition_place(c), _("expected %s, saw %s"), expected, condition_saw(c));
	c->failed = true;
	return false;
}

enum comparison { COMPARE_LESS = 1, COMPARE_EQUAL = 2, COMPARE_GREATER = 4 };

/* comparison := "<" | "<=" | "==" | "!=" | ">" | ">=" ; 0 after a diagnostic */
static int condition_operator(struct condition *c)
{
	static const struct {
		const char *text;
		int accepts;
	} table[] = {
		{"<", COMPARE_LESS},	{"<=", COMPARE_LESS | COMPARE_EQUAL},
		{"==", COMPARE_EQUAL},	{"!=", COMPARE_LESS | COMPARE_GREATER},
		{">", COMPARE_GREATER}, {">=", COMPARE_GREATER | COMPARE_EQUAL},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		if (take(&c->range, table[i].text))
			return table[i].accepts;
	}
	condition_error(c, _("a comparison such as '==' or '>='"));
	if (next_is(&c->range, "="))
		hint(c->pp, _("equality is written '=='"));
	return 0;
}

static bool accepts(int operators, int difference)
{
	return operators & (difference < 0 ? COMPARE_LESS : difference > 0 ? COMPARE_GREATER : COMPARE_EQUAL);
}

static bool is_equality(int operators)
{
	return operators == COMPARE_EQUAL || operators == (COMPARE_LESS | COMPARE_GREATER);
}

static const struct token *condition_take(struct condition *c, enum token_kind kind)
{
	return c->range.next < c->range.end && c->range.next->kind == kind ? c->range.next++ : NULL;
}

/* Always false, so that callers can return it. */
static bool only_equality(struct condition *c, const struct token *operator_token)
{
	if (report(c->pp, &operator_token->location, _("'%s' can compare versions and numbers only"),
		   operator_token->text))
		hint(c->pp, _("here '==' and '!=' can be used"));
	c->failed = true;
	return false;
}

/* Compare a fact with a text: == and != match a glob; versions are ordered by strverscmp(). */
static bool compare_fact(struct condition *c, const char *fact, bool is_version)
{
	const struct token *operator_token = c->range.next, *literal;
	int operators = condition_operator(c);

	if (!operators)
		return false;
	if (!is_version && !is_equality(operators))
		return only_equality(c, operator_token);
	literal = condition_take(c, TOKEN_STRING);
	if (!literal) {
		condition_error(c, _("a string literal"));
		if (c->range.next < c->range.end && c->range.next->kind == TOKEN_NUMBER)
			hint(c->pp, _("put the value in double quotes"));
		return false;
	}
	if (is_equality(operators) && (!is_version || strpbrk(literal->text, "*?[")))
		return accepts(operators, fnmatch(literal->text, fact, 0));
	return accepts(operators, strverscmp(fact, literal->text));
}

/* Return the leading "x.y.z" of the kernel release. */
static const char *kernel_version(struct condition *c)
{
	const char *release = c->pp->context->kernel_release;

	return arena_strndup(c->pp->context->arena, release, strspn(release, "0123456789."));
}

static bool compare_number(struct condition *c, int64_t left)
{
	int operators = condition_operator(c);
	bool minus = operators && take(&c->range, "-");
	const struct token *right = operators ? condition_take(c, TOKEN_NUMBER) : NULL;
	int64_t value;

	if (!right)
		return operators ? condition_error(c, _("a number")) : false;
	value = minus ? (int64_t) - (uint64_t)right->number : right->number;
	return accepts(operators, (left > value) - (left < value));
}

static bool compare_string(struct condition *c, const char *left)
{
	int operators = condition_operator(c);
	const struct token *right = operators ? condition_take(c, TOKEN_STRING) : NULL;

	if (!right)
		return operators ? condition_error(c, _("a string literal")) : false;
	return accepts(operators, strcmp(left, right->text));
}

/* Compare guru_mode, which is 0 or 1; only == and != are allowed. */
static bool compare_guru_mode(struct condition *c)
{
	const struct token *operator_token = c->range.next;
	int operators = condition_operator(c);
	const struct token *right;

	if (!operators)
		return false;
	if (!is_equality(operators))
		return only_equality(c, operator_token);
	right = condition_take(c, TOKEN_NUMBER);
	if (!right || (right->number != 0 && right->number != 1)) {
		c->range.next -= right != NULL;
		return condition_error(c, _("0 or 1"));
	}
	return accepts(operators, c->pp->context->guru_mode != right->number);
}

/* Parse the value of a configuration option as a number. Return false if it is not a number, or not set. */
static bool option_number(const char *value, int64_t *number)
{
	char *end;

	*number = g_ascii_strtoll(value, &end, 0);
	return *value && !*end;
}

/*
 * Compare an option of the kernel's configuration with a text with wildcards, a number, or another option. A value that
 * is not a number is neither equal to a number, nor less, nor greater.
 */
static bool compare_option(struct condition *c, const char *name)
{
	GHashTable *options = c->pp->context->kernel_config;
	const char *value = g_hash_table_lookup(options, name) ?: "";
	const struct token *first = c->range.next, *second = first + 1;
	int64_t number;
	int operators;

	if (second < c->range.end && second->kind == TOKEN_IDENTIFIER && g_str_has_prefix(second->text, "CONFIG_")) {
		const char *other = g_hash_table_lookup(options, second->text) ?: "";
		int64_t other_number;

		operators = condition_operator(c);
		c->range.next += operators != 0;
		if (operators && !is_equality(operators))
			return option_number(value, &number) && option_number(other, &other_number) &&
			       accepts(operators, (number > other_number) - (number < other_number));
		return operators && accepts(operators, strcmp(value, other));
	}
	if (second < c->range.end && (second->kind == TOKEN_NUMBER || token_is(second, "-"))) {
		if (option_number(value, &number))
			return compare_number(c, number);
		compare_number(c, 0);
		return token_is(first, "!=");
	}
	return compare_fact(c, value, false);
}

/* Evaluate a comparison that begins with a name: kernel_v, kernel_vr, arch, CONFIG_…, systemtap_v… */
static bool condition_fact(struct condition *c)
{
	const struct language_context *context = c->pp->context;
	const struct token *name = c->range.next;
	const struct {
		const char *name, *value;
		bool is_version;
	} facts[] = {
		{"kernel_v", kernel_version(c), true},
		{"kernel_vr", context->kernel_release, true},
		{"arch", context->architecture, false},
		{"systemtap_v", context->systemtap_version, true},
		{"systemtap_privilege", context->privilege, false},
		{"runtime", context->runtime, false},
	};
	const struct {
		const char *name;
		int64_t value;
	} numbers[] = {
		{"argc", context->argument_count},
	};
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *near;

	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++) {
		g_ptr_array_add(names, (char *)facts[i].name);
		if (strcmp(name->text, facts[i].name) != 0)
			continue;
		c->range.next++;
		return compare_fact(c, facts[i].value, facts[i].is_version);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
		g_ptr_array_add(names, (char *)numbers[i].name);
		if (strcmp(name->text, numbers[i].name) != 0)
			continue;
		c->range.next++;
		return compare_number(c, numbers[i].value);
	}
	if (g_str_has_prefix(name->text, "CONFIG_")) {
		c->range.next++;
		return compare_option(c, name->text);
	}
	if (!strcmp(name->text, "guru_mode")) {
		c->range.next++;
		return compare_guru_mode(c);
	}
	g_ptr_array_add(names, "guru_mode");
	report(c->pp, &name->location, _("'%s' cannot be tested in a preprocessor condition"), name->text);
	near = nearest_matches(context->arena, name->text, names, NULL, 3);
	if (near)
		hint(c->pp, _("did you mean %s?"), diagnose_names(context->diagnostics, near));
	else
		hint(c->pp, _("a condition can use kernel_v, kernel_vr, arch, CONFIG_..., systemtap_v, "
			      "systemtap_privilege, guru_mode, runtime, argc, literals and script arguments"));
	c->failed = true;
	return false;
}

/* Skip one side of a comparison in a dead part. */
static bool skip_operand(struct condition *c)
{
	static const enum token_kind kinds[] = {TOKEN_IDENTIFIER, TOKEN_NUMBER, TOKEN_STRING, TOKEN_ARGUMENT};

	take(&c->range, "-");
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (condition_take(c, kinds[i]))
			return true;
	}
	return condition_error(c, _("a preprocessor condition"));
}

/* Skip a comparison in a dead part, which may use missing arguments. */
static void skip_comparison(struct condition *c)
{
	if (skip_operand(c) && condition_operator(c))
		skip_operand(c);
}

static bool condition_or(struct condition *c, bool live);

/* "(" condition ")" */
static bool parenthesized_condition(struct condition *c, bool live)
{
	bool value;

	c->range.next++;
	c->pp->nesting++;
	value = condition_or(c, live);
	c->pp->nesting--;
	return (c->failed || take(&c->range, ")") || condition_error(c, "')'")) && value;
}

/* comparison := fact | number op number | string op string | "(" condition ")" */
static bool condition_comparison(struct condition *c, bool live)
{
	const struct token *token = c->range.next;
	bool minus;

	if (next_is(&c->range, "(") && c->pp->nesting < MOST_NESTING)
		return parenthesized_condition(c, live);
	if (!live) {
		skip_comparison(c);
		return false;
	}
	if (token < c->range.end && token->kind == TOKEN_IDENTIFIER)
		return condition_fact(c);
	if (token < c->range.end && token->kind == TOKEN_ARGUMENT) {
		missing_argument(c->pp, token);
		c->failed = true;
		return false;
	}
	token = condition_take(c, TOKEN_STRING);
	if (token)
		return compare_string(c, token->text);
	minus = take(&c->range, "-");
	token = condition_take(c, TOKEN_NUMBER);
	if (token)
		return compare_number(c, minus ? (int64_t) - (uint64_t)token->number : token->number);
	return condition_error(c, _("a preprocessor condition"));
}

/* conjunction := comparison { "&&" comparison } */
static bool condition_and(struct condition *c, bool live)
{
	bool value = condition_comparison(c, live);

	while (!c->failed && take(&c->range, "&&"))
		value = condition_comparison(c, live && value) && value;
	return value;
}

/* condition := conjunction { "||" conjunction } */
static bool condition_or(struct condition *c, bool live)
{
	bool value = condition_and(c, live);

	while (!c->failed && take(&c->range, "||"))
		value = condition_and(c, live && !value) || value;
	return value;
}

/*
 * Expand macros and arguments inside a condition. Missing arguments stay: evaluation reports them, unless an earlier
 * "$# > 0 &&" makes the comparison irrelevant.
 */
static GArray *expand_condition(struct preprocessor *pp, struct range range, const struct scope *scope)
{
	GArray *out = token_array(pp->context->arena);
	int number;

	while (range.next < range.end) {
		struct range part = {range.next, range.next};

		while (part.end < range.end && (part.end->kind != TOKEN_ARGUMENT || strpbrk(part.end->text, "#*") ||
						has_argument(pp, part.end, &number) || pp->context->imagines_arguments))
			part.end++;
		expand(pp, part, scope, out);
		if (part.end < range.end)
			emit(pp, part.end++, scope, out);
		range.next = part.end;
	}
	return out;
}

static bool evaluate_condition(struct preprocessor *pp, struct range range, const struct location *place,
			       const struct scope *scope, bool *value)
{
	struct condition c = {.pp = pp, .place = place};

	c.range = whole(expand_condition(pp, range, scope));
	*value = condition_or(&c, true);
	if (!c.failed && c.range.next < c.range.end)
		condition_error(&c, _("'%?' after the condition"));
	return !c.failed && !pp->stop;
}

static void unclosed(struct preprocessor *pp, const struct location *opening, const char *missing)
{
	if (report(pp, opening, _("'%%(' without '%s'"), missing))
		hint(pp, _("a conditional is written %%( condition %%? tokens %%: tokens %%); to divide, put a space "
			   "after '%%'"));
	pp->stop = true;
}

/* conditional := "%(" condition "%?" tokens [ "%:" tokens ] "%)" ; range->next is after the "%(" */
static void expand_conditional(struct preprocessor *pp, struct range *range, const struct scope *scope, GArray *out)
{
	const struct token *opening = range->next - 1;
	const struct token *question = find_level(range->next, range->end, "%?", NULL), *colon, *close;
	struct range then, otherwise = {NULL, NULL};
	bool value;

	if (!question) {
		unclosed(pp, &opening->location, "%?");
		return;
	}
	colon = find_level(question + 1, range->end, "%:", "%)");
	close = colon && token_is(colon, "%:") ? find_level(colon + 1, range->end, "%)", NULL) : colon;
	if (!close) {
		unclosed(pp, &opening->location, "%)");
		return;
	}
	then = (struct range){question + 1, colon};
	if (colon != close)
		otherwise = (struct range){colon + 1, close};
	if (evaluate_condition(pp, (struct range){range->next, question}, &opening->location, scope, &value))
		expand(pp, value ? then : otherwise, scope, out);
	range->next = close + 1;
}

/* Macros */

/* Do macros of the current file apply at this place? Not in the text of library macros. */
static bool sees_own_macros(const struct preprocessor *pp, const struct location *at)
{
	return !at->file->is_library || pp->end.file->is_library;
}

/* Find a macro by its name. Text whose C is trusted does not use macros of files whose C is not. */
static struct macro *find_macro(struct preprocessor *pp, const struct token *name)
{
	struct macro *macro = NULL;

	if (sees_own_macros(pp, &name->location))
		macro = g_hash_table_lookup(pp->macros, name->text);
	if (macro || !pp->context->library_macros)
		return macro;
	macro = g_hash_table_lookup(pp->context->library_macros, name->text);
	return macro && pp->end.file->privileged && !macro->location.file->privileged ? NULL : macro;
}

static bool is_same_macro(const struct macro *one, const struct macro *other)
{
	guint count = one->parameters ? one->parameters->len : 0;

	if (one->length != other->length || !one->parameters != !other->parameters ||
	    (count && count != other->parameters->len))
		return false;
	for (guint i = 0; i < count; i++)
		if (strcmp(g_ptr_array_index(one->parameters, i), g_ptr_array_index(other->parameters, i)))
			return false;
	for (size_t i = 0; i < one->length; i++)
		if (one->body[i].kind != other->body[i].kind || strcmp(one->body[i].text, other->body[i].text))
			return false;
	return true;
}

static void add_macro(struct preprocessor *pp, struct macro *macro)
{
	GHashTable *table = pp->library ? pp->context->library_macros : pp->macros;
	const struct macro *other = g_hash_table_lookup(table, macro->name);

	if (strcmp(macro->name, "define") == 0) {
		if (report(pp, &macro->location, _("'@%s' is an operator of the language"), macro->name))
			hint(pp, _("choose another name for the macro"));
	} else if (other && pp->library && is_same_macro(macro, other)) {
		/* A script that is also for SystemTap brings a copy of a file of the library, such as options.stpm. */
		return;
	} else if (other) {
		if (report(pp, &macro->location, _("macro '%s' is defined twice"), macro->name))
			diagnose_note(pp->context->diagnostics, &other->location, _("first defined here"));
	} else {
		if (at_operator_find(macro->name))
			diagnose(pp->context->diagnostics, WARNING, &macro->location,
				 _("macro '%s' replaces the operator '@%s' in this file"), macro->name, macro->name);
		g_hash_table_insert(table, (char *)macro->name, macro);
	}
}

static bool expected(struct preprocessor *pp, const struct range *range, const char *what)
{
	bool at_end = range->next == range->end;

	report(pp, at_end ? &pp->end : &range->next->location, _("expected %s, saw %s"), what,
	       at_end ? _("end of file") : token_description(pp->context->arena, range->next));
	return false;
}

/* parameters := "(" [ name { "," name } ] ")" */
static bool macro_parameters(struct preprocessor *pp, struct range *range, struct macro *macro)
{
	macro->parameters = arena_ptr_array(pp->context->arena);
	if (take(range, ")"))
		return true;
	do {
		if (range->next == range->end || range->next->kind != TOKEN_IDENTIFIER)
			return expected(pp, range, _("the name of a macro parameter"));
		if (g_ptr_array_find_with_equal_func(macro->parameters, range->next->text, g_str_equal, NULL)) {
			report(pp, &range->next->location, _("macro '%s' has two parameters '%s'"), macro->name,
			       range->next->text);
			return false;
		}
		g_ptr_array_add(macro->parameters, (char *)range->next++->text);
	} while (take(range, ","));
	return take(range, ")") || expected(pp, range, _("',' or ')' after the macro parameter"));
}

/* definition := "@define" name [ parameters ] "%(" tokens "%)" ; range->next is after "@define" */
static bool define_macro(struct preprocessor *pp, struct range *range)
{
	struct macro *macro = arena_new0(pp->context->arena, struct macro);
	const struct token *close, *opening;
	struct token *body;

	if (range->next == range->end || range->next->kind != TOKEN_IDENTIFIER)
		return expected(pp, range, _("a macro name after '@define'"));
	macro->name = range->next->text;
	macro->location = range->next++->location;
	if (take(range, "(") && !macro_parameters(pp, range, macro))
		return false;
	opening = range->next;
	if (!take(range, "%(")) {
		expected(pp, range, _("'%(' before the body of the macro"));
		hint(pp, _("a macro is written @define name(parameter) %%( body %%)"));
		return false;
	}
	close = find_level(range->next, range->end, "%)", NULL);
	if (!close) {
		report(pp, &opening->location, _("the body of macro '%s' is never closed"), macro->name);
		hint(pp, _("add '%%)' where it ends"));
		pp->stop = true;
		return false;
	}
	macro->length = (size_t)(close - range->next);
	body = arena_alloc(pp->context->arena, macro->length * sizeof(*body));
	memcpy(body, range->next, macro->length * sizeof(*body));
	macro->body = body;
	range->next = close + 1;
	add_macro(pp, macro);
	return true;
}

/* Return the tokens of the next macro argument, up to a "," or ")" outside of brackets. */
static struct range argument_range(struct range *range)
{
	struct range argument = {range->next, range->next};
	int level = 0;

	for (; argument.end < range->end; argument.end++) {
		const struct token *t = argument.end;
		bool opens = token_is(t, "(") || token_is(t, "[") || token_is(t, "{") || token_is(t, "%(");
		bool closes = token_is(t, ")") || token_is(t, "]") || token_is(t, "}") || token_is(t, "%)");

		if (level == 0 && (token_is(t, ",") || closes))
			break;
		level += opens - closes;
	}
	range->next = argument.end;
	return argument;
}

/* arguments := "(" [ tokens { "," tokens } ] ")" ; each is expanded in the scope of the use */
static GArray **macro_arguments(struct preprocessor *pp, const struct macro *macro, const struct token *use,
				struct range *range, const struct scope *scope)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	GArray **arguments;

	if (!take(range, "(")) {
		if (report(pp, &use->location, _("macro '@%s' is used without its arguments"), macro->name))
			diagnose_note(pp->context->diagnostics, &macro->location, _("defined here"));
		return NULL;
	}
	if (macro->parameters->len || !next_is(range, ")")) {
		do {
			GArray *argument = token_array(pp->context->arena);

			expand(pp, argument_range(range), scope, argument);
			g_ptr_array_add(list, argument);
		} while (take(range, ","));
	}
	if (!take(range, ")")) {
		if (report(pp, &use->location, _("the arguments of macro '@%s' are never closed"), macro->name))
			hint(pp, _("add ')' after the last argument"));
		return NULL;
	}
	if (list->len != macro->parameters->len) {
		if (report(pp, &use->location,
			   ngettext("macro '@%s' takes %u argument, not %u", "macro '@%s' takes %u arguments, not %u",
				    macro->parameters->len),
			   macro->name, macro->parameters->len, list->len))
			diagnose_note(pp->context->diagnostics, &macro->location, _("defined here"));
		return NULL;
	}
	arguments = arena_alloc(pp->context->arena, list->len * sizeof(*arguments));
	for (guint i = 0; i < list->len; i++)
		arguments[i] = g_ptr_array_index(list, i);
	return arguments;
}

/* Replace a macro that could not be expanded by a token that the parser accepts silently. */
static void emit_bad(struct preprocessor *pp, const struct token *use, const struct scope *scope, GArray *out)
{
	struct token bad = *use;

	bad.kind = TOKEN_BAD;
	emit(pp, &bad, scope, out);
}

/* Replace the declaration of an option by the value that was given. Return false if its default applies. */
static bool expand_option(struct preprocessor *pp, const struct token *use, const struct scope *inner,
			  const struct scope *scope, GArray *out)
{
	const struct declared_option *declared;
	struct range name;
	enum script_option_kind kind;

	if (!inner->arguments || !script_option_find_kind(inner->macro->name, &kind))
		return false;
	name = whole(inner->arguments[0]);
	if (name.next == name.end || name.next->kind != TOKEN_STRING)
		return false;
	declared = script_options_find(pp->context->script_options, name.next->text, name.next->length);
	if (!declared || !declared->is_given)
		return false;
	if (script_option_is_number(kind))
		emit_number(pp, use, declared->number, scope, out);
	else
		emit_text(pp, use, TOKEN_STRING, declared->text, scope, out);
	return true;
}

static void expand_macro(struct preprocessor *pp, struct macro *macro, const struct token *use, struct range *range,
			 const struct scope *scope, GArray *out)
{
	struct scope inner = {.macro = macro, .used_at = keep_location(pp, use, scope)};

	if (macro->active) {
		report(pp, inner.used_at, _("macro '@%s' uses itself"), macro->name);
		emit_bad(pp, use, scope, out);
		return;
	}
	if (macro->parameters) {
		inner.arguments = macro_arguments(pp, macro, use, range, scope);
		if (!inner.arguments) {
			emit_bad(pp, use, scope, out);
			return;
		}
	}
	if (expand_option(pp, use, &inner, scope, out))
		return;
	macro->active = true;
	expand(pp, (struct range){macro->body, macro->body + macro->length}, &inner, out);
	macro->active = false;
}

static void unknown_macro(struct preprocessor *pp, const struct token *use, const struct scope *scope, GArray *out)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	GHashTable *tables[] = {pp->macros, pp->context->library_macros};
	const GPtrArray *near;

	at_operator_names(names);
	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
		GHashTableIter iter;
		void *name;

		if (!tables[i])
			continue;
		g_hash_table_iter_init(&iter, tables[i]);
		while (g_hash_table_iter_next(&iter, &name, NULL))
			g_ptr_array_add(names, name);
	}
	if (report(pp, keep_location(pp, use, scope), _("unknown macro or operator '@%s'"), use->text)) {
		near = nearest_matches(pp->context->arena, use->text, names, "@", 3);
		if (near)
			hint(pp, _("did you mean %s?"), diagnose_names(pp->context->diagnostics, near));
		else
			hint(pp, _("define a macro with @define before its first use"));
	}
	emit_bad(pp, use, scope, out);
}

static const GArray *find_parameter(const struct scope *scope, const char *name)
{
	if (!scope || !scope->macro->parameters)
		return NULL;
	for (guint i = 0; i < scope->macro->parameters->len; i++) {
		if (strcmp(g_ptr_array_index(scope->macro->parameters, i), name) == 0)
			return scope->arguments[i];
	}
	return NULL;
}

/* Find a macro of the file with the name of an operator. In its own body, the name refers to the operator. */
static struct macro *own_operator(struct preprocessor *pp, const struct token *name)
{
	struct macro *macro = g_hash_table_lookup(pp->macros, name->text);

	return macro && !macro->active && sees_own_macros(pp, &name->location) ? macro : NULL;
}

/* "@name": a definition, a parameter, a macro of this file, an operator of the language or another macro. */
static void expand_at(struct preprocessor *pp, const struct token *token, struct range *range,
		      const struct scope *scope, GArray *out)
{
	const GArray *parameter = find_parameter(scope, token->text);
	struct macro *macro;

	if (parameter) {
		for (struct range r = whole(parameter); r.next < r.end && !pp->stop; r.next++)
			emit(pp, r.next, NULL, out);
		return;
	}
	if (strcmp(token->text, "define") == 0) {
		if (!define_macro(pp, range))
			pp->stop = true;
		return;
	}
	macro = at_operator_find(token->text) ? own_operator(pp, token) : find_macro(pp, token);
	if (macro)
		expand_macro(pp, macro, token, range, scope, out);
	else if (at_operator_find(token->text))
		emit(pp, token, scope, out);
	else
		unknown_macro(pp, token, scope, out);
}

static void stray_bracket(struct preprocessor *pp, const struct token *token)
{
	if (report(pp, &token->location, _("'%s' outside of a preprocessor conditional"), token->text))
		hint(pp, _("put a space after '%%' if you mean the remainder of a division"));
}

static void expand_token(struct preprocessor *pp, const struct token *token, struct range *range,
			 const struct scope *scope, GArray *out)
{
	if (token->kind == TOKEN_AT)
		expand_at(pp, token, range, scope, out);
	else if (token->kind == TOKEN_ARGUMENT)
		expand_argument(pp, token, scope, out);
	else if (token_is(token, "%("))
		expand_conditional(pp, range, scope, out);
	else if (token_is(token, "%?") || token_is(token, "%:") || token_is(token, "%)"))
		stray_bracket(pp, token);
	else
		emit(pp, token, scope, out);
}

static void expand(struct preprocessor *pp, struct range range, const struct scope *scope, GArray *out)
{
	if (range.next == range.end)
		return;
	if (++pp->nesting > MOST_NESTING) {
		report(pp, &range.next->location, _("preprocessor constructs are nested more than %d deep"),
		       MOST_NESTING);
		pp->stop = true;
	}
	while (range.next < range.end && !pp->stop) {
		const struct token *token = range.next++;

		expand_token(pp, token, &range, scope, out);
	}
	pp->nesting--;
}

bool preprocess(struct language_context *context, const struct source_file *file, bool library, GArray **tokens)
{
	g_autoptr(GHashTable) macros = g_hash_table_new(g_str_hash, g_str_equal);
	struct preprocessor pp = {
		.context = context,
		.macros = macros,
		.library = library,
		.mark = diagnostics_mark(context->diagnostics),
	};
	struct token end = {.kind = TOKEN_END, .text = ""};
	/* Reserve space for most files, since a growing array is copied repeatedly. */
	guint most = MIN(file->length / BYTES_OF_TOKEN, (size_t)MOST_TOKENS);
	g_autoptr(GArray) raw = g_array_sized_new(FALSE, FALSE, sizeof(struct token), most);

	*tokens = g_array_sized_new(FALSE, FALSE, sizeof(struct token), most);
	/* The bodies of library macros refer to these tokens, so they live as long as the arena. */
	if (library)
		arena_defer(context->arena, destroy_array, g_array_ref(raw));
	if (!lex_source(context, file, NULL, raw, &pp.end) && !context->keeps_damaged)
		return false;
	if (!library && !file->is_tapset)
		script_options_note(context, raw);
	expand(&pp, whole(raw), NULL, *tokens);
	end.location = pp.end;
	end.source = file->text + file->length;
	g_array_append_val(*tokens, end);
	return !pp.stop || context->keeps_damaged;
}

bool language_older_than(const struct language_context *context, const char *version)
{
	return strverscmp(context->systemtap_version, version) < 0;
}

void language_visit_macros(const struct language_context *context,
			   void (*visit)(const struct macro_view *macro, void *data), void *data)
{
	GHashTableIter iter;
	const struct macro *macro;

	g_hash_table_iter_init(&iter, context->library_macros);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&macro))
		visit(&(struct macro_view){macro->name, &macro->location, macro->parameters}, data);
}
