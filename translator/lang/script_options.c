// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find the options that a script declares: "@option_number("top", 10, 1, 100, "rows to show")".
 *
 * The macros of tapset/options.stpm expand to the default, in SystemTap as well. The preprocessor replaces that by the
 * value that the user gave (preprocessor.c). The command line must know the options before pass 1, and even before it
 * knows which word is $1. So declarations are found among the tokens of the text, without expanding anything, and
 * their arguments must be literals.
 *
 * A declaration that is the initial value of a global, outside of conditions, declares an option that can also be set
 * when the script starts: its value does not change the module.
 */
#include "translator/lang/script_options.h"

#include <string.h>

#include "common/base/i18n.h"

/* The arguments of a macro, one letter each: 'n' name, 'd' default, 'l' least, 'm' most, 'c' choices, 'h' help. */
static const struct {
	const char *arguments, *usage;
} forms[SCRIPT_OPTION_KIND_COUNT_] = {
	[SCRIPT_OPTION_NUMBER] = {"ndlmh", N_("\"name\", default, least, most, \"description\"")},
	[SCRIPT_OPTION_SIZE] = {"ndlmh", N_("\"name\", default, least, most, \"description\"")},
	[SCRIPT_OPTION_SECONDS] = {"ndlmh", N_("\"name\", default, least, most, \"description\"")},
	[SCRIPT_OPTION_MILLISECONDS] = {"ndlmh", N_("\"name\", default, least, most, \"description\"")},
	[SCRIPT_OPTION_MICROSECONDS] = {"ndlmh", N_("\"name\", default, least, most, \"description\"")},
	[SCRIPT_OPTION_NANOSECONDS] = {"ndlmh", N_("\"name\", default, least, most, \"description\"")},
	[SCRIPT_OPTION_STRING] = {"ndh", N_("\"name\", \"default\", \"description\"")},
	[SCRIPT_OPTION_CHOICE] = {"ndch", N_("\"name\", \"default\", \"one|two|three\", \"description\"")},
	[SCRIPT_OPTION_FLAG] = {"nh", N_("\"name\", \"description\"")},
};

/* The tokens that are read; the last one is before @end. */
struct reader {
	struct language_context *context;
	const struct token *next, *end;
	const struct token *macro;
	struct declared_option *declared;
};

/* ---- one declaration --------------------------------------------------------------------------------------------- */

/* Report a mistake. Return false, for callers to return. */
static bool __attribute__((format(printf, 3, 4)))
mistake(const struct reader *r, const struct token *at, const char *format, ...)
{
	const struct script_option *option = &r->declared->option;
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	diagnose(r->context->diagnostics, PARSE_ERROR, at ? &at->location : &r->macro->location, "%s", text);
	diagnose_hint(r->context->diagnostics, _("declare an option as @%s(%s)"), script_option_macro(option->kind),
		      _(forms[option->kind].usage));
	return false;
}

static bool expected(const struct reader *r, const char *what)
{
	bool at_end = r->next == r->end;

	return mistake(r, at_end ? NULL : r->next, _("expected %s, saw %s"), what,
		       at_end ? _("end of file") : token_description(r->context->arena, r->next));
}

static bool take(struct reader *r, const char *word)
{
	if (r->next == r->end || !token_is(r->next, word))
		return false;
	r->next++;
	return true;
}

/* string := literal { literal } */
static bool read_string(struct reader *r, const char *what, const char **ret)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (r->next == r->end || r->next->kind != TOKEN_STRING)
		return expected(r, what);
	while (r->next < r->end && r->next->kind == TOKEN_STRING)
		g_string_append(text, r->next++->text);
	*ret = arena_strdup(r->context->arena, text->str);
	return true;
}

/* number := [ "-" ] literal */
static bool read_number(struct reader *r, const char *what, int64_t *ret)
{
	bool minus = take(r, "-");

	if (r->next == r->end || r->next->kind != TOKEN_NUMBER)
		return expected(r, what);
	*ret = minus ? (int64_t) - (uint64_t)r->next->number : r->next->number;
	r->next++;
	return true;
}

static bool read_name(struct reader *r)
{
	const struct token *at = r->next;

	r->declared->location = at < r->end ? at->location : r->macro->location;
	if (!read_string(r, _("the name of the option, a string literal"), &r->declared->option.name))
		return false;
	if (!script_option_name_is_valid(r->declared->option.name))
		return mistake(r, at, _("'%s' cannot be the name of an option"), r->declared->option.name);
	return true;
}

static bool read_argument(struct reader *r, char which)
{
	struct script_option *option = &r->declared->option;

	switch (which) {
	case 'n':
		return read_name(r);
	case 'd':
		return script_option_is_number(option->kind)
			       ? read_number(r, _("the default, a number literal"), &option->standard)
			       : read_string(r, _("the default, a string literal"), &option->standard_text);
	case 'l':
		return read_number(r, _("the least value, a number literal"), &option->least);
	case 'm':
		return read_number(r, _("the greatest value, a number literal"), &option->most);
	case 'c':
		return read_string(r, _("the choices, a string literal"), &option->choices);
	default:
		return read_string(r, _("the description, a string literal"), &option->help);
	}
}

static bool read_arguments(struct reader *r)
{
	const char *arguments = forms[r->declared->option.kind].arguments;

	if (!take(r, "("))
		return expected(r, "'('");
	for (const char *which = arguments; *which; which++) {
		if (which > arguments && !take(r, ","))
			return expected(r, "','");
		if (!read_argument(r, *which))
			return false;
	}
	return take(r, ")") || expected(r, "')'");
}

static bool check(const struct reader *r)
{
	const struct script_option *option = &r->declared->option;
	const struct declared_option *other =
		script_options_find(r->context->script_options, option->name, strlen(option->name));

	if (other) {
		mistake(r, NULL, _("option --%s is declared twice"), option->name);
		diagnose_note(r->context->diagnostics, &other->location, _("first declared here"));
		return false;
	}
	if (option->choices && !script_option_has_choice(option, option->standard_text))
		return mistake(r, NULL, _("the default '%s' of option --%s is not one of its choices"),
			       option->standard_text, option->name);
	if (strchr(forms[option->kind].arguments, 'l') &&
	    (option->standard < option->least || option->standard > option->most))
		return mistake(r, NULL, _("the default of option --%s is not within its limits"), option->name);
	return true;
}

/* ---- its value --------------------------------------------------------------------------------------------------- */

static void take_value(struct language_context *context, struct declared_option *declared)
{
	const char *name = declared->option.name;
	size_t length = strlen(name);

	/* The last one wins. */
	for (guint i = context->option_values ? context->option_values->len : 0; i-- && !declared->is_given;) {
		const char *setting = g_ptr_array_index(context->option_values, i);
		struct error *error;

		if (strncmp(setting, name, length) || setting[length] != '=')
			continue;
		declared->text = setting + length + 1;
		error = script_option_parse(&declared->option, declared->text, &declared->number);
		if (error)
			diagnose(context->diagnostics, PARSE_ERROR, &(struct location){0}, "%s", error->message);
		error_free(error);
		declared->is_given = true;
	}
}

/* ---- all of a script --------------------------------------------------------------------------------------------- */

/* Return the global whose initial value is the macro at @at, or NULL. */
static const char *initialized_global(const struct token *first, const struct token *at)
{
	return at - first >= 2 && token_is(&at[-1], "=") && at[-2].kind == TOKEN_IDENTIFIER ? at[-2].text : NULL;
}

static void read_declaration(struct reader *r, enum script_option_kind kind, const char *global)
{
	struct language_context *context = r->context;

	r->declared = arena_new0(context->arena, struct declared_option);
	r->declared->option = (struct script_option){
		.kind = kind,
		.global = global,
		.least = INT64_MIN,
		.most = INT64_MAX,
	};
	if (!read_arguments(r) || !check(r))
		return;
	take_value(context, r->declared);
	g_ptr_array_add(context->script_options, r->declared);
}

void script_options_note(struct language_context *context, const GArray *tokens)
{
	const struct token *first = (const struct token *)(const void *)tokens->data;
	struct reader r = {.context = context, .next = first, .end = first + tokens->len};
	enum script_option_kind kind;
	int level = 0;

	if (!context->script_options)
		context->script_options = arena_ptr_array(context->arena);
	while (r.next < r.end) {
		const struct token *token = r.next++;

		if (token->kind == TOKEN_AT && script_option_find_kind(token->text, &kind)) {
			r.macro = token;
			read_declaration(&r, kind, level ? NULL : initialized_global(first, token));
		} else if (token_is(token, "{") || token_is(token, "%(")) {
			level++;
		} else if (token_is(token, "}") || token_is(token, "%)")) {
			level--;
		}
	}
}

void script_options_scan(struct language_context *context, const struct source_file *file)
{
	g_autoptr(GArray) tokens = g_array_new(FALSE, FALSE, sizeof(struct token));
	struct location end;

	lex_source(context, file, NULL, tokens, &end);
	script_options_note(context, tokens);
}

const struct declared_option *script_options_find(const GPtrArray *options, const char *name, size_t length)
{
	for_each_ptr(const struct declared_option *, declared, options)
		if (strlen(declared->option.name) == length && !strncmp(declared->option.name, name, length))
			return declared;
	return NULL;
}

bool script_options_have_global(const GPtrArray *options, const char *global)
{
	for_each_ptr(const struct declared_option *, declared, options)
		if (!g_strcmp0(declared->option.global, global))
			return true;
	return false;
}
