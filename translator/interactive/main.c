// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-interactive: the program that `stap -i` becomes. It is a program of its own, since stap starts faster without
 * readline. Its command line is that of stap.
 */
#include "translator/interactive/interactive.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_directories.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "translator/rc.h"

static const char prompt[] = "stap> ", continuation_prompt[] = "...>  ";

/* The lines of an unfinished definition, for completion; "" before its first line. */
static GString *begun;

static GPtrArray *complete(void *data, const char *line, size_t offset, size_t *from)
{
	g_autofree char *before = begun->len ? g_strconcat(begun->str, "\n", NULL) : g_strdup("");

	return complete_line(data, before, line, offset, from);
}

/* Report a failure, which ends nothing. */
static void note(struct interactive *it, struct error *error)
{
	fflush(stdout);
	it->has_failed |= error_report_free(error);
}

/* In a body, only these end a definition, or show that it is wrong. Looking at each line would take quadratic time. */
static bool may_end(const char *line)
{
	return !strchr(begun->str, '{') || strpbrk(line, "}%*/\"'");
}

/* Add a line to the text that is begun. Is the text complete? */
static bool add_line(const char *line)
{
	static const char word[] = "add ";
	bool is_first = !begun->len, ends = is_first || may_end(line);
	size_t skipped;

	if (!is_first)
		g_string_append_c(begun, '\n');
	g_string_append(begun, line);
	skipped = g_str_has_prefix(begun->str, word) ? strlen(word) : 0;
	if (!text_is_definition(begun->str) || begun->len > MOST_TYPED)
		return true;
	return ends && script_is_complete(begun->str + skipped, begun->len - skipped);
}

static void note_end(struct interactive *it)
{
	if (begun->len)
		note(it, error_new(ERROR_OTHER, _("the input ends within a definition, which is not added")));
	it->is_over = true;
}

static void take_line(struct interactive *it, const char *line)
{
	if (!add_line(line))
		return;
	session_poll(it->session);
	note(it, obey(it, begun->str));
	g_string_truncate(begun, 0);
}

static void read_lines(struct interactive *it)
{
	/* Without a reader of the output, nothing is left to do. */
	while (!it->is_over && !ferror(stdout)) {
		g_autofree char *line = NULL;

		switch (input_line(it->input, begun->len ? continuation_prompt : prompt, &line)) {
		case LINE_READ:
			take_line(it, line);
			break;
		case LINE_REFUSED:
			it->has_failed = true;
			g_string_truncate(begun, 0);
			break;
		case LINE_ABANDONED:
			g_string_truncate(begun, 0);
			break;
		case LINE_END:
			note_end(it);
			break;
		}
	}
}

/* Load the script of the command line, if there is one. */
static struct error *begin_script(struct interactive *it, const struct options *options)
{
	g_autofree char *quoted = options->script_path ? g_shell_quote(options->script_path) : NULL;

	if (options->argument_count)
		return error_with_hint(error_new(ERROR_OTHER, _("-i takes no arguments of the script")),
				       _("enter them after 'run'"));
	if (options->script_text)
		return script_replace(it, "-e", g_strdup(options->script_text), strlen(options->script_text));
	return quoted ? script_load(it, quoted) : NULL;
}

static struct error *start(struct interactive *it, const struct options *options)
{
	struct input_callbacks callbacks = {complete, it};
	struct error *error = rc_check_hosts("stap -i");

	error = error ?: settings_take(it->settings, options);
	error = error ?: input_new(&callbacks, &it->input);
	if (error)
		return error;
	settings_apply(it->settings, it->session);
	script_open(it);
	return begin_script(it, options);
}

static void greet(const struct interactive *it)
{
	if (input_is_terminal(it->input))
		printf(_("Spile %s: enter probes, 'run' them in a guest, or 'help'.\n"), PACKAGE_VERSION);
}

static void finish(struct interactive *it)
{
	if (it->input)
		input_free(it->input);
	g_ptr_array_unref(it->earlier);
	g_string_free(begun, TRUE);
	settings_free(it->settings);
	session_free(it->session);
	g_free(it->path);
}

/* As in a shell, a failed command sets the status if the input is not a terminal. A person has seen the message. */
static int exit_status(const struct interactive *it)
{
	if (input_signal())
		return 128 + input_signal();
	return it->has_failed && !input_is_terminal(it->input) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int serve(const struct options *options)
{
	struct interactive it = {
		.session = session_new(usable_translation_cache()),
		.settings = settings_new(),
		.earlier = g_ptr_array_new_with_free_func(g_free),
	};
	int status = EXIT_FAILURE;

	begun = g_string_new(NULL);
	if (!error_report_free(start(&it, options))) {
		greet(&it);
		read_lines(&it);
		status = exit_status(&it);
	}
	finish(&it);
	return status;
}

/* Parse the command line, with -i even if this program was not started by stap. */
static enum options_outcome parse(struct options *options, struct arena *arena, int argc, char **argv)
{
	GPtrArray *words = arena_ptr_array(arena);

	g_ptr_array_add(words, (void *)"stap");
	g_ptr_array_add(words, (void *)"-i");
	for (int i = 1; i < argc; i++)
		g_ptr_array_add(words, argv[i]);
	g_ptr_array_add(words, NULL);
	return options_parse(options, arena, (int)words->len - 1, (char **)words->pdata);
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	int status = EXIT_FAILURE;

	standard_streams_open();
	i18n_init(locale_directory());
	signal(SIGPIPE, SIG_IGN);
	debuginfod_allow(false);
	switch (parse(&options, arena, argc, argv)) {
	case OPTIONS_RUN:
		status = serve(&options);
		break;
	case OPTIONS_DONE:
		status = EXIT_SUCCESS;
		break;
	case OPTIONS_ERROR:
	case OPTIONS_USAGE:
		break;
	}
	arena_free(arena);
	return standard_output_finish(status);
}
