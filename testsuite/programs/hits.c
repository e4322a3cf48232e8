// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cause a known number of events: "hits PROCESSES CALLS" starts that many processes, each bound to its own CPU. Each
 * calls getppid() that many times, all at the same time.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int call(long processor, long calls, int gate)
{
	cpu_set_t set;
	char byte;

	CPU_ZERO(&set);
	CPU_SET(processor % sysconf(_SC_NPROCESSORS_ONLN), &set);
	sched_setaffinity(0, sizeof(set), &set);
	if (read(gate, &byte, 1) < 0)
		return 1;
	for (long i = 0; i < calls; i++)
		if (syscall(SYS_getppid) < 1)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	long processes = argc > 1 ? atol(argv[1]) : 1, calls = argc > 2 ? atol(argv[2]) : 1;
	int gate[2], status, failed = 0;

	if (pipe(gate))
		return 1;
	for (long i = 0; i < processes; i++) {
		pid_t child = fork();

		if (child < 0)
			return 1;
		if (!child) {
			close(gate[1]);
			_exit(call(i, calls, gate[0]));
		}
	}
	close(gate[1]);
	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}
