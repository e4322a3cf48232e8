/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory and texts without GLib, for what a set-uid staprun consists of: GLib has constructors that run before a
 * program can clean its environment, and says itself that it is not for such programs. What is made here is freed by
 * free(). As with GLib, a program that gets no memory is aborted.
 */
#ifndef SPILE_UTIL_MEMORY_H
#define SPILE_UTIL_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

/** Zeroed memory. */
void *memory_new(size_t count, size_t size);
void *memory_resize(void *memory, size_t count, size_t size);

char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_vformat(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
/** The first @p length bytes, or less if the text ends before. */
char *text_copy(const char *text, size_t length);

#endif
