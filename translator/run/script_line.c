// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON line about the script, which a run with --format=json begins with: what stap knows of the script. */
#include "translator/run/script_line.h"

#include <stdio.h>
#include <string.h>

#include "common/base/message.h"
#include "common/base/script_line.h"

static const char *const *words_of(GPtrArray *words)
{
	g_ptr_array_add(words, NULL);
	return (const char *const *)words->pdata;
}

/* Collect the words after the script's name: its options that set globals, and its arguments. */
static GPtrArray *arguments_of(const struct options *options)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	for_each_ptr(const struct script_setting *, setting, options->settings)
		g_ptr_array_add(words, g_strdup_printf("--%s", setting->option));
	for (int i = 0; i < options->argument_count; i++)
		g_ptr_array_add(words, g_strdup(options->arguments[i]));
	return words;
}

/* Collect the options as they could be given: "-x", "5", "--remote=vm:". */
static GPtrArray *options_of(const struct options *options)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	for_each_ptr(const struct given_option *, given, options->given) {
		bool is_letter = strlen(given->name) == 1;

		g_ptr_array_add(words, g_strdup_printf("%s%s%s%s", is_letter ? "-" : "--", given->name,
						       !is_letter && given->argument ? "=" : "",
						       !is_letter && given->argument ? given->argument : ""));
		if (is_letter && given->argument)
			g_ptr_array_add(words, g_strdup(given->argument));
	}
	return words;
}

struct error *write_script(const struct translation *t, const struct options *options)
{
	const struct source_file *source =
		t->user_sources && t->user_sources->len ? g_ptr_array_index(t->user_sources, 0) : NULL;
	g_autoptr(GPtrArray) given = options_of(options), arguments = arguments_of(options);
	const struct script_line line = {
		.name = source ? source->name : NULL,
		.text = source ? source->text : NULL,
		.length = source ? source->length : 0,
		.options = words_of(given),
		.arguments = words_of(arguments),
		.stap = PACKAGE_VERSION,
	};
	struct error *error = script_line_write(stdout, &line);

	if (error)
		messages_use_json(NULL);
	return error;
}
