// SPDX-License-Identifier: GPL-2.0-or-later
/* A program that programs in D watch (dlang.sh). It ends with status 8, which does not concern dtrace. */
#include <stdlib.h>

static int twice(int number)
{
	return number * 2;
}

int main(int argc, char **argv)
{
	free(malloc(100));
	return twice(argc) + twice(3);
}
