// SPDX-License-Identifier: GPL-2.0-or-later
/* A library whose thread-local variables are found by TLS descriptors (test thread-descriptors). */
__thread char unused[100000]; /* so that dlopen() has no place for it among the blocks that a thread begins with */
__thread long steps = 40;
static __thread short last[3] = {7, 8, 9};

__attribute__((noinline)) void note_step(int number)
{
	steps += number;
	last[1] += number;
	__asm__ volatile("" : : "r"(last) : "memory");
}

char *use(int number)
{
	/* A thread gets the variables at the first use of one. */
	unused[0] = 1;
	note_step(number);
	return unused;
}
