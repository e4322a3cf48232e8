// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Print what a script says (see pass.h), so that a user of stap --report sees the same as without it.
 *
 * The trap: the output has a reader that may close it ("| head"). staprun then ends the script. Here, the script must
 * end, too, but its last lines are wanted for the report. So interrupt the script, if its process is known, and read
 * on. Else the caller closes the input, and the script ends when it writes the next line.
 */
#include "report/pass.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/read_write.h"
#include "report/texts.h"

/* ---- colors ------------------------------------------------------------------------------------------------------ */

/* Return the value of "name=" in SYSTEMTAP_COLORS, NULL if it has none. */
static const char *color_of(const char *list, const char *name)
{
	g_auto(GStrv) items = g_strsplit(list, ":", -1);

	for (guint i = 0; items[i]; i++) {
		const char *value = g_str_has_prefix(items[i], name) ? items[i] + strlen(name) : "";

		if (*value == '=' && value[1] && strspn(value + 1, "0123456789;") == strlen(value + 1))
			return g_intern_string(value + 1);
	}
	return NULL;
}

void pass_choose_colors(struct pass *pass, const char *when)
{
	const char *list = getenv("SYSTEMTAP_COLORS") ?: "error=01;31:warning=00;33", *terminal = getenv("TERM");
	bool is_terminal = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb");

	if (!strcmp(when, "never") || (!strcmp(when, "auto") && !is_terminal))
		return;
	pass->error_color = color_of(list, "error");
	pass->warning_color = color_of(list, "warning");
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

void pass_output(struct pass *pass, const struct output *output)
{
	if (pass->has_failed || pass->is_unread || write_all(STDOUT_FILENO, output->text->bytes, output->text->length))
		return;
	pass->is_unread = errno == EPIPE;
	pass->has_failed = !pass->is_unread;
	if (pass->has_failed)
		error_report_free(error_errno(_("cannot write the output")));
	if (pass->script)
		kill(pass->script, SIGINT);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* Append a text without characters that control a terminal, except for line breaks. */
static void append_shown(GString *out, const struct text *text)
{
	g_autofree char *shown = text_to_show_lines(text);

	g_string_append(out, shown);
}

/* Find a line of the script; its end is not part of it. Return NULL if the place is in another file. */
static const char *find_line(const struct recording *recording, const struct place *place, size_t *length)
{
	const struct text *text = recording->script.text;
	const char *line, *end;

	if (!text || place->file != recording->script.name || place->line < 1)
		return NULL;
	line = text->bytes;
	for (int64_t i = 1; line && i < place->line; i++) {
		line = memchr(line, '\n', text->bytes + text->length - line);
		line = line ? line + 1 : NULL;
	}
	if (!line)
		return NULL;
	end = memchr(line, '\n', text->bytes + text->length - line) ?: text->bytes + text->length;
	*length = end - line;
	return line;
}

/* Append the line of the script, with a caret under the place. Long and unusual lines are left out. */
static void append_source(GString *out, const struct recording *recording, const struct place *place)
{
	enum { MOST_COLUMNS = 100, TAB_STOP = 8 };
	size_t length, column = 0;
	const char *line = find_line(recording, place, &length);
	g_autoptr(GString) expanded = g_string_new(NULL);

	if (!line || length > MOST_COLUMNS || place->column < 1 || place->column > (int64_t)length + 1)
		return;
	for (size_t i = 0; i < length; i++) {
		if (line[i] != '\t' && (line[i] < 0x20 || line[i] > 0x7e))
			return;
		if ((int64_t)i + 1 == place->column)
			column = expanded->len;
		do
			g_string_append_c(expanded, line[i] == '\t' ? ' ' : line[i]);
		while (line[i] == '\t' && expanded->len % TAB_STOP);
	}
	if (place->column == (int64_t)length + 1)
		column = expanded->len;
	g_string_append_printf(out, "%5lld | %s\n      | %*s^", (long long)place->line, expanded->str, (int)column, "");
	for (int64_t i = 1; i < place->length && column + i < expanded->len; i++)
		g_string_append_c(out, '~');
	g_string_append_c(out, '\n');
}

static void append_place(GString *out, const struct recording *recording, const char *label, const struct place *place)
{
	g_string_append_printf(out, "        %s: ", label);
	append_shown(out, place->file);
	g_string_append_printf(out, ":%lld:%lld\n", (long long)place->line, (long long)place->column);
	append_source(out, recording, place);
}

static void append_places(GString *out, const struct recording *recording, const struct place *place,
			  const GArray *expansions)
{
	if (!place->file)
		return;
	append_place(out, recording, _("at"), place);
	for (guint i = 0; i < expansions->len; i++)
		append_place(out, recording, _("in expansion of"), &g_array_index(expansions, struct place, i));
}

/* Append what stap prints before a message: the kind of an error, or the level. */
static void append_label(GString *out, const struct pass *pass, const struct message *message)
{
	bool is_error = text_is(message->level, "error"), is_warning = text_is(message->level, "warning");
	const char *color = is_error ? pass->error_color : is_warning ? pass->warning_color : NULL;

	if (color)
		g_string_append_printf(out, "\033[%sm", color);
	if (is_error && text_is(message->kind, "warning"))
		g_string_append(out, _("WARNING (an error with -W)"));
	else if (text_is(message->kind, "parse error"))
		g_string_append(out, _("parse error"));
	else if (text_is(message->kind, "semantic error"))
		g_string_append(out, _("semantic error"));
	else
		g_string_append(out, is_error ? _("ERROR") : is_warning ? _("WARNING") : _("note"));
	g_string_append(out, color ? ":\033[m " : ": ");
}

void pass_message(struct pass *pass, const struct recording *recording, const struct message *message)
{
	g_autoptr(GString) out = g_string_new(NULL);

	append_label(out, pass, message);
	append_shown(out, message->text);
	g_string_append_c(out, '\n');
	append_places(out, recording, &message->place, message->expansions);
	for (guint i = 0; i < message->notes->len; i++) {
		const struct note *note = &g_array_index(message->notes, struct note, i);

		g_string_append_printf(out, "%s: ", _("note"));
		append_shown(out, note->text);
		g_string_append_c(out, '\n');
		append_places(out, recording, &note->place, note->expansions);
	}
	if (message->hint) {
		g_string_append_printf(out, "%s: ", _("hint"));
		append_shown(out, message->hint);
		g_string_append_c(out, '\n');
	}
	/* As in staprun, a message that cannot be written is lost. */
	(void)!write_all(STDERR_FILENO, out->str, out->len);
}
