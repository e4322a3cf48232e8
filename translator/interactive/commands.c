// SPDX-License-Identifier: GPL-2.0-or-later
/* The commands, and what else a line can be: a definition, or a question. */
#include "translator/interactive/interactive.h"

#include <stdio.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/utf8.h"
#include "common/nearest.h"
#include "common/base/i18n.h"

static struct error *help(struct interactive *it, const char *rest);
static struct error *set(struct interactive *it, const char *rest);
static struct error *show(struct interactive *it, const char *rest);
static struct error *quit(struct interactive *it, const char *rest);

const struct command commands[] = {
	{"help", N_("[COMMAND]"), N_("describe the commands"), help},
	{"list", N_("[-L] [PROBE]"), N_("print the script, or the probe points that match, with -L their variables"),
	 script_list},
	{"set", N_("NAME VALUE"), N_("change a setting; 'off' removes its value; options of stap work, too"), set},
	{"show", N_("[NAME]"), N_("print the settings"), show},
	{"add", N_("DEFINITION"), N_("add a probe, function or global to the script; 'add' may be left out"),
	 script_add},
	{"delete", N_("NUMBER|NAME|all"), N_("remove a definition from the script"), script_delete},
	{"load", N_("FILE"), N_("replace the script by that in a file"), script_load},
	{"save", N_("[FILE]"), N_("write the script to a file"), script_save},
	{"run", N_("[ARGUMENT...]"), N_("run the script, by default in a throwaway guest"), run_script},
	{"edit", NULL, N_("edit the script with $VISUAL, $EDITOR or ex"), script_edit},
	{"sample", N_("[NAME|WORD]"), N_("load an example, or list those that match a word"), script_sample},
	{"undo", NULL, N_("take back the last change of the script"), script_undo},
	{"quit", NULL, N_("end the session"), quit},
	{NULL},
};

static const struct command *find_command(const char *name)
{
	for (const struct command *command = commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

/* Report a line whose first word is not a command. */
static struct error *unknown_command(const char *line)
{
	enum { MOST_SHOWN = 40 };
	g_autofree char *name = g_strndup(line, MIN(strcspn(line, " \t\n"), (size_t)MOST_SHOWN));
	/* A terminal must not obey it. */
	g_autofree char *shown = g_strescape(name, NULL);
	struct arena *arena = arena_new();
	GPtrArray *names = arena_ptr_array(arena);
	const GPtrArray *near;
	struct error *error = error_new(ERROR_LOOKUP, _("unknown command '%s'"), shown);

	for (const struct command *command = commands; command->name; command++)
		g_ptr_array_add(names, (void *)command->name);
	near = nearest_matches(arena, name, names, "", 3);
	error = near ? error_with_names(error, arena, near) : error_with_hint(error, _("enter 'help'"));
	arena_free(arena);
	return error;
}

static void print_synopsis(const char *synopsis, const char *help)
{
	_cleanup_free_ char *padded = utf8_padded(synopsis, -22);

	/* TRANSLATORS: a command, and what it does. */
	printf(_("  %s %s\n"), padded, help);
}

static void print_command(const struct command *command)
{
	g_autofree char *synopsis =
		g_strdup_printf("%s %s", command->name, command->argument ? _(command->argument) : "");

	print_synopsis(synopsis, _(command->help));
}

static struct error *help(struct interactive *it, const char *rest)
{
	const struct command *command = find_command(rest);

	if (*rest && !command)
		return unknown_command(rest);
	if (command) {
		print_command(command);
		return NULL;
	}
	for (command = commands; command->name; command++)
		print_command(command);
	print_synopsis(_("probe, function, global"), _("begin a definition, which becomes part of the script"));
	print_synopsis(_("?EXPRESSION"),
		       _("show the type of an expression, documentation, or the matches of a probe point"));
	return NULL;
}

static struct error *set(struct interactive *it, const char *rest)
{
	struct error *error = settings_set(it->settings, it->input, rest);

	if (!error)
		settings_apply(it->settings, it->session);
	return error;
}

static struct error *show(struct interactive *it, const char *rest)
{
	return settings_show(it->settings, rest);
}

static struct error *quit(struct interactive *it, const char *rest)
{
	it->is_over = true;
	return NULL;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static size_t word_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
}

bool text_is_definition(const char *text)
{
	static const char *const words[] = {"probe", "function", "global", "private"};
	static const char *const marks[] = {"@define", "%{", "%(", "#", "//", "/*"};
	size_t length;

	text += strspn(text, " \t");
	if (g_str_has_prefix(text, "add ") || g_str_has_prefix(text, "add\t"))
		text += strlen("add ") + strspn(text + strlen("add "), " \t");
	length = word_length(text);
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (length == strlen(words[i]) && !strncmp(text, words[i], length))
			return true;
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++)
		if (g_str_has_prefix(text, marks[i]))
			return true;
	return false;
}

struct error *obey(struct interactive *it, const char *text)
{
	g_autofree char *line = g_strstrip(g_strdup(text)), *name = g_strndup(line, word_length(line));
	const struct command *command = find_command(name);
	const char *rest = line + strlen(name);

	if (!*line)
		return NULL;
	if (*line == '?')
		return describe(it, line + 1 + strspn(line + 1, " \t"));
	if (command && (!*rest || g_ascii_isspace(*rest)))
		return command->run(it, rest + strspn(rest, " \t"));
	return text_is_definition(line) ? script_add(it, line) : unknown_command(line);
}
