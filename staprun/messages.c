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

void message_warning(const char *format, ...)
{
	va_list args;

	if (!show_warnings)
		return;
	va_start(args, format);
	fprintf(stderr, "%s: ", _("WARNING"));
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
}

void message_verbose(int level, const char *format, ...)
{
	va_list args;

	if (verbosity < level)
		return;
	va_start(args, format);
	fputs("staprun: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
}
