// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program with variables of known values: file-level ones, and thread-local ones. Each thread calls getpgid() with
 * its own number as the process; the main thread is the first, with 0.
 */
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

struct point {
	int x, y;
	const char *name;
};

enum colour { RED = 1, GREEN = -7 };

static int number = -42;
struct point corner = {3, -4, "corner"};
struct point *pointer = &corner;
enum colour colour = GREEN;
char text[] = "some text";
long untouched;
volatile long sink; /* forces values into memory */

/* Odd sizes and alignments, because the start of a thread's block depends on them. */
static __thread char first = 'f';
static __thread int own_number __attribute__((aligned(64))) = 100;
__thread struct point own_point = {5, 6, "own"};
__thread char own_zeroes[13];

static void *run(void *argument)
{
	long which = (long)(intptr_t)argument;

	own_number += (int)which;
	own_point.y = (int)-which;
	own_zeroes[12] = (char)which;
	first += (char)which;
	number++;
	sink = corner.name[0] + text[0] + own_point.name[0] + untouched + colour + (long)(intptr_t)pointer;
	__asm__ volatile("" ::: "memory");
	syscall(SYS_getpgid, which);
	return NULL;
}

int main(void)
{
	run(NULL);
	for (intptr_t i = 1; i <= 2; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run, (void *)i) == 0)
			pthread_join(thread, NULL);
	}
	return 0;
}
