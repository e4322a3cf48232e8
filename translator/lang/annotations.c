// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Comments at declarations of globals; see annotations.h.
 *
 * Tokens are known by their first source byte, because conditional compilation drops tokens between the lexer and the
 * parser. An annotation in a dropped branch has dropped neighbors, and is no mistake.
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

static void add(struct language_context *context, const struct location *comment, const char *text, bool is_show,
		const char *key, const char *value, size_t length, const struct token *before)
{
	struct annotation *annotation = arena_new0(context->arena, struct annotation);

	*annotation = (struct annotation){
		.location = *comment,
		.is_show = is_show,
		.value = arena_strndup(context->arena, value, length),
		.end = value + length,
		.before = before ? before->source : NULL,
		.continues_line = before && !memchr(before->source + before->location.length, '\n',
						    (size_t)(key - before->source - before->location.length)),
	};
	annotation->location.column += (int)(key - text);
	annotation->location.length = (int)(value + length - key);
	if (!context->annotations)
		context->annotations = arena_ptr_array(context->arena);
	g_ptr_array_add(context->annotations, annotation);
}

void annotations_note(struct language_context *context, const struct location *location, const char *text,
		      size_t length, const struct token *before)
{
	const char *end = text + length, *key = text;

	/* Strip the marks of the comment. */
	key += *key == '#' ? 1 : 2;
	if (text[0] == '/' && text[1] == '*')
		end -= 2;
	key = skip_blanks(key, end);
	while (end > key && g_ascii_isspace(end[-1]))
		end--;
	if (key >= end || memchr(text, '\n', (size_t)(end - text)))
		return;
	while (key < end) {
		bool is_show;
		const char *value = after_key(key, end, &is_show), *stop;

		if (!value)
			return;
		value = skip_blanks(value, end);
		stop = value_end(value, end);
		add(context, location, text, is_show, key, value, (size_t)(stop - value), before);
		key = stop < end ? skip_blanks(stop + 1, end) : end;
	}
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
