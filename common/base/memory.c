// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory and texts; see memory.h. */
#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

void *memory_new(size_t count, size_t size)
{
	return checked(calloc(count ?: 1, size));
}

void *memory_resize(void *memory, size_t count, size_t size)
{
	return checked(reallocarray(memory, count ?: 1, size));
}

char *text_vformat(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		abort();
	return text;
}

char *text_format(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_vformat(format, args);
	va_end(args);
	return text;
}

char *text_copy(const char *text, size_t length)
{
	return checked(strndup(text, length));
}
