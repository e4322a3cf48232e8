// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON line about the script, which a run with --format=json begins with (stap-json(5)). */
#include "translator/run/script_line.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/base/i18n.h"
#include "common/base/json_schema.h"
#include "common/base/message.h"

/* Write the words after the script's name: its options that set globals, and its arguments. */
static void write_arguments(struct json_writer *w, const struct options *options)
{
	json_member(w, JSON_SCRIPT_ARGUMENTS);
	json_array_begin(w);
	for_each_ptr(const struct script_setting *, setting, options->settings) {
		g_autofree char *word = g_strdup_printf("--%s", setting->option);

		json_text(w, word);
	}
	for (int i = 0; i < options->argument_count; i++)
		json_text(w, options->arguments[i]);
	json_array_end(w);
}

/* Write the options as they could be given: "-x", "5", "--remote=vm:". */
static void write_options(struct json_writer *w, const struct options *options)
{
	json_member(w, JSON_SCRIPT_OPTIONS);
	json_array_begin(w);
	for_each_ptr(const struct given_option *, given, options->given) {
		bool is_letter = strlen(given->name) == 1;
		g_autofree char *word = g_strdup_printf("%s%s%s%s", is_letter ? "-" : "--", given->name,
							!is_letter && given->argument ? "=" : "",
							!is_letter && given->argument ? given->argument : "");

		json_text(w, word);
		if (is_letter && given->argument)
			json_text(w, given->argument);
	}
	json_array_end(w);
}

struct error *write_script(const struct translation *t, const struct options *options)
{
	const struct source_file *source =
		t->user_sources && t->user_sources->len ? g_ptr_array_index(t->user_sources, 0) : NULL;
	struct json_writer w;
	struct error *error;

	json_begin(&w, stdout, JSON_SCRIPT_TIME);
	json_member_now(&w, JSON_SCRIPT_TIME);
	json_member_number(&w, JSON_SCRIPT_VERSION, JSON_SCHEMA_VERSION);
	if (source) {
		json_member_text(&w, JSON_SCRIPT_NAME, source->name);
		json_member(&w, JSON_SCRIPT_TEXT);
		json_string(&w, source->text, source->length);
	}
	write_options(&w, options);
	write_arguments(&w, options);
	json_member_text(&w, JSON_SCRIPT_STAP, PACKAGE_VERSION);
	json_line_end(&w);
	/* If the output has no reader, continue: the end of staprun handles that. */
	if (!fflush(stdout) || errno == EPIPE)
		return NULL;
	error = error_errno(_("cannot write the output"));
	clearerr(stdout); /* the error is reported now, so it must not be reported again at exit */
	messages_use_json(NULL);
	return error;
}
