// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The load of bench/hit for system calls that are shown: opens a file and closes it, over and over. Prints the
 * nanoseconds of a turn. Its rounds are long, because the tool that shows the calls must keep up.
 */
#include <fcntl.h>
#include <unistd.h>

#include "rounds.h"

static inline __attribute__((always_inline)) void turn(void)
{
	close(openat(AT_FDCWD, "/etc/passwd", O_RDONLY | O_CLOEXEC));
}

int main(int argc, char **argv)
{
	return print_best_round(argc, argv, turn, 10000);
}
