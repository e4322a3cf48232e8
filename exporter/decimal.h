/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decimal numbers as text. 64-bit integers do not fit into floating point, so they are scaled as text. */
#ifndef SPILE_EXPORTER_DECIMAL_H
#define SPILE_EXPORTER_DECIMAL_H

#include <stdint.h>

/** Return value / 10^exponent exactly, without trailing zeros. Free with g_free(). */
char *decimal_scaled(int64_t value, unsigned int exponent);

/** The same for a number with a fraction, rounded as doubles are; "NaN", "+Inf" or "-Inf" if it is not finite. */
char *decimal_scaled_double(double value, unsigned int exponent);

/** Return a number of the text formats in our spelling, or NULL if the text is not one. Free with g_free(). */
char *decimal_parse(const char *text);

#endif
