// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Increments a counter a thousand times, passes a static probe and exits. The operand of the probe's argument has the
 * low bits of the counter's address. It needs no C library for arm64.
 */
#define STAP_SDT_ARG_CONSTRAINT o
#include <sys/sdt.h>

volatile int counter;

void _start(void)
{
	register long number asm("x8") = 93; /* exit() */
	register long status asm("x0") = 0;

	for (int i = 0; i < 1000; i++)
		counter++;
	STAP_PROBE1(counter, end, counter);
	asm volatile("svc 0" : : "r"(number), "r"(status));
	__builtin_unreachable();
}
