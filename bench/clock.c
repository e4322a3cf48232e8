// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clock COMMAND...: run a command in a guest and print when it started and ended, in microseconds since 1970, like
 * gettimeofday_us() in a script, and its CPU time in microseconds. (busybox's date has no microseconds.) Linked
 * statically.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static long long microseconds(struct timeval time)
{
	return time.tv_sec * 1000000LL + time.tv_usec;
}

static long long now(void)
{
	struct timeval time;

	gettimeofday(&time, NULL);
	return microseconds(time);
}

/* Return the CPU time of the command and of the children that it waited for. */
static long long cpu_time(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

int main(int argc, char **argv)
{
	long long start = now();
	pid_t child;
	int status;

	if (argc < 2)
		return EXIT_FAILURE;
	child = fork();
	if (!child) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return EXIT_FAILURE;
	printf("started %lld ended %lld cpu %lld\n", start, now(), cpu_time());
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}
