/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the loads of bench/hit: repeat a turn in several rounds. The best round counts, because other load on the
 * machine only adds time.
 */
#ifndef SPILE_BENCH_ROUNDS_H
#define SPILE_BENCH_ROUNDS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Return the nanoseconds per turn. Inlined, because an indirect call would add to the measured time. */
static inline __attribute__((always_inline)) double round_of(void (*turn)(void), long turns)
{
	struct timespec start, end;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (long i = 0; i < turns; i++)
		turn();
	clock_gettime(CLOCK_MONOTONIC, &end);
	return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / turns;
}

/* Print the best round. The program's arguments are the number of turns in a round, and of rounds. */
static inline __attribute__((always_inline)) int print_best_round(int argc, char **argv, void (*turn)(void),
								  long usual_turns)
{
	long turns = argc > 1 ? atol(argv[1]) : usual_turns;
	int rounds = argc > 2 ? atoi(argv[2]) : 5;
	double best = 0;

	for (int i = 0; i < rounds; i++) {
		double now = round_of(turn, turns);

		if (!i || now < best)
			best = now;
	}
	printf("%.1f\n", best);
	return 0;
}

#endif
