// SPDX-License-Identifier: GPL-2.0-or-later
/* Print warnings and progress messages on standard error; see messages.h. */
#include "staprun/messages.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/message.h"
#include "staprun/step.h"

static int verbosity;
static bool show_warnings = true;

static bool held;
static struct held_message {
	bool is_warning; /* false: a progress message */
	char *text;
} * kept;
static size_t kept_count;

void messages_configure(int level, bool warnings)
{
	verbosity = level;
	show_warnings = warnings;
}

static void show(bool is_warning, const char *text)
{
	step_clear();
	if (is_warning)
		message_print(MESSAGE_WARNING, text, NULL, NULL);
	else
		fprintf(stderr, "staprun: %s\n", text); /* one write, because the reader shares the stream */
}

/* Hold a message. Without memory it is lost, which is better than waiting. */
static void keep(bool is_warning, const char *text)
{
	struct held_message *longer = realloc(kept, (kept_count + 1) * sizeof(*kept));
	char *copy = strdup(text);

	if (longer)
		kept = longer;
	if (longer && copy)
		kept[kept_count++] = (struct held_message){is_warning, copy};
	else
		free(copy);
}

void messages_hold(void)
{
	held = true;
}

void messages_release(void)
{
	held = false;
	for (size_t i = 0; i < kept_count; i++) {
		show(kept[i].is_warning, kept[i].text);
		free(kept[i].text);
	}
	free(kept);
	kept = NULL;
	kept_count = 0;
}

static void print_message(bool is_warning, const char *format, va_list args)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, args);
	if (held)
		keep(is_warning, text);
	else
		show(is_warning, text);
}

void message_warning(const char *format, ...)
{
	va_list args;

	if (!show_warnings)
		return;
	va_start(args, format);
	print_message(true, format, args);
	va_end(args);
}

void message_verbose(int level, const char *format, ...)
{
	va_list args;

	if (verbosity < level)
		return;
	va_start(args, format);
	print_message(false, format, args);
	va_end(args);
}
