/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characters of texts that others wrote, for programs without GLib. */
#ifndef SPILE_UTIL_UTF8_H
#define SPILE_UTIL_UTF8_H

#include <stddef.h>

/**
 * How many bytes has the character that begins here?
 *
 * @param[in] length Of the text, at least 1.
 * @param[out] code Its number.
 * @return 0: these bytes are no UTF-8.
 */
size_t utf8_character(const char *text, size_t length, unsigned int *code);

#endif
