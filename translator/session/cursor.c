// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find the context of the cursor from the tokens around it. Code is incomplete where it is typed, so the tree says
 * little there. The rules are few: a keyword begins a definition, and braces enclose bodies or alternatives of points.
 */
#include "translator/session/internal.h"

#include <string.h>

/* ---- the word ---------------------------------------------------------------------------------------------------- */

static bool is_string(const struct token *token)
{
	return *token->source == '"' && (token->kind == TOKEN_STRING || token->kind == TOKEN_BAD);
}

/* Is the offset between the quotes of a string? One that is not closed ends with its line. */
static bool in_string(const struct tokens *tokens, guint index, size_t offset)
{
	size_t begin = token_offset(tokens, index), end = token_end(tokens, index);

	if (!is_string(token_at(tokens, index)) || offset <= begin)
		return false;
	return offset < end || (offset == end && token_at(tokens, index)->kind == TOKEN_BAD);
}

static bool is_word(const struct token *token)
{
	return token->kind == TOKEN_IDENTIFIER || token->kind == TOKEN_KEYWORD || token->kind == TOKEN_TARGET ||
	       token->kind == TOKEN_AT;
}

/* Find the unfinished word before the offset. Return true if it is in a string. */
static bool find_word(struct cursor *cursor)
{
	const struct tokens *tokens = cursor->tokens;
	guint i;

	cursor->next = tokens_from(tokens, cursor->offset);
	cursor->word = (struct range){cursor->offset, cursor->offset};
	if (!cursor->next)
		return false;
	i = cursor->next - 1;
	if (in_string(tokens, i, cursor->offset)) {
		cursor->next = i;
		cursor->word.from = token_offset(tokens, i) + 1;
		return true;
	}
	/* "@" alone is an error, but the beginning of an operator's name. */
	if (token_end(tokens, i) >= cursor->offset &&
	    (is_word(token_at(tokens, i)) || *token_at(tokens, i)->source == '@')) {
		cursor->next = i;
		cursor->word.from = token_offset(tokens, i);
	}
	return false;
}

/* ---- the context ------------------------------------------------------------------------------------------------- */

static int bracket_level(const struct token *token, const char *opening, const char *closing)
{
	return token_is(token, opening) - token_is(token, closing);
}

/* Is the cursor in the "(" of "if" in a point? */
static bool in_condition(const struct tokens *tokens, guint from, guint to)
{
	int level = 0;

	for (guint i = to; i-- > from;) {
		level -= bracket_level(token_at(tokens, i), "(", ")");
		if (level < 0)
			return i > from && token_is(token_at(tokens, i - 1), "if");
	}
	return false;
}

/* Find the token after the points of a probe: the "{" of its body. Return cursor->next if it is not reached. */
static guint body_begin(const struct cursor *cursor, guint from)
{
	int alternatives = 0, brackets = 0;

	for (guint i = from; i < cursor->next; i++) {
		const struct token *token = token_at(cursor->tokens, i);

		brackets += bracket_level(token, "(", ")");
		if (token_is(token, "{") && !brackets && !alternatives &&
		    !token_precedes_alternatives(token_at(cursor->tokens, i - 1)))
			return i;
		alternatives += bracket_level(token, "{", "}");
	}
	return cursor->next;
}

/* Return how many braces are open at the cursor, from @from on; -1 after the last one was closed. */
static int open_braces(const struct cursor *cursor, guint from)
{
	int level = 0;

	for (guint i = from; i < cursor->next; i++) {
		level += bracket_level(token_at(cursor->tokens, i), "{", "}");
		if (!level)
			return -1;
	}
	return level;
}

static enum cursor_context context_in_probe(const struct cursor *cursor, bool is_string)
{
	const struct tokens *tokens = cursor->tokens;
	guint body = body_begin(cursor, cursor->keyword + 1);

	if (body < cursor->next) {
		int open = open_braces(cursor, body);
		bool goes_on = cursor->next && token_is(token_at(tokens, cursor->next - 1), ",");

		/* An alias may have a second body. */
		return open > 0 ? CURSOR_CODE : goes_on ? CURSOR_NOWHERE : CURSOR_TOP;
	}
	if (in_condition(tokens, cursor->keyword, cursor->next))
		return CURSOR_CODE;
	return is_string ? CURSOR_ARGUMENT : CURSOR_POINT;
}

static enum cursor_context context_in_function(const struct cursor *cursor)
{
	guint i = cursor->keyword + 1;

	while (i < cursor->next && !token_is(token_at(cursor->tokens, i), "{") &&
	       token_at(cursor->tokens, i)->kind != TOKEN_EMBEDDED)
		i++;
	if (i == cursor->next)
		return CURSOR_NOWHERE;
	if (token_at(cursor->tokens, i)->kind == TOKEN_EMBEDDED)
		return CURSOR_TOP;
	return open_braces(cursor, i) > 0 ? CURSOR_CODE : CURSOR_TOP;
}

static bool find_keyword(struct cursor *cursor)
{
	for (guint i = cursor->next; i-- > 0;)
		if (token_begins_definition(cursor->tokens, i)) {
			cursor->keyword = i;
			return true;
		}
	return false;
}

/* After "global" there is a name, or on a new line anything. */
static enum cursor_context context_in_global(const struct cursor *cursor)
{
	const struct tokens *tokens = cursor->tokens;
	const struct token *before = token_at(tokens, cursor->next - 1);
	size_t begin = token_offset(tokens, cursor->next - 1);

	if (cursor->next - 1 == cursor->keyword || token_is(before, ",") || token_is(before, "="))
		return CURSOR_NOWHERE;
	return memchr(tokens->file->text + begin, '\n', cursor->word.from - begin) ? CURSOR_TOP : CURSOR_NOWHERE;
}

static enum cursor_context context_of(struct cursor *cursor, bool is_string)
{
	const struct tokens *tokens = cursor->tokens;
	const struct token *keyword;

	if (cursor->next && token_is(token_at(tokens, cursor->next - 1), "->") && !is_string)
		return CURSOR_MEMBER;
	cursor->has_keyword = find_keyword(cursor);
	if (!cursor->has_keyword)
		return is_string ? CURSOR_STRING : CURSOR_TOP;
	keyword = token_at(tokens, cursor->keyword);
	if (token_is(keyword, "probe"))
		return context_in_probe(cursor, is_string);
	if (is_string)
		return CURSOR_STRING;
	return token_is(keyword, "function") ? context_in_function(cursor) : context_in_global(cursor);
}

static bool in_embedded(const struct cursor *cursor)
{
	guint i = tokens_from(cursor->tokens, cursor->offset);

	return i && token_at(cursor->tokens, i - 1)->kind == TOKEN_EMBEDDED &&
	       token_end(cursor->tokens, i - 1) > cursor->offset;
}

void cursor_find(const struct tokens *tokens, size_t offset, struct cursor *ret)
{
	bool is_string;

	*ret = (struct cursor){.tokens = tokens, .offset = offset};
	is_string = find_word(ret);
	ret->context = context_of(ret, is_string);
	if (is_string && ret->context == CURSOR_CODE)
		ret->context = CURSOR_STRING;
	if (tokens_in_comment(tokens, offset) || in_embedded(ret))
		ret->context = CURSOR_NOWHERE;
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

GString *cursor_point(const struct cursor *cursor)
{
	g_autoptr(GArray) outer = g_array_new(FALSE, FALSE, sizeof(gsize));
	GString *text = g_string_new(NULL);

	for (guint i = cursor->keyword + 1; i < cursor->next; i++) {
		const struct token *token = token_at(cursor->tokens, i);
		size_t length = token_end(cursor->tokens, i) - token_offset(cursor->tokens, i);

		if (token_is(token, "{")) {
			g_array_append_val(outer, text->len);
		} else if (token_is(token, "}")) {
			if (outer->len)
				g_array_set_size(outer, outer->len - 1);
		} else if (token_is(token, ",") || token_is(token, "=") || token_is(token, "+=")) {
			g_string_truncate(text, outer->len ? g_array_index(outer, gsize, outer->len - 1) : 0);
		} else {
			g_string_append_len(text, token->source, (gssize)length);
		}
	}
	return text;
}
