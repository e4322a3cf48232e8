// SPDX-License-Identifier: GPL-2.0-or-later
/* Print warnings and progress messages on standard error; see messages.h. */
#include "staprun/messages.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/message.h"
#include "staprun/step.h"

static int verbosity;
static bool show_warnings = true;

static bool held;
static char *kept; /* held lines; NULL if none */
static size_t kept_length;

void messages_configure(int level, bool warnings)
{
	verbosity = level;
	show_warnings = warnings;
}

/* Hold a message. Without memory it is lost, which is better than waiting. */
static void keep(const char *line)
{
	size_t length = strlen(line) + 1;
	char *longer = realloc(kept, kept_length + length + 1);

	if (!longer)
		return;
	kept = longer;
	sprintf(kept + kept_length, "%s\n", line);
	kept_length += length;
}

void messages_hold(void)
{
	held = true;
}

void messages_release(void)
{
	held = false;
	if (kept)
		fputs(kept, stderr);
	free(kept);
	kept = NULL;
	kept_length = 0;
}

/* Print a whole line at once, because the loader and the reader share the stream. */
static void print_message(const char *label, const char *format, va_list args)
{
	char line[1024];
	int used = snprintf(line, sizeof(line), "%s: ", label);

	vsnprintf(line + used, sizeof(line) - used, format, args);
	step_clear();
	if (held)
		keep(line);
	else
		fprintf(stderr, "%s\n", line);
}

static void print_json(const char *format, va_list args)
{
	_cleanup_free_ char *text = text_vformat(format, args);

	message_print(MESSAGE_WARNING, text, NULL, NULL);
}

void message_warning(const char *format, ...)
{
	va_list args;

	if (!show_warnings)
		return;
	va_start(args, format);
	if (messages_are_json() && !held)
		print_json(format, args);
	else
		print_message(_("WARNING"), format, args);
	va_end(args);
}

void message_verbose(int level, const char *format, ...)
{
	va_list args;

	if (verbosity < level)
		return;
	va_start(args, format);
	print_message("staprun", format, args);
	va_end(args);
}
