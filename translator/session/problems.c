// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Problems of a document: the diagnostics of passes 1 and 2 with ranges of the text, and the fixes that their hints
 * suggest.
 *
 * Some errors do not mean that the script is wrong, so they are shown as information: debuginfo is not indexed yet, or
 * a probe point depends on an argument of the script, which is not known before it runs.
 */
#include "translator/session/internal.h"

#include <string.h>

#include "common/base/i18n.h"

static const char *const codes[DIAGNOSTIC_KIND_COUNT_] = {"parse error", "semantic error", "warning"};

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* Return the place of the text that led to a diagnostic: outside of macros and of the library. */
static bool range_of(const struct analysis *analysis, const struct diagnostic *diagnostic, struct range *ret)
{
	for (const struct location *at = &diagnostic->location; at; at = at->expanded_from)
		if (analysis_range(analysis, at, ret))
			return true;
	for_each_ptr(const struct diagnostic_note *, note, diagnostic->notes)
		for (const struct location *at = &note->location; at; at = at->expanded_from)
			if (analysis_range(analysis, at, ret))
				return true;
	*ret = (struct range){0};
	return false;
}

static void add_related(struct arena *arena, const struct location *at, const char *text, GPtrArray *ret)
{
	struct related *related;

	if (!at->file || *at->file->name != '/')
		return;
	related = arena_new0(arena, struct related);
	related->place = (struct place){at->file->name, at->line, at->column, at->length};
	related->text = text;
	g_ptr_array_add(ret, related);
}

/* Add the places that lead to a diagnostic elsewhere, and its notes. */
static void add_places(struct analysis *analysis, const struct diagnostic *diagnostic, struct problem *problem)
{
	struct arena *arena = analysis->t.arena;

	for (const struct location *at = &diagnostic->location; at; at = at->expanded_from)
		if (at->expanded_from || at->file != analysis->source)
			add_related(arena, at, diagnostic->text, problem->related);
	for_each_ptr(const struct diagnostic_note *, note, diagnostic->notes)
		add_related(arena, &note->location, note->text, problem->related);
}

/* ---- severity ---------------------------------------------------------------------------------------------------- */

static bool is_excused(const struct translation *t, const char *text)
{
	for_each_ptr(const char *, excuse, t->excuses) {
		if (!strcmp(excuse, text))
			return true;
	}
	return false;
}

/* Is an argument of the script on a line, where the lexer saw "$1" or "@1"? */
static bool uses_argument(const struct tokens *tokens, int line)
{
	for (guint i = 0; i < tokens->all->len; i++) {
		const struct token *token = token_at(tokens, i);

		if (token->kind == TOKEN_ARGUMENT && token->location.line == line && *token->text != '#')
			return true;
	}
	return false;
}

static enum severity severity_of(const struct analysis *analysis, const struct tokens *tokens,
				 const struct diagnostic *diagnostic, const struct problem *problem)
{
	int line = (int)text_line(&analysis->text, problem->range.from) + 1;

	if (diagnostic->kind == WARNING && !analysis->t.options->fatal_warnings)
		return SEVERITY_WARNING;
	if (is_excused(&analysis->t, diagnostic->text))
		return SEVERITY_INFORMATION;
	return diagnostic->kind == SEMANTIC_ERROR && uses_argument(tokens, line) ? SEVERITY_INFORMATION
										 : SEVERITY_ERROR;
}

/* ---- fixes ------------------------------------------------------------------------------------------------------- */

/*
 * Return the range that a suggested name replaces. A diagnostic about an argument of a probe point marks the point or
 * the component, as in kernel.function("vfs_raed"), and names the argument.
 */
static struct range range_to_fix(const struct analysis *analysis, const struct tokens *tokens,
				 const struct problem *problem, const char *text)
{
	const struct name *name = analysis_name(analysis, problem->range.from);

	if (!name || name->kind != NAME_ALIAS || name->range.from != problem->range.from)
		return problem->range;
	for (guint i = tokens_from(tokens, problem->range.from); i < tokens->all->len; i++) {
		const struct token *token = token_at(tokens, i);
		size_t begin = token_offset(tokens, i) + 1, length;

		if (token_is(token, "{") || token_is(token, ","))
			break;
		if (token->kind != TOKEN_STRING)
			continue;
		length = strcspn(token->source + 1, "@:\"");
		if (length && memmem(text, strlen(text), token->source + 1, length))
			return (struct range){begin, begin + length};
	}
	return problem->range;
}

static void add_fixes(struct analysis *analysis, const struct tokens *tokens, const struct diagnostic *diagnostic,
		      struct problem *problem)
{
	struct arena *arena = analysis->t.arena;
	struct range range = range_to_fix(analysis, tokens, problem, diagnostic->text);

	if (range.from == range.to)
		return;
	for_each_ptr(const char *, name, diagnostic->alternatives) {
		struct fix *fix = arena_new0(arena, struct fix);

		fix->title = arena_printf(arena, _("Replace with '%s'"), name);
		fix->edit = (struct edit){range, name};
		g_ptr_array_add(problem->fixes, fix);
	}
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

static struct problem *problem_new(struct analysis *analysis, enum severity severity, const char *code,
				   const char *text, const char *hint)
{
	struct arena *arena = analysis->t.arena;
	struct problem *problem = arena_new0(arena, struct problem);

	problem->severity = severity;
	problem->code = code;
	problem->text = hint ? arena_printf(arena, "%s\n%s: %s", text, _("hint"), hint) : text;
	problem->related = arena_ptr_array(arena);
	problem->fixes = arena_ptr_array(arena);
	g_ptr_array_add(analysis->problems, problem);
	return problem;
}

static void add_problem(struct analysis *analysis, const struct tokens *tokens, const struct diagnostic *diagnostic)
{
	struct problem *problem =
		problem_new(analysis, SEVERITY_ERROR, codes[diagnostic->kind], diagnostic->text, diagnostic->hint);

	if (range_of(analysis, diagnostic, &problem->range) && diagnostic->location.file == analysis->source &&
	    !diagnostic->location.expanded_from)
		add_fixes(analysis, tokens, diagnostic, problem);
	add_places(analysis, diagnostic, problem);
	problem->severity = severity_of(analysis, tokens, diagnostic, problem);
}

void find_problems(struct analysis *analysis, const struct tokens *tokens)
{
	const struct environment *environment = analysis->environment;

	analysis->problems = arena_ptr_array(analysis->t.arena);
	if (analysis->text_problem)
		problem_new(analysis, SEVERITY_ERROR, "options", analysis->text_problem, NULL);
	if (environment->problem)
		problem_new(analysis, SEVERITY_ERROR, "options", environment->problem, environment->hint);
	for_each_ptr(const struct diagnostic *, diagnostic, diagnostics_all(analysis->t.diagnostics))
		add_problem(analysis, tokens, diagnostic);
}
