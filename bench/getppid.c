// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The load of bench/hit: getppid() and a call of an own function over and over. Prints the nanoseconds of a call, of
 * the best of several rounds, since whatever else the machine does only adds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * Places in a program: what the kernel puts a breakpoint on decides what a hit costs, and it need not step over an
 * instruction like the first ones of these.
 */
__asm__(".text\n"
	".globl pushing\n"
	".type pushing, @function\n"
	"pushing: push %rbp\n"
	"	pop %rbp\n"
	"	ret\n"
	".size pushing, . - pushing\n");
void pushing(void);

static double round_of(long calls)
{
	struct timespec start, end;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (long i = 0; i < calls; i++) {
		syscall(SYS_getppid);
		pushing();
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / calls;
}

int main(int argc, char **argv)
{
	long calls = argc > 1 ? atol(argv[1]) : 100000;
	int rounds = argc > 2 ? atoi(argv[2]) : 5;
	double best = 0;

	for (int i = 0; i < rounds; i++) {
		double now = round_of(calls);

		if (!i || now < best)
			best = now;
	}
	printf("%.1f\n", best);
	return 0;
}
