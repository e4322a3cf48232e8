/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checksums against accidental changes; see checksum.c. */
#ifndef SPILE_COMMON_CHECKSUM_H
#define SPILE_COMMON_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/**
 * Compute a fast checksum. It is not cryptographic: an attacker can make other data with the same sum.
 *
 * @param[in] seed The sum of the preceding data, or 0.
 */
uint64_t checksum(uint64_t seed, const void *data, size_t size);

/** Compute a checksum of 128 bits, which makes accidental collisions between many files improbable. */
void checksum_wide(const void *data, size_t size, uint64_t sum[2]);

#endif
