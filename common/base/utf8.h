/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decode and show untrusted UTF-8. */
#ifndef SPILE_BASE_UTF8_H
#define SPILE_BASE_UTF8_H

#include <stddef.h>

/**
 * Decode the first character of a text.
 *
 * @param[in] length The text's length in bytes, at least 1.
 * @param[out] code Its code point.
 * @return The number of its bytes, or 0 if they are not valid UTF-8.
 */
size_t utf8_character(const char *text, size_t length, unsigned int *code);

/** Return the text with escapes for invalid UTF-8 and for characters that control terminals. The caller frees it. */
char *utf8_escaped(const char *text);

/**
 * Return the text with escapes for what terminals act on, except line breaks and tabs. Keep invalid UTF-8, because
 * a message may be in another encoding. The caller frees the result.
 */
char *utf8_escaped_lines(const char *text);

/** Return the number of columns that a text takes on a terminal, in the locale. */
int utf8_columns(const char *text);

/**
 * Fill a text up with spaces. printf() counts the bytes of a text, not the columns that it takes on a terminal.
 *
 * @param[in] columns As a width of printf(): negative to put the spaces after the text.
 * @return The text, which the caller frees.
 */
char *utf8_padded(const char *text, int columns);

#endif
