// SPDX-License-Identifier: GPL-2.0-or-later
/* Warnings and stages on standard error; see messages.h. */
#include "staprun/messages.h"

#include <stdarg.h>
#include <stdio.h>

#include "translator/util/i18n.h"

static int verbosity;
static bool show_warnings = true;

void messages_configure(int level, bool warnings)
{
	verbosity = level;
	show_warnings = warnings;
}

/* In one write: the loader and the reader share the stream. */
static void say(const char *label, const char *format, va_list args)
{
	char line[1024];
	int used = snprintf(line, sizeof(line), "%s: ", label);

	vsnprintf(line + used, sizeof(line) - used, format, args);
	fprintf(stderr, "%s\n", line);
}

void message_warning(const char *format, ...)
{
	va_list args;

	if (!show_warnings)
		return;
	va_start(args, format);
	say(_("WARNING"), format, args);
	va_end(args);
}

void message_verbose(int level, const char *format, ...)
{
	va_list args;

	if (verbosity < level)
		return;
	va_start(args, format);
	say("staprun", format, args);
	va_end(args);
}
