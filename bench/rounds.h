/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the loads of bench/hit share: a turn, over and over, in several rounds, of which the best counts, since whatever
 * else the machine does only adds.
 */
#ifndef SPILE_BENCH_ROUNDS_H
#define SPILE_BENCH_ROUNDS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Nanoseconds of a turn. It is inlined, for a call by its address is a part of what is measured. */
static inline __attribute__((always_inline)) double round_of(void (*turn)(void), long turns)
{
	struct timespec start, end;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (long i = 0; i < turns; i++)
		turn();
	clock_gettime(CLOCK_MONOTONIC, &end);
	return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / turns;
}

/* The program's arguments are the number of turns in a round, and of rounds. */
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
