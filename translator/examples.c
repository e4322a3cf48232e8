// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scripts that come with Spile.
 *
 * They are in examples/TOPIC/NAME.stp of the data directory; the names are unique across topics. The head of each
 * script describes it with lines such as "# title: ..." (testsuite/suites/examples.sh checks them), so there is no
 * index that could be out of date.
 */
#include "translator/examples.h"

#include <stdio.h>
#include <string.h>

#include "common/files.h"
#include "common/base/i18n.h"
#include "common/base/json_schema.h"
#include "common/base/paths.h"
#include "common/nearest.h"

struct example {
	const char *topic, *name, *path; /* the name has no ending */
	const char *title, *question, *needs; /* from its head; "" if missing */
};

static int compare_examples(gconstpointer a, gconstpointer b)
{
	const struct example *x = *(const struct example *const *)a, *y = *(const struct example *const *)b;

	return strcmp(x->topic, y->topic) ?: strcmp(x->name, y->name);
}

/* Return the sorted names in a directory. */
static GPtrArray *directory_entries(struct arena *arena, const char *directory)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	GPtrArray *entries = arena_ptr_array(arena);
	const char *entry;

	while (dir && (entry = g_dir_read_name(dir)))
		g_ptr_array_add(entries, arena_strdup(arena, entry));
	g_ptr_array_sort(entries, compare_strings);
	return entries;
}

static const char *examples_directory(struct arena *arena)
{
	return arena_printf(arena, "%s/examples", data_directory());
}

/* Return all examples (struct example *) sorted by topic and name; their heads are not read yet. */
static GPtrArray *find_all(struct arena *arena)
{
	GPtrArray *examples = arena_ptr_array(arena);
	const char *top = examples_directory(arena);

	for_each_ptr(const char *, topic, directory_entries(arena, top)) {
		const char *directory = arena_printf(arena, "%s/%s", top, topic);

		for_each_ptr(const char *, file, directory_entries(arena, directory)) {
			struct example *example;

			if (!g_str_has_suffix(file, ".stp"))
				continue;
			example = arena_new0(arena, struct example);
			example->topic = topic;
			example->name = arena_strndup(arena, file, strlen(file) - strlen(".stp"));
			example->path = arena_printf(arena, "%s/%s", directory, file);
			g_ptr_array_add(examples, example);
		}
	}
	g_ptr_array_sort(examples, compare_examples);
	return examples;
}

/* Return the value of "# KEY: value" in the comment lines at the script's beginning, or "". */
static const char *head_value(struct arena *arena, const char *text, const char *key)
{
	g_autofree char *wanted = g_strdup_printf("# %s: ", key);

	while (*text == '#') {
		size_t length = strcspn(text, "\n");

		if (g_str_has_prefix(text, wanted))
			return arena_strndup(arena, text + strlen(wanted), length - strlen(wanted));
		text += length + (text[length] == '\n');
	}
	return "";
}

static struct error *read_head(struct arena *arena, struct example *example)
{
	g_autofree char *text = NULL;
	size_t length;
	struct error *error = file_read(example->path, &text, &length);

	if (error)
		return error;
	example->title = head_value(arena, text, "title");
	example->question = head_value(arena, text, "question");
	example->needs = head_value(arena, text, "needs");
	return NULL;
}

static bool has_word(const char *text, const char *word)
{
	g_autofree char *folded = g_utf8_casefold(text, -1), *wanted = g_utf8_casefold(word, -1);

	return strstr(folded, wanted);
}

static bool is_wanted(const struct example *example, const char *word)
{
	return !word || has_word(example->name, word) || has_word(example->topic, word) ||
	       has_word(example->title, word) || has_word(example->question, word);
}

GPtrArray *examples_names(struct arena *arena)
{
	GPtrArray *names = arena_ptr_array(arena);

	for_each_ptr(const struct example *, example, find_all(arena))
		g_ptr_array_add(names, (void *)example->name);
	g_ptr_array_sort(names, compare_strings);
	return names;
}

struct error *examples_find(struct arena *arena, const char *name, const char **path)
{
	size_t length = strlen(name) - (g_str_has_suffix(name, ".stp") ? strlen(".stp") : 0);
	const char *wanted = arena_strndup(arena, name, length);
	const GPtrArray *near;
	struct error *error;

	for_each_ptr(const struct example *, example, find_all(arena))
		if (!strcmp(example->name, wanted)) {
			*path = example->path;
			return NULL;
		}
	error = error_new(ERROR_LOOKUP, _("no example is called '%s'"), name);
	near = nearest_matches(arena, wanted, examples_names(arena), "", 5);
	return near ? error_with_names(error, arena, near)
		    : error_with_hint(error, _("run 'stap --list-examples' to list the examples in %s"),
				      examples_directory(arena));
}

static void write_example(const struct example *example)
{
	struct json_writer w;

	json_begin(&w, stdout, JSON_EXAMPLE_NAME);
	json_member_text(&w, JSON_EXAMPLE_NAME, example->name);
	json_member_text(&w, JSON_EXAMPLE_TOPIC, example->topic);
	json_member_text(&w, JSON_EXAMPLE_TITLE, example->title);
	json_member_text(&w, JSON_EXAMPLE_QUESTION, example->question);
	json_member_text(&w, JSON_EXAMPLE_NEEDS, example->needs);
	json_member_text(&w, JSON_EXAMPLE_FILE, example->path);
	json_line_end(&w);
}

/* @last_topic: of the example before, or NULL. */
static void print_example(const struct example *example, const char *last_topic)
{
	if (!last_topic || strcmp(last_topic, example->topic))
		printf("%s%s\n", last_topic ? "\n" : "", example->topic);
	/* TRANSLATORS: an example's name, and what it shows. */
	printf(_("  %-20s  %s%s\n"), example->name, example->title,
	       strcmp(example->needs, "dwarf") ? "" : _(" (needs debug symbols)"));
}

struct error *examples_list(struct arena *arena, const char *word, bool json)
{
	const char *topic = NULL;

	for_each_ptr(struct example *, example, find_all(arena)) {
		struct error *error = read_head(arena, example);

		if (error)
			return error;
		if (!is_wanted(example, word))
			continue;
		if (json)
			write_example(example);
		else
			print_example(example, topic);
		topic = example->topic;
	}
	if (topic)
		return NULL;
	return word ? error_with_hint(error_new(ERROR_LOOKUP, _("no example matches '%s'"), word),
				      _("run 'stap --list-examples' to list all examples"))
		    : error_new(ERROR_LOOKUP, _("there are no examples in %s"), examples_directory(arena));
}
