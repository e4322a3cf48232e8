// SPDX-License-Identifier: GPL-2.0-or-later
/* Damage to binary files and streams: cut, move blocks, flip bits, replace numbers. */
#include "testsuite/fuzz/damage.h"

#include <stdint.h>
#include <string.h>

guint64 fuzz_number(GRand *random)
{
	static const guint64 numbers[] = {
		0,	1,	    2,		 0x7f,	      0x80,	  0xff,	     0x7fff,
		0xffff, 0x7fffffff, 0x80000000u, 0xffffffffu, UINT64_MAX, INT64_MAX, 0xffffffff81000000u,
		64,	4096};

	if (g_rand_boolean(random))
		return numbers[g_rand_int_range(random, 0, G_N_ELEMENTS(numbers))];
	return ((guint64)g_rand_int(random) << 32) | g_rand_int(random);
}

void fuzz_damage(GRand *random, void *data, gsize *size)
{
	char *bytes = data;
	gsize at = (gsize)g_rand_int_range(random, 0, (gint32)*size);
	gsize width = 1u << g_rand_int_range(random, 0, 4);
	guint64 number = fuzz_number(random);

	switch (g_rand_int_range(random, 0, 8)) {
	case 0: /* cut */
		*size = at + 1;
		break;
	case 1: /* a block moved */
		width = (gsize)g_rand_int_range(random, 1, 512);
		if (at + width < *size)
			memmove(bytes + at, bytes + g_rand_int_range(random, 0, (gint32)(*size - width)), width);
		break;
	case 2:
		bytes[at] ^= (char)(1 << g_rand_int_range(random, 0, 8));
		break;
	default:
		memcpy(bytes + at, &number, MIN(width, *size - at));
	}
}
