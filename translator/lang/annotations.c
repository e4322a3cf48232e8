// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Comments at declarations of globals; see annotations.h.
 *
 * Tokens are identified by their first source byte, because conditional compilation drops tokens between the lexer and
 * the parser. An annotation in a dropped branch is not an error, although its neighbors were dropped.
 */
#include "translator/lang/annotations.h"

#include <string.h>

#include "common/base/i18n.h"
#include "common/nearest.h"

/* The values of "show"; report/ draws these. */
static const char *const pictures[] = {"table", "bars", "histogram", "heatmap", "series", "flamegraph", "none"};

static const char *const keys[] = {"unit", "show"};

/* ---- from comments ----------------------------------------------------------------------------------------------- */

/* Return the text after "KEY:" at @text, or NULL. */
static const char *after_key(const char *text, const char *end, bool *is_show)
{
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		size_t length = strlen(keys[i]);

		if ((size_t)(end - text) > length && !memcmp(text, keys[i], length) && text[length] == ':') {
			*is_show = i == 1;
			return text + length + 1;
		}
	}
	return NULL;
}

static const char *skip_blanks(const char *text, const char *end)
{
	while (text < end && g_ascii_isspace(*text))
		text++;
	return text;
}

/* Return the end of a value: the end of the comment, or the "," or ";" before another key. */
static const char *value_end(const char *value, const char *end)
{
	bool is_show;

	for (const char *at = value; at < end; at++)
		if ((*at == ',' || *at == ';') && after_key(skip_blanks(at + 1, end), end, &is_show))
			return at;
	return end;
}

/* A line of a comment without the blanks and stars around it and a comma at its end, and its place. */
struct comment_line {
	const char *text, *end;
	struct location location;
};

/* Is another comment line there? Then cut it from @p *rest, which moves to the next one; it may be empty. */
static bool next_line(const char **rest, const char *end, struct location *place, struct comment_line *ret)
{
	const char *line = *rest, *newline;

	if (line > end)
		return false;
	newline = memchr(line, '\n', (size_t)(end - line)) ?: end;
	*ret = (struct comment_line){.text = line, .end = newline, .location = *place};
	while (ret->text < ret->end && (g_ascii_isspace(*ret->text) || *ret->text == '*'))
		ret->text++;
	while (ret->end > ret->text && strchr(" \t\r\v\f*,;", ret->end[-1]))
		ret->end--;
	ret->location.column += (int)(ret->text - line);
	*rest = newline + 1;
	place->line++;
	place->column = 1;
	return true;
}

/* Do all lines of a comment that are not empty begin with a key? */
static bool has_form(const char *text, const char *end)
{
	struct location unused = {0};
	struct comment_line line;
	bool is_show, found = false;

	while (next_line(&text, end, &unused, &line)) {
		if (line.text == line.end)
			continue;
		if (!after_key(line.text, line.end, &is_show))
			return false;
		found = true;
	}
	return found;
}

/* Add the annotations of a line: one, or several as in "unit: ns, show: bars". */
static void add_line(struct language_context *context, const struct comment_line *line, const struct annotation *common)
{
	const char *key = line->text;

	while (key < line->end) {
		struct annotation *annotation = arena_new0(context->arena, struct annotation);
		const char *value = after_key(key, line->end, &annotation->is_show), *end;
		bool is_show = annotation->is_show;

		value = skip_blanks(value, line->end);
		end = value_end(value, line->end);
		*annotation = *common;
		annotation->is_show = is_show;
		annotation->value = arena_strndup(context->arena, value, (size_t)(end - value));
		annotation->end = end;
		annotation->location = line->location;
		annotation->location.column += (int)(key - line->text);
		annotation->location.length = (int)(end - key);
		g_ptr_array_add(context->annotations, annotation);
		key = end < line->end ? skip_blanks(end + 1, line->end) : line->end;
	}
}

void annotations_note(struct language_context *context, const struct location *location, const char *text,
		      size_t length, const struct token *before)
{
	const char *end = text + length - (g_str_has_prefix(text, "/*") ? 2 : 0);
	const char *rest = text + (*text == '#' ? 1 : 2),
		   *token_end = before ? before->source + before->location.length : text;
	struct annotation common = {
		.before = before ? before->source : NULL,
		.continues_line = before && !memchr(token_end, '\n', (size_t)(text - token_end)),
	};
	struct location place = *location;
	struct comment_line line;

	if (!has_form(rest, end))
		return;
	if (!context->annotations)
		context->annotations = arena_ptr_array(context->arena);
	place.column += (int)(rest - text);
	while (next_line(&rest, end, &place, &line))
		add_line(context, &line, &common);
}

void annotations_set_next(struct language_context *context, const struct source_file *file, const char *next)
{
	for (guint i = context->annotations ? context->annotations->len : 0; i--;) {
		struct annotation *annotation = g_ptr_array_index(context->annotations, i);

		if (annotation->after || annotation->location.file != file)
			return;
		annotation->after = next;
		annotation->ends_line = next == file->text + file->length ||
					memchr(annotation->end, '\n', (size_t)(next - annotation->end));
	}
}

/* ---- to declarations --------------------------------------------------------------------------------------------- */

static void check_picture(struct language_context *context, const struct annotation *annotation,
			  const struct symbol *symbol)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	const GPtrArray *near;

	for (size_t i = 0; i < G_N_ELEMENTS(pictures); i++) {
		if (!strcmp(annotation->value, pictures[i]))
			return;
		g_ptr_array_add(all, (void *)pictures[i]);
	}
	diagnose(context->diagnostics, WARNING, &annotation->location, _("'%s' cannot be shown as '%s'"), symbol->name,
		 annotation->value);
	near = nearest_matches(context->arena, annotation->value, all, NULL, 1);
	if (near)
		diagnose_near(context->diagnostics, near);
	else
		diagnose_hint(context->diagnostics, _("use one of: %s"), diagnose_names(context->diagnostics, all));
}

static bool is_picture(const char *value)
{
	for (size_t i = 0; i < G_N_ELEMENTS(pictures); i++)
		if (!strcmp(value, pictures[i]))
			return true;
	return false;
}

static void use(struct language_context *context, struct annotation *annotation, struct symbol *symbol)
{
	const char **member = annotation->is_show ? &symbol->show : &symbol->unit;

	annotation->is_used = true;
	if (*member && strcmp(*member, annotation->value)) {
		diagnose(context->diagnostics, WARNING, &annotation->location,
			 annotation->is_show ? _("'%s' has two pictures, '%s' and '%s'")
					     : _("'%s' has two units, '%s' and '%s'"),
			 symbol->name, *member, annotation->value);
		diagnose_hint(context->diagnostics, _("keep one of the comments"));
		return;
	}
	if (annotation->is_show)
		check_picture(context, annotation, symbol);
	if (!annotation->is_show && !*annotation->value) {
		diagnose(context->diagnostics, WARNING, &annotation->location, _("the unit of '%s' is empty"),
			 symbol->name);
		diagnose_hint(context->diagnostics, _("name a unit, such as ns, bytes or count"));
	} else if (!annotation->is_show || is_picture(annotation->value)) {
		*member = annotation->value;
	}
}

/* Is the comment after one of the declaration's tokens on the same line, or after its separator at the line's end? */
static bool follows(const struct annotation *annotation, const struct token *first, const struct token *last,
		    const struct token *separator)
{
	if (!annotation->continues_line)
		return false;
	for (const struct token *token = first; token <= last; token++)
		if (token->source == annotation->before)
			return true;
	return separator && separator->source == annotation->before && annotation->ends_line;
}

void annotations_use(struct language_context *context, struct symbol *symbol, const struct token *first,
		     const struct token *last, const struct token *separator)
{
	for_each_ptr(struct annotation *, annotation, context->annotations)
		if (!annotation->is_used &&
		    (annotation->after == first->source || follows(annotation, first, last, separator)))
			use(context, annotation, symbol);
}

void annotations_use_for_all(struct language_context *context, const struct token *keyword, const GPtrArray *symbols,
			     guint from)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();

	for_each_ptr(struct annotation *, annotation, context->annotations)
		if (!annotation->is_used && annotation->after == keyword->source)
			g_ptr_array_add(found, annotation);
	for (guint i = from; i < symbols->len && found->len; i++) {
		struct symbol *symbol = g_ptr_array_index(symbols, i);
		bool has_unit = symbol->unit, has_show = symbol->show;

		/* A comment at the variable itself wins. */
		for_each_ptr(struct annotation *, annotation, found)
			if (!(annotation->is_show ? has_show : has_unit))
				use(context, annotation, symbol);
	}
	for_each_ptr(struct annotation *, annotation, found)
		annotation->is_used = true;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static bool has_token(const struct token *tokens, const char *source)
{
	for (; source && tokens->kind != TOKEN_END; tokens++)
		if (tokens->source == source)
			return true;
	return false;
}

void annotations_report_unused(struct language_context *context, const struct source_file *file,
			       const struct token *tokens)
{
	for_each_ptr(const struct annotation *, annotation, context->annotations) {
		/* Several words elsewhere than at a global are prose: "show: all that happens". */
		if (annotation->is_used || annotation->location.file != file || strchr(annotation->value, ' ') ||
		    (!has_token(tokens, annotation->before) && !has_token(tokens, annotation->after)))
			continue;
		diagnose(context->diagnostics, WARNING, &annotation->location,
			 _("this comment belongs to no global variable"));
		diagnose_hint(context->diagnostics, _("write it after the variable on the same line, or directly "
						      "before the declaration"));
	}
}
