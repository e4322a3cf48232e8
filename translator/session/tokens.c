// SPDX-License-Identifier: GPL-2.0-or-later
/* The tokens of a document, from the lexer of pass 1. Errors are dropped here: the analysis reports them. */
#include "translator/session/internal.h"

#include <string.h>

struct tokens *tokens_new(const char *path, const char *text, size_t length)
{
	struct arena *arena = arena_new();
	struct tokens *tokens = arena_new0(arena, struct tokens);
	struct language_context context = {.arena = arena, .diagnostics = diagnostics_new(arena)};
	struct location end;

	tokens->arena = arena;
	tokens->file = arena_new0(arena, struct source_file);
	tokens->file->name = arena_strdup(arena, path);
	tokens->file->text = arena_strndup(arena, text, length);
	tokens->file->length = length;
	tokens->all = g_array_new(FALSE, FALSE, sizeof(struct token));
	tokens->comments = context.comments = g_array_new(FALSE, FALSE, sizeof(struct comment));
	lex_source(&context, tokens->file, NULL, tokens->all, &end);
	return tokens;
}

void tokens_free(struct tokens *tokens)
{
	if (!tokens)
		return;
	g_array_unref(tokens->all);
	g_array_unref(tokens->comments);
	arena_free(tokens->arena);
}

const struct tokens *document_tokens(struct document *document)
{
	const GString *bytes = document->text.bytes;

	if (!document->tokens)
		document->tokens = tokens_new(document->path, bytes->str, bytes->len);
	return document->tokens;
}

const struct token *token_at(const struct tokens *tokens, guint index)
{
	return &g_array_index(tokens->all, struct token, index);
}

size_t token_offset(const struct tokens *tokens, guint index)
{
	return (size_t)(token_at(tokens, index)->source - tokens->file->text);
}

size_t token_end(const struct tokens *tokens, guint index)
{
	const struct token *token = token_at(tokens, index);

	/* The location of embedded C is only its opening bracket. */
	return token_offset(tokens, index) +
	       (token->kind == TOKEN_EMBEDDED ? token->length + 4 : (size_t)token->location.length);
}

guint tokens_from(const struct tokens *tokens, size_t offset)
{
	guint low = 0, high = tokens->all->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (token_offset(tokens, middle) < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_word(const struct token *token)
{
	return token->kind != TOKEN_OPERATOR && token->kind != TOKEN_BAD;
}

bool tokens_find(const struct tokens *tokens, size_t offset, guint *index)
{
	guint next = tokens_from(tokens, offset);
	bool begins = next < tokens->all->len && token_offset(tokens, next) == offset;
	bool touches = next > 0 && token_end(tokens, next - 1) >= offset;

	if (begins && (!touches || is_word(token_at(tokens, next))))
		*index = next;
	else if (touches)
		*index = next - 1;
	return begins || touches;
}

bool tokens_in_comment(const struct tokens *tokens, size_t offset)
{
	for (guint i = 0; i < tokens->comments->len; i++) {
		const struct comment *comment = &g_array_index(tokens->comments, struct comment, i);
		size_t begin = (size_t)(comment->source - tokens->file->text);

		if (begin >= offset)
			return false;
		/* The end of a line belongs to a comment of the line, but not the end of a bracketed one. */
		if (offset < begin + comment->length ||
		    (offset == begin + comment->length && !g_str_has_prefix(comment->source, "/*")))
			return true;
	}
	return false;
}

bool token_precedes_alternatives(const struct token *token)
{
	static const char *const texts[] = {".", ",", "=", "+=", "{", "probe"};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		if (token_is(token, texts[i]))
			return true;
	return false;
}

bool token_begins_definition(const struct tokens *tokens, guint index)
{
	static const char *const words[] = {"probe", "function", "global", "private"};
	const struct token *token = token_at(tokens, index);

	if (token->kind != TOKEN_KEYWORD || (index && token_is(token_at(tokens, index - 1), ".")))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (!strcmp(token->text, words[i]))
			return true;
	return false;
}

bool token_defines_macro(const struct tokens *tokens, guint index)
{
	const struct token *before = index ? token_at(tokens, index - 1) : NULL;

	return before && token_at(tokens, index)->kind == TOKEN_IDENTIFIER && before->kind == TOKEN_AT &&
	       !strcmp(before->text, "define");
}

const char *token_macro(const struct tokens *tokens, guint index)
{
	const struct token *token = token_at(tokens, index);

	return token->kind == TOKEN_AT || token_defines_macro(tokens, index) ? token->text : NULL;
}

bool tokens_macro_definition(const struct tokens *tokens, const char *name, guint *index)
{
	for (guint i = 0; i < tokens->all->len; i++)
		if (token_defines_macro(tokens, i) && !strcmp(token_at(tokens, i)->text, name)) {
			*index = i;
			return true;
		}
	return false;
}
