/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a content what was written? See content_sum.c. */
#ifndef SPILE_UTIL_CONTENT_SUM_H
#define SPILE_UTIL_CONTENT_SUM_H

#include <stddef.h>
#include <stdint.h>

/**
 * A checksum at the speed of memory, against accidents; who wants to can make another content with the same sum.
 *
 * @param[in] seed The sum of what stands before, or 0.
 */
uint64_t content_sum(uint64_t seed, const void *data, size_t size);

/** The same, wide enough that no two of many contents have the same by chance. */
void content_sum_wide(const void *data, size_t size, uint64_t sum[2]);

#endif
