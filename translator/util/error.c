// SPDX-License-Identifier: GPL-2.0-or-later
/* Error values; see error.h for the convention. */
#include "translator/util/error.h"

#include <errno.h>
#include <glib.h>
#include <stdarg.h>
#include <stdio.h>

#include "translator/util/i18n.h"

static struct error *error_vnew(enum error_code code, int errnum, const char *format, va_list args)
{
	struct error *error = g_new0(struct error, 1);

	error->code = code;
	error->errnum = errnum;
	error->message = g_strdup_vprintf(format, args);
	return error;
}

struct error *error_new(enum error_code code, const char *format, ...)
{
	struct error *error;
	va_list args;

	va_start(args, format);
	error = error_vnew(code, 0, format, args);
	va_end(args);
	return error;
}

struct error *error_errno(const char *format, ...)
{
	int errnum = errno;
	struct error *error;
	va_list args;
	char *text;

	va_start(args, format);
	error = error_vnew(ERROR_SYSTEM, errnum, format, args);
	va_end(args);
	text = error->message;
	error->message = g_strdup_printf("%s: %s", text, g_strerror(errnum));
	g_free(text);
	return error;
}

struct error *error_with_hint(struct error *error, const char *format, ...)
{
	va_list args;

	if (!error)
		return NULL;
	g_free(error->hint);
	va_start(args, format);
	error->hint = g_strdup_vprintf(format, args);
	va_end(args);
	return error;
}

struct error *error_prefix(struct error *error, const char *format, ...)
{
	g_autofree char *prefix = NULL;
	va_list args;
	char *text;

	if (!error)
		return NULL;
	va_start(args, format);
	prefix = g_strdup_vprintf(format, args);
	va_end(args);
	text = error->message;
	error->message = g_strdup_printf("%s: %s", prefix, text);
	g_free(text);
	return error;
}

void error_report(const struct error *error)
{
	fflush(stdout);
	fprintf(stderr, "%s: %s\n", _("ERROR"), error->message);
	if (error->hint)
		fprintf(stderr, "%s: %s\n", _("hint"), error->hint);
}

void error_free(struct error *error)
{
	if (!error)
		return;
	g_free(error->message);
	g_free(error->hint);
	g_free(error);
}

bool error_told(struct error *error)
{
	if (!error)
		return false;
	error_report(error);
	error_free(error);
	return true;
}
