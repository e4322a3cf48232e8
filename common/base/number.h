/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in the arguments of options and probe points. Not linked with GLib, because staprun uses it. */
#ifndef SPILE_BASE_NUMBER_H
#define SPILE_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Parse the number at the start of @p text.
 *
 * @param[in] base As of strtoll(3): 10, or 0 for C's notation.
 * @return The text after the number; NULL, with @p ret unchanged, if no number from @p least to @p most is there.
 */
const char *parse_number_at(const char *text, int base, int64_t least, int64_t most, int64_t *ret);

/** Parse the whole of @p text as a number. Return false if it is not a number from @p least to @p most. */
bool parse_number(const char *text, int base, int64_t least, int64_t most, int64_t *ret);

#endif
