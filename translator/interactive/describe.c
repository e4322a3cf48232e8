// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ?EXPRESSION. Put the expression into a probe after the script, and query the session about that: the type of the
 * value, and the descriptions of its names. $variables are those of the script's last probe. The question may also be a
 * probe point, or the name of a function.
 */
#include "translator/interactive/interactive.h"

#include <stdio.h>
#include <string.h>

#include "common/base/i18n.h"

/* The variable that gets the value. No script has this name. */
#define VALUE "value__of__expression"

/* Print Markdown as plain text: without the fences of code, and without backquotes. */
static void print_description(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	bool in_code = false;

	for (char **line = lines; *line && (line[1] || **line); line++) {
		if (g_str_has_prefix(*line, "```")) {
			in_code = !in_code;
			continue;
		}
		for (const char *c = *line; *c; c++)
			if (in_code || *c != '`')
				putchar(*c);
		putchar('\n');
	}
}

static void set_scratch(struct interactive *it, const GString *text)
{
	session_open(it->session, document_path(it->scratch), text->str, text->len);
}

/* Does something from the offset on make it no valid code? */
static bool has_errors(struct document *document, size_t from)
{
	for_each_ptr(const struct problem *, problem, document_problems(document))
		if (problem->severity == SEVERITY_ERROR && problem->range.from >= from)
			return true;
	return false;
}

/* ---- points and functions ---------------------------------------------------------------------------------------- */

/* Describe a probe point. Return false if nothing matches: then the description is only the text of the point. */
static bool describe_point(struct interactive *it, const char *point)
{
	size_t offset;
	g_autofree char *text = g_strdup_printf("probe %s { }\n", point);
	g_autoptr(GString) whole = script_with(it, text, &offset);
	const char *last = strrchr(point, '.'), *bracket = strchr(point, '(');
	struct description found;

	set_scratch(it, whole);
	if (has_errors(it->scratch, offset))
		return false;
	if (last && (!bracket || last < bracket))
		offset += (size_t)(last + 1 - point);
	offset += strlen("probe ");
	if (!document_describe(it->scratch, offset, &found) || !g_str_has_prefix(found.text, "```systemtap\nprobe ") ||
	    g_str_has_suffix(found.text, "```\n"))
		return false;
	print_description(found.text);
	return true;
}

static bool is_name(const char *text)
{
	return (g_ascii_isalpha(*text) || *text == '_') &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
}

static bool describe_function(struct interactive *it, const char *name)
{
	static const char before[] = "probe begin { ";
	size_t offset;
	g_autofree char *text = g_strdup_printf("%s%s() }\n", before, name);
	g_autoptr(GString) whole = script_with(it, text, &offset);
	struct description found;

	set_scratch(it, whole);
	if (!document_describe(it->scratch, offset + strlen(before), &found) ||
	    !g_str_has_prefix(found.text, "```systemtap\nfunction "))
		return false;
	print_description(found.text);
	return true;
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

/* Print the type of the value, which the session shows after its variable. Return false if it is not known. */
static bool print_type(struct interactive *it, size_t end_of_name)
{
	for_each_ptr(const struct inlay *, inlay, document_inlays(it->scratch)) {
		if (!inlay->is_type || inlay->offset != end_of_name)
			continue;
		/* TRANSLATORS: ": long" or ": string" follows. */
		printf(_("type%s\n"), inlay->text);
		return true;
	}
	return false;
}

/*
 * Describe each name of an expression once. A new variable is a name that nothing declares.
 * @is_typed: the type was printed before.
 */
static void print_names(struct interactive *it, size_t from, size_t to, bool is_typed)
{
	g_autoptr(GHashTable) printed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct description found;

	for (size_t offset = from; offset < to; offset++) {
		if (!document_describe(it->scratch, offset, &found) || found.range.to > to)
			continue;
		offset = MAX(offset, found.range.to - 1);
		if (g_str_has_prefix(found.text, "```systemtap\nlocal ") ||
		    !g_hash_table_add(printed, g_strdup(found.text)))
			continue;
		if (is_typed || g_hash_table_size(printed) > 1)
			putchar('\n');
		print_description(found.text);
	}
}

/* Put an expression into a probe after the script. Return the probe's offset; @from gets that of the expression. */
static size_t set_expression(struct interactive *it, const char *points, const char *expression, size_t *from)
{
	g_autofree char *before = g_strdup_printf("probe %s { " VALUE " = (", points);
	g_autofree char *text = g_strdup_printf("%s%s\n); print(" VALUE ") }\n", before, expression);
	size_t offset;
	g_autoptr(GString) whole = script_with(it, text, &offset);

	*from = offset + strlen(before);
	set_scratch(it, whole);
	return offset;
}

/* Return false if it is no expression in a probe with these points. */
static bool describe_expression(struct interactive *it, const char *points, const char *expression)
{
	size_t from, offset = set_expression(it, points, expression, &from);

	if (has_errors(it->scratch, offset))
		return false;
	print_names(it, from, from + strlen(expression), print_type(it, from - strlen(" = (")));
	return true;
}

/* Say why it is no expression. */
static struct error *refuse(struct interactive *it, const char *expression)
{
	g_autofree char *points = script_last_points(it);
	size_t from, offset = set_expression(it, points, expression, &from);

	for_each_ptr(const struct problem *, problem, document_problems(it->scratch))
		if (problem->severity == SEVERITY_ERROR && problem->range.from >= offset)
			return error_new(ERROR_LOOKUP, "%s", problem->text);
	return error_new(ERROR_LOOKUP, _("nothing is known about '%s'"), expression);
}

static bool describe_global(struct interactive *it, const char *name)
{
	struct description found;
	size_t place = SIZE_MAX;

	for_each_ptr(const struct outline_item *, item, document_outline(it->document))
		if (item->kind == SYMBOL_GLOBAL && !strcmp(item->name, name))
			place = item->name_range.from;
	if (place == SIZE_MAX || !document_describe(it->document, place, &found))
		return false;
	print_description(found.text);
	return true;
}

struct error *describe(struct interactive *it, const char *rest)
{
	g_autofree char *points = script_last_points(it);

	if (!*rest)
		return error_with_hint(error_new(ERROR_OTHER, _("nothing to describe")),
				       _("enter an expression, a function or a probe point after '?'"));
	/* In an expression, a name that is declared nowhere would be a new variable. */
	if (is_name(rest)) {
		if (describe_global(it, rest) || describe_function(it, rest) || describe_point(it, rest))
			return NULL;
		return error_new(ERROR_LOOKUP, _("nothing is known about '%s'"), rest);
	}
	if (describe_point(it, rest) || describe_expression(it, points, rest) || describe_expression(it, "never", rest))
		return NULL;
	return refuse(it, rest);
}
