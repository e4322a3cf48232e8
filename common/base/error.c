// SPDX-License-Identifier: GPL-2.0-or-later
/* Error values; see error.h for the convention. */
#include "common/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/memory.h"
#include "common/base/message.h"

static struct error *error_vnew(enum error_code code, int errnum, const char *format, va_list args)
{
	struct error *error = memory_new(1, sizeof(*error));

	error->code = code;
	error->errnum = errnum;
	error->message = text_vformat(format, args);
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
	error->message = text_format("%s: %s", text, strerror(errnum));
	free(text);
	return error;
}

struct error *error_with_hint(struct error *error, const char *format, ...)
{
	va_list args;

	if (!error)
		return NULL;
	free(error->hint);
	va_start(args, format);
	error->hint = text_vformat(format, args);
	va_end(args);
	return error;
}

struct error *error_with_alternative(struct error *error, const char *name)
{
	size_t count = 0;

	if (!error)
		return NULL;
	while (error->alternatives && error->alternatives[count])
		count++;
	error->alternatives = memory_resize(error->alternatives, count + 2, sizeof(*error->alternatives));
	error->alternatives[count] = text_format("%s", name);
	error->alternatives[count + 1] = NULL;
	return error;
}

struct error *error_prefix(struct error *error, const char *format, ...)
{
	_cleanup_free_ char *prefix = NULL;
	va_list args;
	char *text;

	if (!error)
		return NULL;
	va_start(args, format);
	prefix = text_vformat(format, args);
	va_end(args);
	text = error->message;
	error->message = text_format("%s: %s", prefix, text);
	free(text);
	return error;
}

void error_report(const struct error *error)
{
	message_print(MESSAGE_ERROR, error->message, error->hint, error->alternatives);
}

void error_free(struct error *error)
{
	if (!error)
		return;
	free(error->message);
	free(error->hint);
	for (char **name = error->alternatives; name && *name; name++)
		free(*name);
	free(error->alternatives);
	free(error);
}

bool error_report_free(struct error *error)
{
	if (!error)
		return false;
	error_report(error);
	error_free(error);
	return true;
}
