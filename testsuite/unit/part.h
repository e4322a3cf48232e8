/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Long loops of unit tests, of which a part (SPILE_PART) runs only one round in some. */
#ifndef SPILE_TEST_PART_H
#define SPILE_TEST_PART_H

#include <stdlib.h>

/** Return by how much a loop advances: 1, or @n in a part. */
static inline size_t part_step(size_t n)
{
	return getenv("SPILE_PART") ? n : 1;
}

#endif
