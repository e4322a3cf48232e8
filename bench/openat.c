// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The load of bench/hit for system calls that are shown: opens a file and closes it, over and over. Prints the
 * nanoseconds of a turn, of the best of several rounds, which are long: who shows the calls has to keep up.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double round_of(long calls)
{
	struct timespec start, end;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (long i = 0; i < calls; i++)
		close(openat(AT_FDCWD, "/etc/passwd", O_RDONLY | O_CLOEXEC));
	clock_gettime(CLOCK_MONOTONIC, &end);
	return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / calls;
}

int main(int argc, char **argv)
{
	long calls = argc > 1 ? atol(argv[1]) : 10000;
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
