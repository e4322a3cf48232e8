// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Passes a structure of more than 16 bytes by value, which on arm64 is passed by reference. Built without optimization
 * and without a C library, for the suite arm64.
 */
struct big {
	long members[5];
};

static long __attribute__((noinline)) sum(struct big given)
{
	return given.members[0] + given.members[4];
}

void _start(void)
{
	register long number asm("x8") = 93; /* exit() */
	register long status asm("x0") = sum((struct big){{1, 2, 3, 4, 5}}) - 6;

	asm volatile("svc 0" : : "r"(number), "r"(status));
	__builtin_unreachable();
}
