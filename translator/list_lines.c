// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --list-lines: print the source of functions, or of a range of lines, with a star at each line that can be probed.
 *
 * The point is derived as for a script. For kernel.function(…), all lines of the functions are shown. A point that
 * names lines is shown from the first to the last of them that has code. If the source is missing, the numbers of the
 * lines with code are printed.
 */
#include <stdio.h>
#include <string.h>

#include "common/base/i18n.h"
#include "common/base/message.h"
#include "translator/list.h"
#include "translator/sema/sema.h"

/* The lines that are printed under one heading. */
struct excerpt {
	const char *heading;
	struct debuginfo *debuginfo;
	const char *file;
	int first; /* number of the first line to show; 0: the first with code */
	bool json; /* --format=json */
	bool is_function; /* shown up to its closing brace */
	GHashTable *lines; /* set of numbers of lines that can be probed */
};

/* The excerpts, one for each function or file, in the order in which they were found. */
struct excerpts {
	struct translation *t;
	GHashTable *by_heading;
	GPtrArray *all;
};

static struct excerpt *find_excerpt(struct excerpts *excerpts, const char *heading, const struct function *function)
{
	struct excerpt *excerpt = g_hash_table_lookup(excerpts->by_heading, heading);

	if (excerpt)
		return excerpt;
	excerpt = arena_new0(excerpts->t->arena, struct excerpt);
	excerpt->heading = heading;
	excerpt->json = excerpts->t->options->json;
	excerpt->debuginfo = function->debuginfo;
	excerpt->file = function->declaration_file;
	excerpt->lines = g_hash_table_new(g_direct_hash, g_direct_equal);
	g_hash_table_insert(excerpts->by_heading, (gpointer)heading, excerpt);
	g_ptr_array_add(excerpts->all, excerpt);
	return excerpt;
}

/* ---- gathering ---- */

/* Add all lines of a function and its inlined instances, which are found by name and file. */
static struct error *add_function(struct excerpts *excerpts, const struct function *function)
{
	struct arena *arena = excerpts->t->arena;
	const char *heading =
		arena_printf(arena, "%s@%s:%d", function->name, function->declaration_file, function->declaration_line);
	struct statement_query query = {.name = function->name, .file = function->declaration_file};
	g_autoptr(GPtrArray) places = g_ptr_array_new();
	struct excerpt *excerpt;
	struct error *error;

	if (g_hash_table_contains(excerpts->by_heading, heading))
		return NULL;
	error = debuginfo_statements(function->debuginfo, &query, places);
	if (error)
		return error;
	excerpt = find_excerpt(excerpts, heading, function);
	excerpt->is_function = true;
	excerpt->first = function->declaration_line;
	for_each_ptr(const struct statement_place *, place, places) {
		if (place->function->declaration_line == function->declaration_line &&
		    debuginfo_is_probeable(function->debuginfo, place->address))
			g_hash_table_add(excerpt->lines, GINT_TO_POINTER(place->line));
	}
	return NULL;
}

static void add_statement(struct excerpts *excerpts, const struct derived_probe *probe)
{
	struct excerpt *excerpt = find_excerpt(excerpts, probe->function->declaration_file, probe->function);

	g_hash_table_add(excerpt->lines, GINT_TO_POINTER(probe->line));
}

static struct error *gather(struct excerpts *excerpts)
{
	struct error *error = NULL;

	for_each_ptr(const struct derived_probe *, probe, excerpts->t->probes) {
		if (!probe->function)
			return error_new(ERROR_OTHER, _("'%s' has no source lines"), probe->point_text);
		error = debuginfo_require(probe->function->debuginfo, KNOWS_LINES);
		if (error)
			return error;
		if (probe->line)
			add_statement(excerpts, probe);
		else
			error = add_function(excerpts, probe->function);
		if (error)
			return error;
	}
	return NULL;
}

/* ---- printing ---- */

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
	return GPOINTER_TO_INT(a) - GPOINTER_TO_INT(b);
}

static void print_line(const struct excerpt *excerpt, int number, const char *text)
{
	bool is_marked = g_hash_table_contains(excerpt->lines, GINT_TO_POINTER(number));
	struct json_writer w;

	if (excerpt->json) {
		json_begin(&w, stdout, JSON_LINE_HEADING);
		json_member_text(&w, JSON_LINE_HEADING, excerpt->heading);
		json_member_text(&w, JSON_LINE_FILE, excerpt->file);
		json_member_number(&w, JSON_LINE_LINE, number);
		json_member_bool(&w, JSON_LINE_PROBEABLE, is_marked);
		json_member_optional(&w, JSON_LINE_TEXT, text);
		json_line_end(&w);
		return;
	}
	printf("%c %5d%s%s\n", is_marked ? '*' : ' ', number, text && *text ? "  " : "", text ?: "");
}

/* Print the lines from @first to @last; for a function, up to its closing brace. */
static void print_source(const struct excerpt *excerpt, char **source, int first, int last)
{
	for (int number = 1; source[number - 1]; number++) {
		const char *text = source[number - 1];

		if (number >= first)
			print_line(excerpt, number, text);
		if (number >= last && (!excerpt->is_function || text[0] == '}'))
			return;
	}
}

static void print_excerpt(struct translation *t, const struct excerpt *excerpt)
{
	GList *numbers = g_list_sort(g_hash_table_get_keys(excerpt->lines), compare_numbers);
	const char *path = debuginfo_source_file(excerpt->debuginfo, t->arena, excerpt->file);
	g_autofree char *text = NULL;
	g_auto(GStrv) source = NULL;

	if (!excerpt->json)
		printf("%s\n", excerpt->heading);
	if (path && g_file_get_contents(path, &text, NULL, NULL))
		source = g_strsplit(text, "\n", -1);
	if (source && numbers) {
		int first = excerpt->first ?: GPOINTER_TO_INT(numbers->data);

		print_source(excerpt, source, MIN(first, GPOINTER_TO_INT(numbers->data)),
			     GPOINTER_TO_INT(g_list_last(numbers)->data));
	}
	for (GList *number = source ? NULL : numbers; number; number = number->next)
		print_line(excerpt, GPOINTER_TO_INT(number->data), NULL);
	if (!source)
		message_warn(_("cannot find source file %s; unpack the kernel's source into /usr/src, or set "
			       "SPILE_KERNEL_SOURCE to its directory"),
			     excerpt->file);
	g_list_free(numbers);
}

static gint compare_excerpts(gconstpointer a, gconstpointer b)
{
	const struct excerpt *x = *(const struct excerpt *const *)a, *y = *(const struct excerpt *const *)b;
	int files = strcmp(x->file, y->file);

	return files ?: x->first != y->first ? x->first - y->first : strcmp(x->heading, y->heading);
}

struct error *list_lines(struct translation *t)
{
	g_autoptr(GHashTable) by_heading = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	struct excerpts excerpts = {t, by_heading, all};
	struct error *error = NULL;
	bool is_first = true;

	if (derive_probes(t))
		error = gather(&excerpts);
	g_ptr_array_sort(all, compare_excerpts);
	for_each_ptr(const struct excerpt *, excerpt, all) {
		if (!is_first && !error && !t->options->json)
			putchar('\n');
		is_first = false;
		if (!error)
			print_excerpt(t, excerpt);
		g_hash_table_unref(excerpt->lines);
	}
	return error;
}

const char *list_lines_point(struct arena *arena, const char *text)
{
	if (strchr(text, '(') || strchr(text, '{'))
		return text;
	return arena_printf(arena, "kernel.statement(\"*@%s%s\")", text, strchr(text, ':') ? "" : ":*");
}
