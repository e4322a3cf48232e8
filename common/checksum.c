// SPDX-License-Identifier: GPL-2.0-or-later
/* Checksums with xxHash. Its header contains the whole implementation, so no library is needed at run time. */
#include "common/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t checksum(uint64_t seed, const void *data, size_t size)
{
	return XXH3_64bits_withSeed(data, size, seed);
}

void checksum_wide(const void *data, size_t size, uint64_t sum[2])
{
	XXH128_hash_t hash = XXH3_128bits(data, size);

	sum[0] = hash.high64;
	sum[1] = hash.low64;
}
