/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory and text functions for common/base, which must not use GLib, because a set-uid staprun is linked with it.
 * GLib's documentation forbids such use: its constructors run before the program can clean its environment. Free the
 * results with free(). Out of memory aborts the program, as in GLib.
 */
#ifndef SPILE_BASE_MEMORY_H
#define SPILE_BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

/** Allocate zeroed memory. */
void *memory_new(size_t count, size_t size);
void *memory_resize(void *memory, size_t count, size_t size);

char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_vformat(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
/** Copy at most the first @p length bytes of a text. */
char *text_copy(const char *text, size_t length);

#endif
