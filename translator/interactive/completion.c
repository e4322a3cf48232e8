// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Completion: names of commands and their arguments here, and code by the session, which sees the script with the
 * typed text after it.
 */
#include "translator/interactive/interactive.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "translator/examples.h"

/* The candidates for the text from an offset on. */
struct offers {
	const char *typed; /* up to the cursor */
	GPtrArray *candidates;
};

static void offer(struct offers *offers, const char *text, const char *after)
{
	if (g_str_has_prefix(text, offers->typed))
		g_ptr_array_add(offers->candidates, g_strconcat(text, after, NULL));
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

/* Return an item's text up to the first place that the user fills in. The caller frees it. */
static char *insertion(const struct item *item)
{
	const char *text = item->insert ?: item->label;

	return g_strndup(text, item->is_snippet ? strcspn(text, "$\n") : strlen(text));
}

/* Complete code. @before is put between the script and the line. */
static void complete_code(struct interactive *it, const char *before, const char *line, size_t offset, size_t *from,
			  GPtrArray *candidates)
{
	g_autofree char *typed = g_strndup(line, offset), *text = g_strconcat(before, typed, NULL);
	size_t begin;
	g_autoptr(GString) whole = script_with(it, text, &begin);
	struct completion found;

	session_poll(it->session);
	session_open(it->session, document_path(it->scratch), whole->str, whole->len);
	document_complete(it->scratch, whole->len, &found);
	begin += strlen(before);
	if (found.replaced.from < begin)
		return;
	*from = found.replaced.from - begin;
	for_each_ptr(const struct item *, item, found.items) {
		g_autofree char *inserted = insertion(item);
		struct offers offers = {typed + *from, candidates};

		offer(&offers, inserted, "");
	}
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static void offer_names(struct offers *offers, GPtrArray *names)
{
	for_each_ptr(const char *, name, names)
		offer(offers, name, "");
	g_ptr_array_unref(names);
}

static void complete_help(struct interactive *it, struct offers *offers)
{
	for (const struct command *command = commands; command->name; command++)
		offer(offers, command->name, "");
}

static void complete_show(struct interactive *it, struct offers *offers)
{
	offer_names(offers, settings_names());
}

/* The name of a setting, or a value of it. */
static void complete_set(struct interactive *it, struct offers *offers)
{
	const char *space = strchr(offers->typed, ' ');
	g_autofree char *name = space ? g_strndup(offers->typed, (size_t)(space - offers->typed)) : NULL;
	g_autoptr(GPtrArray) names = settings_names(), values = name ? settings_values(it->settings, name) : NULL;

	for_each_ptr(const char *, other, space ? NULL : names)
		offer(offers, other, " ");
	for_each_ptr(const char *, value, values) {
		g_autofree char *both = g_strdup_printf("%s %s", name, value);

		offer(offers, both, "");
	}
}

static void complete_delete(struct interactive *it, struct offers *offers)
{
	for_each_ptr(const struct outline_item *, item, document_outline(it->document))
		offer(offers, item->name, "");
	offer(offers, "all", "");
}

static void complete_sample(struct interactive *it, struct offers *offers)
{
	struct arena *arena = arena_new();

	for_each_ptr(const char *, name, examples_names(arena))
		offer(offers, name, "");
	arena_free(arena);
}

/* The names of files; after a directory's, "/". */
static void complete_file(struct interactive *it, struct offers *offers)
{
	g_autofree char *directory = g_path_get_dirname(offers->typed);
	const char *slash = strrchr(offers->typed, '/');
	g_autofree char *prefix = g_strndup(offers->typed, slash ? (size_t)(slash + 1 - offers->typed) : 0);
	g_autoptr(GDir) dir = g_dir_open(slash ? directory : ".", 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_strconcat(prefix, name, NULL);

		offer(offers, path, g_file_test(path, G_FILE_TEST_IS_DIR) ? "/" : "");
	}
	g_ptr_array_sort(offers->candidates, compare_strings);
}

/* Commands whose argument is completed here. */
static const struct {
	const char *command;
	void (*complete)(struct interactive *it, struct offers *offers);
} arguments[] = {
	{"help", complete_help},     {"set", complete_set},   {"show", complete_show}, {"delete", complete_delete},
	{"sample", complete_sample}, {"load", complete_file}, {"save", complete_file},
};

/* Commands whose argument is code, with the code that comes before it. */
static const struct {
	const char *command, *before;
} code_arguments[] = {
	{"list", "probe "},
	{"add", ""},
};

static bool is_command(const char *line, const char *name, size_t *end)
{
	*end = strlen(name);
	if (!g_str_has_prefix(line, name) || line[*end] != ' ')
		return false;
	*end += strspn(line + *end, " ");
	return true;
}

static bool complete_argument(struct interactive *it, const char *line, size_t offset, size_t *from,
			      GPtrArray *candidates)
{
	size_t end;

	for (size_t i = 0; i < G_N_ELEMENTS(arguments); i++) {
		g_autofree char *typed = NULL;

		if (!is_command(line, arguments[i].command, &end) || end > offset)
			continue;
		*from = end;
		typed = g_strndup(line + end, offset - end);
		arguments[i].complete(it, &(struct offers){typed, candidates});
		return true;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(code_arguments); i++) {
		if (!is_command(line, code_arguments[i].command, &end) || end > offset)
			continue;
		complete_code(it, code_arguments[i].before, line + end, offset - end, from, candidates);
		*from += end;
		return true;
	}
	return false;
}

/* A question is a probe point, or an expression in the last probe. */
static void complete_question(struct interactive *it, const char *line, size_t offset, size_t *from,
			      GPtrArray *candidates)
{
	g_autofree char *points = script_last_points(it), *before = g_strdup_printf("probe %s { ", points);
	size_t from_points = offset;

	complete_code(it, "probe ", line, offset, &from_points, candidates);
	*from = from_points;
	if (!candidates->len)
		complete_code(it, before, line, offset, from, candidates);
}

GPtrArray *complete_line(struct interactive *it, const char *before, const char *line, size_t offset, size_t *from)
{
	GPtrArray *candidates = g_ptr_array_new_with_free_func(g_free);
	size_t space = strspn(line, " \t");
	g_autofree char *first = g_strndup(line + space, offset > space ? offset - space : 0);

	*from = offset;
	if (!*before && *first == '?') {
		complete_question(it, line + space + 1, offset - space - 1, from, candidates);
		*from += space + 1;
		return candidates;
	}
	if (!*before && complete_argument(it, line, offset, from, candidates))
		return candidates;
	if (!*before && !strpbrk(first, " \t.(")) {
		for (const struct command *command = commands; command->name; command++)
			offer(&(struct offers){first, candidates}, command->name, command->argument ? " " : "");
		*from = candidates->len ? space : offset;
	}
	if (!candidates->len)
		complete_code(it, before, line, offset, from, candidates);
	return candidates;
}
