// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formatting. Only whitespace inside of lines changes, and empty lines at most: where a line ends matters in the
 * language, and the author has reasons for it.
 *
 * The tree says how deep each line is indented that begins a statement or a definition. Other lines continue one, or
 * are text that the tree does not have (comments, macros, branches of conditions that were not taken): they keep their
 * distance to the line before. Between tokens there are the spaces that the kernel's style has, but none is added or
 * removed where that could join or split tokens of a probe point.
 */
#include "translator/session/internal.h"

#include <string.h>

#include "translator/lang/operators.h"
#include "translator/sources.h"

enum { UNKNOWN_DEPTH = -1 };

/* A line of the text. */
struct line {
	size_t from, to; /* without blanks at its ends */
	int old_columns; /* of its indentation */
	int depth; /* levels, or UNKNOWN_DEPTH */
	bool is_verbatim; /* it begins inside of a comment, a string or embedded C */
};

struct formatter {
	const struct format_style *style;
	struct source_file *file;
	struct tokens *tokens;
	struct text text;
	GArray *lines; /* of struct line */
	GString *out;
};

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static int columns_of(const struct formatter *f, const char *blanks, size_t length)
{
	int columns = 0;

	for (size_t i = 0; i < length; i++)
		columns = blanks[i] == '\t' ? (columns / f->style->tab_size + 1) * f->style->tab_size : columns + 1;
	return columns;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static void find_lines(struct formatter *f)
{
	const char *bytes = f->text.bytes->str;

	for (size_t number = 0; number < f->text.lines->len; number++) {
		size_t begin = text_line_begin(&f->text, number);
		struct line line = {.from = begin, .to = text_line_end(&f->text, number), .depth = UNKNOWN_DEPTH};

		while (line.from < line.to && is_blank(bytes[line.from]))
			line.from++;
		while (line.to > line.from && is_blank(bytes[line.to - 1]))
			line.to--;
		line.old_columns = columns_of(f, bytes + begin, line.from - begin);
		g_array_append_val(f->lines, line);
	}
}

static struct line *line_at(struct formatter *f, size_t number)
{
	return &g_array_index(f->lines, struct line, number);
}

/* Keep the lines of a token that has several, as embedded C has: all but the beginning of the first. */
static void keep_tokens(struct formatter *f)
{
	for (guint i = 0; i < f->tokens->all->len; i++) {
		size_t last = text_line(&f->text, token_end(f->tokens, i) - 1);

		for (size_t number = text_line(&f->text, token_offset(f->tokens, i)); number < last; number++) {
			line_at(f, number)->to = text_line_begin(&f->text, number + 1) - 1;
			line_at(f, number + 1)->is_verbatim = true;
			line_at(f, number + 1)->from = text_line_begin(&f->text, number + 1);
		}
	}
}

/* Keep the blanks at the ends of comments: they may mean something to a reader of the comment. */
static void keep_comments(struct formatter *f)
{
	for (guint i = 0; i < f->tokens->comments->len; i++) {
		const struct comment *comment = &g_array_index(f->tokens->comments, struct comment, i);
		size_t begin = (size_t)(comment->source - f->tokens->file->text), end = begin + comment->length;

		for (size_t number = text_line(&f->text, begin); number <= text_line(&f->text, end - 1); number++) {
			struct line *line = line_at(f, number);

			if (line->from < line->to)
				line->to = MAX(line->to, MIN(end, text_line_end(&f->text, number)));
		}
	}
}

/* ---- depths ------------------------------------------------------------------------------------------------------ */

/* Set the depth of the line that begins with the token at a place. */
static void set_depth(struct formatter *f, const struct location *at, int depth)
{
	struct line *line;
	size_t offset;

	if ((at->file != f->file && at->file != f->tokens->file) || at->expanded_from)
		return;
	offset = text_line_begin(&f->text, (size_t)at->line - 1) + (size_t)at->column - 1;
	line = line_at(f, (size_t)at->line - 1);
	if (line->from == offset && line->depth == UNKNOWN_DEPTH)
		line->depth = depth;
}

/* Set the depth of a line that begins with a token of this text, after an offset and before another. */
static void set_keyword_depth(struct formatter *f, const char *text, size_t after, size_t before, int depth)
{
	for (guint i = tokens_from(f->tokens, after); i < f->tokens->all->len && token_offset(f->tokens, i) < before;
	     i++)
		if (token_is(token_at(f->tokens, i), text))
			set_depth(f, &token_at(f->tokens, i)->location, depth);
}

static size_t offset_of(const struct formatter *f, const struct location *at)
{
	return text_line_begin(&f->text, (size_t)at->line - 1) + (size_t)at->column - 1;
}

/* Give the "}" that closes a block its depth. */
static void close_block(struct formatter *f, const struct statement *block, int depth)
{
	int level = 0;

	for (guint i = tokens_from(f->tokens, offset_of(f, &block->location)); i < f->tokens->all->len; i++) {
		const struct token *token = token_at(f->tokens, i);

		level += token_is(token, "{") - token_is(token, "}");
		if (!level) {
			set_depth(f, &token->location, depth);
			return;
		}
	}
}

static void place_statement(struct formatter *f, const struct statement *s, int depth);

/* A body is one level deeper, unless it is a block, whose brace is on the line of its statement. */
static void place_body(struct formatter *f, const struct statement *body, int depth)
{
	if (body)
		place_statement(f, body, body->kind == STATEMENT_BLOCK ? depth : depth + 1);
}

static void place_else(struct formatter *f, const struct statement *s, int depth)
{
	const struct statement *otherwise = s->otherwise;
	const char *word = s->kind == STATEMENT_TRY ? "catch" : "else";

	if (!otherwise)
		return;
	set_keyword_depth(f, word, offset_of(f, &s->body->location), offset_of(f, &otherwise->location), depth);
	/* "else if" is one thing. */
	if (otherwise->kind == STATEMENT_IF && otherwise->location.file == f->file &&
	    line_at(f, (size_t)otherwise->location.line - 1)->from != offset_of(f, &otherwise->location))
		place_statement(f, otherwise, depth);
	else
		place_body(f, otherwise, depth);
}

static bool is_written(const struct formatter *f, const struct statement *s)
{
	return s && s->location.file == f->file && !s->location.expanded_from;
}

static void place_statement(struct formatter *f, const struct statement *s, int depth)
{
	if (!is_written(f, s))
		return;
	set_depth(f, &s->location, depth);
	if (s->kind == STATEMENT_BLOCK)
		close_block(f, s, depth);
	for_each_ptr(const struct statement *, child, s->statements)
		place_statement(f, child, depth + 1);
	if (s->kind == STATEMENT_BLOCK)
		return;
	place_body(f, s->body, depth);
	if (is_written(f, s->body) && is_written(f, s->otherwise))
		place_else(f, s, depth);
}

static bool is_define(const struct token *token)
{
	return token->kind == TOKEN_AT && !strcmp(token->text, "define");
}

static void place_definitions(struct formatter *f, const struct script *script)
{
	for (guint i = 0; i < f->tokens->all->len; i++)
		if (token_begins_definition(f->tokens, i) || is_define(token_at(f->tokens, i)))
			set_depth(f, &token_at(f->tokens, i)->location, 0);
	for_each_ptr(const struct probe *, probe, script->probes)
		place_statement(f, probe->body, 0);
	for_each_ptr(const struct alias *, alias, script->aliases) {
		place_statement(f, alias->prologue, 0);
		place_statement(f, alias->epilogue, 0);
	}
	for_each_ptr(const struct function_declaration *, function, script->functions)
		place_statement(f, function->body, 0);
	for_each_ptr(const struct statement *, embed, script->embeds)
		set_depth(f, &embed->location, 0);
}

static bool is_comment_line(const struct formatter *f, const struct line *line)
{
	const char *text = f->text.bytes->str + line->from;

	return line->from < line->to && (*text == '#' || g_str_has_prefix(text, "//") || g_str_has_prefix(text, "/*"));
}

/* A comment is as deep as what it precedes. */
static void place_comments(struct formatter *f)
{
	int depth = UNKNOWN_DEPTH;

	for (guint i = f->lines->len; i-- > 0;) {
		struct line *line = line_at(f, i);

		if (line->from == line->to && !line->is_verbatim)
			continue;
		if (is_comment_line(f, line) && line->depth == UNKNOWN_DEPTH && !line->is_verbatim)
			line->depth = depth;
		else
			depth = line->depth + (line->depth != UNKNOWN_DEPTH && f->text.bytes->str[line->from] == '}');
	}
}

/* ---- spaces ------------------------------------------------------------------------------------------------------ */

enum region { REGION_OTHER, REGION_POINTS, REGION_CODE };

/* Operators with a space on both sides. Others may be unary, signs of a sort order, or wildcards. */
static bool is_spaced(const struct token *token)
{
	static const char *const kept[] = {"+", "-", "*", ".", "%"};

	if (token->kind != TOKEN_OPERATOR)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++)
		if (token_is(token, kept[i]))
			return false;
	return binary_operator(token->text) || assignment_operator(token->text);
}

static bool ends_operand(const struct token *token)
{
	return token->kind == TOKEN_IDENTIFIER || token->kind == TOKEN_NUMBER || token->kind == TOKEN_STRING ||
	       token->kind == TOKEN_TARGET || token->kind == TOKEN_ARGUMENT || token_is(token, ")") ||
	       token_is(token, "]");
}

static bool takes_condition(const struct token *token)
{
	return token_is(token, "if") || token_is(token, "while") || token_is(token, "for") ||
	       token_is(token, "foreach") || token_is(token, "catch");
}

/* A binary "&" is spaced, the address operator is not. */
static bool is_binary(const struct formatter *f, guint index)
{
	return index && is_spaced(token_at(f->tokens, index)) && ends_operand(token_at(f->tokens, index - 1));
}

static bool is_any(const struct token *token, const char *a, const char *b)
{
	return token_is(token, a) || token_is(token, b);
}

/* Return the number of spaces between a token and the next one on its line; -1: as it is, but at most one. */
static int spaces_after(const struct formatter *f, guint index, enum region region)
{
	const struct token *token = token_at(f->tokens, index), *next = token_at(f->tokens, index + 1);

	if (is_any(next, ",", ";"))
		return 0;
	if (token_is(token, ",") || next->kind == TOKEN_EMBEDDED)
		return 1;
	/* The initial value of a global. */
	if (region == REGION_OTHER)
		return token_is(token, "=") || token_is(next, "=") ? 1 : -1;
	if (token_is(next, "{") && !is_any(token, ".", "{"))
		return region == REGION_POINTS && token_is(token, "(") ? -1 : 1;
	if (region == REGION_POINTS)
		return -1;
	if (is_any(token, "(", "[") || is_any(next, ")", "]") || token_is(token, "->") || token_is(next, "->"))
		return 0;
	if (takes_condition(token) && token_is(next, "("))
		return 1;
	if (token_is(token, ";") || is_binary(f, index) || is_binary(f, index + 1))
		return 1;
	if (token_is(token, "{") || token_is(next, "}"))
		return token_is(token, "{") && token_is(next, "}") ? -1 : 1;
	return -1;
}

/* ---- regions ----------------------------------------------------------------------------------------------------- */

struct scanner {
	enum region region;
	int braces, alternatives, brackets;
};

/* Is the "{" after the token @before the beginning of a body? Others enclose alternatives of a point. */
static bool begins_body(const struct scanner *scanner, const struct token *before)
{
	if (scanner->region == REGION_OTHER)
		return true;
	return !scanner->brackets && !scanner->alternatives && !token_precedes_alternatives(before);
}

static void scan_token(struct scanner *scanner, const struct formatter *f, guint index)
{
	const struct token *token = token_at(f->tokens, index);

	if (token_begins_definition(f->tokens, index)) {
		*scanner = (struct scanner){.region = token_is(token, "probe") ? REGION_POINTS : REGION_OTHER};
	} else if (scanner->region == REGION_CODE) {
		scanner->braces += token_is(token, "{") - token_is(token, "}");
		if (!scanner->braces)
			scanner->region = REGION_OTHER;
	} else if (token_is(token, "{") && index && begins_body(scanner, token_at(f->tokens, index - 1))) {
		*scanner = (struct scanner){.region = REGION_CODE, .braces = 1};
	} else {
		scanner->alternatives += token_is(token, "{") - token_is(token, "}");
		scanner->brackets += token_is(token, "(") - token_is(token, ")");
	}
}

/* Return the region of each token (enum region). Macros, and conditions at the top level, are REGION_OTHER. */
static GArray *find_regions(const struct formatter *f)
{
	GArray *regions = g_array_sized_new(FALSE, FALSE, sizeof(enum region), f->tokens->all->len);
	struct scanner scanner = {REGION_OTHER};

	for (guint i = 0; i < f->tokens->all->len; i++) {
		enum region before = scanner.region;

		scan_token(&scanner, f, i);
		/* The closing brace belongs to the body. */
		before = before == REGION_CODE ? before : scanner.region;
		g_array_append_val(regions, before);
	}
	return regions;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static void add_indentation(struct formatter *f, int columns)
{
	int tabs = f->style->with_spaces ? 0 : columns / f->style->tab_size;

	for (int i = 0; i < tabs; i++)
		g_string_append_c(f->out, '\t');
	for (int i = tabs * f->style->tab_size; i < columns; i++)
		g_string_append_c(f->out, ' ');
}

static bool is_all_blank(const char *from, const char *to)
{
	while (from < to && is_blank(*from))
		from++;
	return from == to;
}

/* Add what is between two tokens of a line. Comments keep their distance. */
static void add_gap(struct formatter *f, guint index, enum region region)
{
	const char *bytes = f->text.bytes->str;
	size_t from = token_end(f->tokens, index), to = token_offset(f->tokens, index + 1);
	int spaces = spaces_after(f, index, region);

	if (!is_all_blank(bytes + from, bytes + to)) {
		g_string_append_len(f->out, bytes + from, (gssize)(to - from));
		return;
	}
	if (spaces < 0)
		spaces = to > from;
	for (; spaces; spaces--)
		g_string_append_c(f->out, ' ');
}

/* Add the tokens that begin in a line, and what is between, before and after them. */
static void add_content(struct formatter *f, const struct line *line, const GArray *regions)
{
	const char *bytes = f->text.bytes->str;
	guint i = tokens_from(f->tokens, line->from);
	size_t at = line->from;

	for (; i < f->tokens->all->len && token_offset(f->tokens, i) < line->to; i++) {
		size_t begin = token_offset(f->tokens, i), end = MIN(token_end(f->tokens, i), line->to);

		if (at < begin && at == line->from)
			g_string_append_len(f->out, bytes + at, (gssize)(begin - at));
		g_string_append_len(f->out, bytes + begin, (gssize)(end - begin));
		at = end;
		if (i + 1 < f->tokens->all->len && token_offset(f->tokens, i + 1) < line->to) {
			add_gap(f, i, g_array_index(regions, enum region, i));
			at = token_offset(f->tokens, i + 1);
		}
	}
	g_string_append_len(f->out, bytes + at, (gssize)(line->to - at));
}

/* Return the columns of a line: by its depth, or at its distance to the last line with one. */
static int columns_for(const struct formatter *f, const struct line *line, const struct line *base, int base_columns)
{
	if (line->depth != UNKNOWN_DEPTH)
		return line->depth * f->style->tab_size;
	return base ? MAX(0, base_columns + line->old_columns - base->old_columns) : line->old_columns;
}

static void add_all(struct formatter *f)
{
	GArray *regions = find_regions(f);
	const struct line *base = NULL;
	int base_columns = 0;
	bool after_blank = true;

	for (guint i = 0; i < f->lines->len; i++) {
		struct line *line = line_at(f, i);

		if (line->from == line->to && !line->is_verbatim) {
			if (!after_blank)
				g_string_append_c(f->out, '\n');
			after_blank = true;
			continue;
		}
		after_blank = false;
		if (!line->is_verbatim) {
			int columns = columns_for(f, line, base, base_columns);

			add_indentation(f, columns);
			if (line->depth != UNKNOWN_DEPTH) {
				base = line;
				base_columns = columns;
			}
		}
		add_content(f, line, regions);
		g_string_append_c(f->out, '\n');
	}
	g_array_unref(regions);
	while (f->out->len > 1 && f->out->str[f->out->len - 1] == '\n' && f->out->str[f->out->len - 2] == '\n')
		g_string_truncate(f->out, f->out->len - 1);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static struct script *nothing(struct arena *arena)
{
	return arena_new0(arena, struct script);
}

/* Parse the text again, since pass 2 has changed the tree of an analysis. Return NULL if it has errors. */
static struct script *parse(struct formatter *f, const struct language_context *given)
{
	struct language_context context = *given;

	context.annotations = NULL;
	context.comments = NULL;
	context.argument_used = NULL;
	context.keeps_damaged = false;
	context.imagines_arguments = true;
	f->file->privileged = true;
	/* A file of macros has no tree, and all its lines keep their distance. */
	if (!g_str_has_suffix(f->file->name, ".stpm"))
		return parse_script(&context, f->file);
	context.library_macros = NULL;
	return parse_macro_library(&context, f->file) ? nothing(context.arena) : NULL;
}

static void formatter_init(struct formatter *f, struct source_file *file, const struct format_style *style)
{
	*f = (struct formatter){
		.style = style, .file = file, .tokens = tokens_new(file->name, file->text, file->length)};
	text_init(&f->text, file->text, file->length);
	f->lines = g_array_new(FALSE, TRUE, sizeof(struct line));
	f->out = g_string_new(NULL);
}

static void formatter_clear(struct formatter *f)
{
	g_array_unref(f->lines);
	text_clear(&f->text);
	tokens_free(f->tokens);
}

GString *script_format(const struct language_context *context, struct source_file *file,
		       const struct format_style *style)
{
	const struct script *script;
	struct formatter f;

	formatter_init(&f, file, style);
	script = parse(&f, context);
	if (script) {
		find_lines(&f);
		keep_tokens(&f);
		keep_comments(&f);
		place_definitions(&f, script);
		place_comments(&f);
		add_all(&f);
	} else {
		g_string_free(g_steal_pointer(&f.out), TRUE);
	}
	formatter_clear(&f);
	return f.out;
}

GString *document_format(struct document *document, const struct format_style *style)
{
	struct arena *arena = document_begin_query(document);
	const GString *bytes = document->text.bytes;
	struct source_file file = {.name = document->path, .text = bytes->str, .length = bytes->len};
	struct language_context context = document_analysis(document)->t.language;

	context.arena = arena;
	context.diagnostics = diagnostics_new(arena);
	return script_format(&context, &file, style);
}
