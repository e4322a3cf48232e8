// SPDX-License-Identifier: GPL-2.0-or-later
/* The console of a guest: the kernel's error messages are found wherever the pieces that are read begin and end. */
#include <glib.h>
#include <string.h>

#include "vm/console.h"

static const struct {
	const char *line;
	enum severity severity;
} messages[] = {
	{"[   12.345678] WARNING: made up\r\n", SEVERITY_WARNING},
	{"[   12.345678] BUG: unable to handle page fault\r\n", SEVERITY_BUG},
	{"[   12.345678] Kernel panic - not syncing: made up\r\n", SEVERITY_PANIC},
};

struct findings {
	guint count;
	enum severity severity;
};

static void note(void *data, enum severity severity, const char *meaning)
{
	struct findings *findings = data;

	findings->count++;
	findings->severity = severity;
}

/* Add text that lacks a newline, then a message, byte for byte as a serial port sends it. */
static void check_message(gsize before, guint message)
{
	g_autofree char *noise = g_strnfill(before, 'x');
	struct findings findings = {0};
	struct console console;
	g_autofree char *words = NULL;

	console_init(&console);
	console_add(&console, noise, before, note, &findings);
	for (const char *at = messages[message].line; *at; at++)
		console_add(&console, at, 1, note, &findings);
	g_assert_cmpuint(findings.count, ==, 1);
	g_assert_cmpint(findings.severity, ==, messages[message].severity);
	words = console_last_words(&console);
	g_assert_nonnull(strstr(words, "xx"));
	console_clear(&console);
	g_string_free(console.text, TRUE);
	g_string_free(console.oops, TRUE);
}

/* The output of a program without newlines is cut into lines, but no message is lost at a cut. */
static void test_after_endless_line(void)
{
	for (guint message = 0; message < G_N_ELEMENTS(messages); message++)
		for (gsize before = 4000; before < 4200; before++)
			check_message(before, message);
}

static void test_in_pieces(void)
{
	const char *line = messages[0].line;

	for (gsize first = 1; first < strlen(line); first++) {
		struct findings findings = {0};
		struct console console;
		gsize length;

		console_init(&console);
		console_add(&console, line, first, note, &findings);
		console_mark(&console);
		console_add(&console, line + first, strlen(line) - first, note, &findings);
		g_assert_cmpuint(findings.count, ==, 1);
		g_assert_true(g_str_has_prefix(console_since_mark(&console, &length), "[   12.345678] WARNING"));
		g_string_free(console.text, TRUE);
		g_string_free(console.oops, TRUE);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/console/after-endless-line", test_after_endless_line);
	g_test_add_func("/console/in-pieces", test_in_pieces);
	return g_test_run();
}
