// SPDX-License-Identifier: GPL-2.0-or-later
/* The library of traced.c: its functions, one of which is not exported, and its variables. */
#include "traced-library.h"

static long calls = 40;
__thread long used_here = 400;
static volatile __thread int errno; /* as in a C library */

static __attribute__((noinline, noclone)) long helper(long value)
{
	calls++;
	used_here += value;
	errno = (int)value + 1;
	return value + 100;
}

long library_add(long a, int b)
{
	return helper(a) + b;
}

long library_call(long (*function)(signed char, short, int, long), long value)
{
	return function(1, 2, 3, value) + calls;
}
