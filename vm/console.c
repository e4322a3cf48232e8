// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The console of a guest. The hub adds what QEMU delivers. Complete lines are searched for error messages of the
 * kernel, and the last part of the text is kept for reports.
 */
#include "vm/console.h"

#include <string.h>

#include "common/base/i18n.h"

enum {
	CONSOLE_KEPT = 64 * 1024,
	CONSOLE_LINE = 4096, /* a longer piece without a newline is cut into lines */
	SHOWN_LINES = 60,
	OOPS_SHOWN_LINES = 40, /* of these, for the first oops, if it is further up */
	REPORT_SHOWN_LINES = 100,
};

/* Console lines that indicate trouble. */
static const struct trouble_sign {
	const char *text;
	const char *meaning;
	enum severity severity;
} trouble_signs[] = {
	{"Kernel panic - not syncing", N_("the guest's kernel panicked"), SEVERITY_PANIC},
	{"Oops: ", N_("the guest's kernel oopsed"), SEVERITY_OOPS},
	{"kernel BUG at", N_("the guest's kernel hit a BUG()"), SEVERITY_OOPS},
	{"general protection fault", N_("the guest's kernel hit a general protection fault"), SEVERITY_OOPS},
	{"BUG: ", N_("the guest's kernel reported a bug"), SEVERITY_BUG},
	{"WARNING: ", N_("the guest's kernel printed a warning"), SEVERITY_WARNING},
};

void console_init(struct console *console)
{
	*console = (struct console){.text = g_string_new(NULL), .oops = g_string_new(NULL)};
}

void console_clear(struct console *console)
{
	g_string_free(console->text, TRUE);
	g_string_free(console->oops, TRUE);
	console_init(console);
}

/* ---- scanning ---------------------------------------------------------------------------------------------------- */

static const struct trouble_sign *find_trouble(const char *line)
{
	for (guint i = 0; i < G_N_ELEMENTS(trouble_signs); i++) {
		if (strstr(line, trouble_signs[i].text))
			return &trouble_signs[i];
	}
	return NULL;
}

/* Return how many bytes at the end of a line are the beginning of a sign, of which the rest may follow. */
static size_t begun_sign(const char *line)
{
	size_t line_length = strlen(line), longest = 0;

	if (find_trouble(line))
		return 0;
	for (guint i = 0; i < G_N_ELEMENTS(trouble_signs); i++) {
		const char *sign = trouble_signs[i].text;

		for (size_t length = MIN(strlen(sign) - 1, line_length); length > longest; length--)
			if (!memcmp(line + line_length - length, sign, length))
				longest = length;
	}
	return longest;
}

/* Keep the lines of the first oops, whatever comes later. A line before "Oops: " may tell its cause. */
static void keep_oops(struct console *console, const struct trouble_sign *sign, const char *line)
{
	if (!console->oops->len) {
		if (!sign || sign->severity == SEVERITY_WARNING || sign->severity == SEVERITY_PANIC)
			return;
		console->oops_line = console->lines;
	}
	if (console->lines - console->oops_line < OOPS_SHOWN_LINES)
		g_string_append_printf(console->oops, "%s\n", line);
}

/* Discard the oldest text. */
static void limit_text(struct console *console)
{
	gsize excess;

	if (console->scanned <= CONSOLE_KEPT)
		return;
	excess = console->scanned - CONSOLE_KEPT / 2;
	g_string_erase(console->text, 0, excess);
	console->scanned -= excess;
	console->mark -= MIN(console->mark, excess);
}

/* End a line that has become too long. */
static void cut_line(struct console *console)
{
	const char *line = console->text->str + console->scanned;

	if (console->text->len - console->scanned > CONSOLE_LINE && !strchr(line, '\n'))
		g_string_insert_c(console->text, (gssize)(console->text->len - begun_sign(line)), '\n');
}

void console_add(struct console *console, const char *text, size_t length, console_trouble *trouble, void *data)
{
	char *newline;

	for (size_t i = 0; i < length; i++) {
		if (text[i] != '\r' && text[i] != '\0')
			g_string_append_c(console->text, text[i]);
	}
	cut_line(console);
	while ((newline = strchr(console->text->str + console->scanned, '\n'))) {
		const char *line = console->text->str + console->scanned;
		const struct trouble_sign *sign;

		*newline = '\0';
		sign = find_trouble(line);
		if (sign)
			trouble(data, sign->severity, _(sign->meaning));
		keep_oops(console, sign, line);
		console->lines++;
		*newline = '\n';
		console->scanned = newline + 1 - console->text->str;
	}
	limit_text(console);
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

void console_mark(struct console *console)
{
	console->mark = console->scanned;
}

const char *console_since_mark(const struct console *console, size_t *length)
{
	const char *start = console->text->str + console->mark, *end = start;

	for (int lines = 0; *end && lines < REPORT_SHOWN_LINES; end++)
		lines += *end == '\n';
	*length = end - start;
	return start;
}

static const char *last_lines(const struct console *console, int shown)
{
	const char *start = console->text->str + console->text->len;

	for (int lines = 0; start > console->text->str; start--) {
		if (start[-1] == '\n' && ++lines > shown)
			break;
	}
	return start;
}

char *console_last_words(const struct console *console)
{
	if (!console->oops->len || console->lines - console->oops_line <= SHOWN_LINES)
		return g_strdup(last_lines(console, SHOWN_LINES));
	return g_strdup_printf("%s[...]\n%s", console->oops->str, last_lines(console, SHOWN_LINES - OOPS_SHOWN_LINES));
}
