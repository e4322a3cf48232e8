// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that programs in D watch (dlang.sh), with the static probes of provider.in. It ends with status 8, which
 * does not concern dtrace.
 */
#include <stdint.h>
#include <stdlib.h>

#include "provider.h"

static int twice(int number)
{
	if (DLANG_TARGET_NUMBER_GIVEN_ENABLED())
		DLANG_TARGET_NUMBER_GIVEN(-number, "name");
	return number * 2;
}

int main(int argc, char **argv)
{
	DLANG_TARGET_START();
	free(malloc(100));
	DLANG_TARGET_END((uint64_t)1 << 40);
	return twice(argc) + twice(3);
}
