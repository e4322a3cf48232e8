// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * C types of expressions such as "$file->f_path", "@cast(p, "struct page")" and "task_current()->mm". The parser of
 * pass 1 parses the text, and pass 2 lowers it as a part of its handler.
 */
#include "translator/session/internal.h"

#include <string.h>

#include "translator/sema/sema.h"
#include "translator/sources.h"

static struct expr *parse_chain(struct translation *t, const char *text, size_t length)
{
	size_t mark = diagnostics_mark(t->diagnostics);
	struct source_file *file = source_new(t, "<chain>", arena_strndup(t->arena, text, length), length);
	struct expr *parsed = parse_expression(&t->language, file);

	diagnostics_rewind(t->diagnostics, mark);
	return parsed;
}

/* Functions that use $variables have a copy for each probe that calls them. */
static struct derived_probe *probe_of(const struct analysis *analysis, const struct definition *definition)
{
	if (!definition || !analysis->t.probes)
		return NULL;
	for_each_ptr(struct function_declaration *, copy, definition->function ? definition->function->copies : NULL) {
		if (copy->context_probe)
			return copy->context_probe;
	}
	return analysis_probe(analysis, definition);
}

/* Lower a copy of an expression, and return its C type. */
static struct type *type_of(struct translation *t, struct derived_probe *probe, const struct expr *parsed,
			    bool as_address)
{
	struct expr *copy = expr_copy(t->arena, parsed);

	if (as_address && copy->kind != EXPR_TARGET)
		return NULL;
	copy->address_of |= as_address;
	lower_trial(t, probe, &copy);
	return copy ? copy->c_type : NULL;
}

struct type *chain_type(struct analysis *analysis, const struct definition *definition, const char *text, size_t length)
{
	struct derived_probe *probe = probe_of(analysis, definition);
	struct translation *t = &analysis->t;
	struct expr *parsed;
	struct type *type;

	if (!probe || !probe->entry_values)
		return NULL;
	parsed = parse_chain(t, text, length);
	if (!parsed)
		return NULL;
	type = type_of(t, probe, parsed, false);
	if (type)
		return type;
	/* A structure has no value, but an address. */
	type = type_of(t, probe, parsed, true);
	return type && type->kind == KIND_POINTER ? type->target : NULL;
}

/* Return the index of the bracket that opens what the one at @p closing closes, or @p closing. */
static guint opening_of(const struct tokens *tokens, guint closing)
{
	int level = 0;

	for (guint i = closing + 1; i-- > 0;) {
		const struct token *token = token_at(tokens, i);

		level += token_is(token, ")") || token_is(token, "]");
		level -= token_is(token, "(") || token_is(token, "[");
		if (!level)
			return i;
	}
	return closing;
}

static bool closes(const struct token *token)
{
	return token_is(token, ")") || token_is(token, "]");
}

size_t chain_begin(const struct tokens *tokens, guint arrow)
{
	guint i = arrow;

	while (i > 0) {
		const struct token *before = token_at(tokens, i - 1);
		bool is_base;

		if (closes(before)) {
			guint opening = opening_of(tokens, i - 1);

			if (opening == i - 1)
				break;
			i = opening;
			continue;
		}
		if (before->kind == TOKEN_OPERATOR && !token_is(before, "->"))
			break;
		is_base = !token_is(before, "->");
		i--;
		/* "@cast(...)", "f(...)", "$x", "name": the chain begins here unless an arrow is before it. */
		if (is_base && (!i || !token_is(token_at(tokens, i - 1), "->")))
			break;
	}
	return token_offset(tokens, i);
}
