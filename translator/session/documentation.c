// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The documentation of functions, macros, aliases and globals: the comment before the declaration. Comments of the
 * library have a form (man/tapset-pages.awk) that becomes Markdown here: "name - summary", "@parameter: description",
 * paragraphs, and lines that are indented by four more columns, which are shown as they are.
 */
#include "translator/session/internal.h"

#include <string.h>

#include "translator/sema/sema.h"

/* ---- finding the comment ----------------------------------------------------------------------------------------- */

static const char *line_before(const char *text, const char *line)
{
	if (line == text)
		return NULL;
	for (line--; line > text && line[-1] != '\n'; line--)
		;
	return line;
}

static const char *begin_of_line(const struct source_file *file, int line)
{
	const char *at = file->text, *end = at + file->length;

	for (int i = 1; at && i < line; i++) {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	return at;
}

/* Return the beginning of the bracketed comment whose last line is @p last; NULL if the line does not end one. */
static const char *bracketed_comment(const char *text, const char *last)
{
	const char *end = last + strcspn(last, "\n"), *begin;

	while (end > last && g_ascii_isspace(end[-1]))
		end--;
	if (end - last < 2 || memcmp(end - 2, "*/", 2) != 0)
		return NULL;
	for (begin = last; begin; begin = line_before(text, begin)) {
		const char *word = begin + strspn(begin, " \t");

		if (g_str_has_prefix(word, "/*"))
			return word;
	}
	return NULL;
}

static bool is_line_comment(const char *line)
{
	line += strspn(line, " \t");
	return *line == '#' || g_str_has_prefix(line, "//");
}

/* Return the comment that ends on the line before a declaration, up to @p end; NULL if no comment does. */
static const char *comment_before(const struct location *declaration, const char **end)
{
	const char *text = declaration->file->text;
	const char *line = begin_of_line(declaration->file, declaration->line), *last, *begin;

	*end = line;
	last = line ? line_before(text, line) : NULL;
	if (!last)
		return NULL;
	begin = bracketed_comment(text, last);
	if (begin)
		return begin;
	for (line = last; line && is_line_comment(line); line = line_before(text, line))
		begin = line;
	/* A comment in the first lines describes the script, not its first declaration. */
	return begin == text ? NULL : begin;
}

/* ---- Markdown ---------------------------------------------------------------------------------------------------- */

/* Return a line of a comment without its marks. The space after them is kept unless it is one. */
static char *line_text(const char *line, size_t length)
{
	g_autofree char *copy = g_strndup(line, length);
	char *text = g_strchug(g_strdup(copy));
	char *rest = text;
	char *result;

	g_strchomp(text);
	if (g_str_has_suffix(text, "*/"))
		text[strlen(text) - 2] = '\0';
	rest += strspn(rest, "/");
	rest += strspn(rest, "*#");
	result = g_strchomp(g_strdup(*rest == ' ' ? rest + 1 : rest));
	g_free(text);
	return result;
}

/* Append "@name: text" as "*name*: text". Return false if the line has no such form. */
static bool add_parameter(GString *out, const char *line)
{
	const char *colon = *line == '@' ? strchr(line, ':') : NULL;

	if (!colon ||
	    strcspn(line, ":") != strspn(line, "@, abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"))
		return false;
	g_string_append(out, "- ");
	for (const char *p = line; p < colon; p++)
		if (*p == '@')
			g_string_append_c(out, '`');
		else if (*p == ',')
			g_string_append(out, "`,");
		else
			g_string_append_c(out, *p);
	g_string_append_printf(out, "`%s\n", colon);
	return true;
}

/* Append a line of a comment. @p shown: the last line was one that is shown as it is. */
static void add_line(GString *out, const char *line, bool is_first, bool *shown)
{
	const char *summary = is_first ? strstr(line, " - ") : NULL;
	bool shows = g_str_has_prefix(line, "    ");

	if (shows != *shown)
		g_string_append(out, shows ? "\n```\n" : "```\n");
	*shown = shows;
	if (shows)
		g_string_append_printf(out, "%s\n", line + 4);
	else if (*line || !g_str_has_suffix(out->str, "\n\n"))
		if (!add_parameter(out, line))
			g_string_append_printf(out, "%s\n", summary ? summary + 3 : line);
}

const char *documentation_at(struct arena *arena, const struct location *declaration)
{
	g_autoptr(GString) out = g_string_new(NULL);
	const char *end, *line = declaration->file ? comment_before(declaration, &end) : NULL;
	bool shown = false, is_first = true;

	for (; line && line < end; line += strcspn(line, "\n") + 1) {
		g_autofree char *text = line_text(line, strcspn(line, "\n"));

		if (is_first && !*text)
			continue;
		add_line(out, text, is_first, &shown);
		is_first = false;
	}
	if (shown)
		g_string_append(out, "```\n");
	g_strchomp(out->str);
	return *out->str ? arena_strdup(arena, out->str) : NULL;
}

/* ---- declarations ------------------------------------------------------------------------------------------------ */

const char *function_label(struct arena *arena, const struct function_declaration *function, GArray *parameters)
{
	g_autoptr(GString) label = g_string_new(function->name);

	if (function->type != TYPE_UNKNOWN)
		g_string_append_printf(label, ":%s", type_text(function->type));
	g_string_append(label, " (");
	for_each_ptr(const struct symbol *, parameter, function->parameters) {
		struct range range;

		if (!g_str_has_suffix(label->str, "("))
			g_string_append(label, ", ");
		range.from = label->len;
		g_string_append(label, parameter->name);
		if (parameter->type != TYPE_UNKNOWN)
			g_string_append_printf(label, ":%s", type_text(parameter->type));
		range.to = label->len;
		if (parameters)
			g_array_append_val(parameters, range);
	}
	g_string_append_c(label, ')');
	return arena_strdup(arena, label->str);
}

const char *points_text(struct arena *arena, const GPtrArray *points, bool with_flags, size_t most)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for_each_ptr(const struct probe_point *, point, points) {
		if (text->len > most) {
			g_string_append(text, ", ...");
			break;
		}
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", probe_point_text(arena, point, with_flags));
	}
	return arena_strdup(arena, text->str);
}

const char *symbol_type_text(struct arena *arena, const struct symbol *symbol)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (symbol->type == TYPE_UNKNOWN)
		return NULL;
	if (symbol->arity <= 0)
		return type_text(symbol->type);
	for (int i = 0; i < symbol->arity; i++)
		g_string_append_printf(text, "%s%s", i ? ", " : "array[", type_text(symbol->key_types[i]));
	g_string_append_printf(text, "] of %s", type_text(symbol->type));
	return arena_strdup(arena, text->str);
}
