// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The definitions of a script as a user enters and removes them: found from the tokens only, so that they are known in
 * a script with errors, too.
 */
#include "translator/session/internal.h"

#include <string.h>

/* The part of a definition that was seen. */
struct piece {
	struct range range;
	const char *keyword; /* of the token with which it begins; "" for others */
	bool has_body; /* its body, or that of a macro, is complete */
};

static const char *const opening[] = {"{", "(", "[", "%("}, *const closing[] = {"}", ")", "]", "%)"};

/* Keep the brackets that are open, as indices of `opening`. Return false at one that closes another than the last. */
static bool follow_brackets(const struct token *token, GByteArray *open)
{
	for (guint8 i = 0; i < G_N_ELEMENTS(opening); i++) {
		if (token_is(token, opening[i]))
			g_byte_array_append(open, &i, 1);
		if (!token_is(token, closing[i]))
			continue;
		if (!open->len || open->data[open->len - 1] != i)
			return false;
		g_byte_array_set_size(open, open->len - 1);
	}
	return true;
}

static bool begins_macro(const struct token *token)
{
	return token->kind == TOKEN_AT && !strcmp(token->text, "define");
}

static bool may_have_body(const struct piece *piece)
{
	return !strcmp(piece->keyword, "probe") || !strcmp(piece->keyword, "function") ||
	       !strcmp(piece->keyword, "define");
}

/* Does a token outside of brackets begin a new piece after @p piece? */
static bool begins_piece(const struct tokens *tokens, guint index, const struct piece *piece)
{
	const struct token *token = token_at(tokens, index);
	bool is_open = may_have_body(piece) && !piece->has_body;

	if (begins_macro(token))
		return true;
	if (token_begins_definition(tokens, index))
		return strcmp(piece->keyword, "private") != 0;
	/* A condition may contain definitions; embedded C may stand alone. */
	return (token_is(token, "%(") || token->kind == TOKEN_EMBEDDED) && !is_open;
}

static void begin_piece(struct piece *piece, const struct token *token, size_t offset)
{
	*piece = (struct piece){.range = {offset, offset}, .keyword = ""};
	if (token->kind == TOKEN_KEYWORD || begins_macro(token))
		piece->keyword = token->text;
}

/* The keyword after "private" is what counts. */
static void continue_piece(const struct tokens *tokens, guint index, struct piece *piece)
{
	if (!strcmp(piece->keyword, "private") && token_begins_definition(tokens, index))
		piece->keyword = token_at(tokens, index)->text;
}

const GArray *document_definitions(struct document *document)
{
	const struct tokens *tokens = document_tokens(document);
	GArray *ret = g_array_new(FALSE, FALSE, sizeof(struct range));
	g_autoptr(GByteArray) open = g_byte_array_new();
	struct piece piece = {.keyword = ""};

	arena_defer(document_begin_query(document), (GDestroyNotify)g_array_unref, ret);
	for (guint i = 0; i < tokens->all->len; i++) {
		const struct token *token = token_at(tokens, i);

		if (!i || (!open->len && begins_piece(tokens, i, &piece))) {
			if (i)
				g_array_append_val(ret, piece.range);
			begin_piece(&piece, token, token_offset(tokens, i));
		} else if (!open->len) {
			continue_piece(tokens, i, &piece);
		}
		follow_brackets(token, open);
		piece.range.to = token_end(tokens, i);
		piece.has_body |=
			!open->len && (token_is(token, "}") || token_is(token, "%)") || token->kind == TOKEN_EMBEDDED);
	}
	if (tokens->all->len)
		g_array_append_val(ret, piece.range);
	return ret;
}

/* Does the text end in a comment or in embedded C that is not closed? The lexer stops at its beginning. */
static bool ends_inside(const struct tokens *tokens)
{
	guint comments = tokens->comments->len, all = tokens->all->len;
	const char *text = tokens->file->text;
	size_t end = all ? token_end(tokens, all - 1) : 0;

	if (comments) {
		const struct comment *last = &g_array_index(tokens->comments, struct comment, comments - 1);

		end = MAX(end, (size_t)(last->source - text) + last->length);
	}
	end += strspn(text + end, " \t\r\n\\");
	return g_str_has_prefix(text + end, "/*") || g_str_has_prefix(text + end, "%{");
}

/* Is there a token that no further text makes right? Follow the brackets, too. */
static bool is_damaged(const struct tokens *tokens, GByteArray *open)
{
	for (guint i = 0; i < tokens->all->len; i++)
		if (token_at(tokens, i)->kind == TOKEN_BAD || !follow_brackets(token_at(tokens, i), open))
			return true;
	return false;
}

bool script_is_complete(const char *text, size_t length)
{
	/* A line ends, so that no name at the end of the text is unfinished. */
	g_autofree char *line = g_strdup_printf("%.*s\n", (int)length, text);
	g_autoptr(GByteArray) open = g_byte_array_new();
	struct tokens *tokens = tokens_new("", line, length + 1);
	struct cursor cursor;
	bool is_complete;

	cursor_find(tokens, length + 1, &cursor);
	is_complete = is_damaged(tokens, open) || (!open->len && !ends_inside(tokens) && cursor.context == CURSOR_TOP);
	tokens_free(tokens);
	return is_complete;
}
