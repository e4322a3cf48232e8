// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cause a known number of page faults. "faults STEP..." runs these steps:
 *
 *     name=TEXT         set the name of the process
 *     wait=FILE         wait until the file exists
 *     make=FILE         create the file
 *     pages=N           touch N new pages
 *     threads=N:PAGES   start N threads, each of which touches PAGES new pages, and wait for them
 *     fork              run the remaining steps in a child, and wait for it
 *     thread            run the remaining steps in a thread, and wait for it
 *     exec=PROGRAM      execute the program with the remaining steps
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, MOST_THREADS = 16 };

static void *touch(void *count)
{
	long pages = (long)count;
	char *memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(1);
	madvise(memory, pages * PAGE, MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++)
		*(volatile char *)(memory + i * PAGE) = 1;
	munmap(memory, pages * PAGE);
	return NULL;
}

static void start_threads(const char *text)
{
	pthread_t threads[MOST_THREADS];
	long pages, count = 0, wanted = 0;

	if (sscanf(text, "%ld:%ld", &wanted, &pages) != 2 || wanted > MOST_THREADS)
		exit(1);
	while (count < wanted && !pthread_create(&threads[count], NULL, touch, (void *)pages))
		count++;
	if (count < wanted)
		exit(1);
	while (count)
		pthread_join(threads[--count], NULL);
}

static void in_child(void)
{
	pid_t child = fork();
	int status;

	if (child)
		exit(child < 0 || waitpid(child, &status, 0) < 0 || status);
}

static void *take_steps(void *first);

static void in_thread(char **steps)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, take_steps, steps) || pthread_join(thread, NULL))
		exit(1);
	exit(0);
}

static void *take_steps(void *first)
{
	for (char **step = first; *step; step++) {
		char *value = strchr(*step, '=') ? strchr(*step, '=') + 1 : "";

		if (!strncmp(*step, "name=", 5)) {
			prctl(PR_SET_NAME, value);
		} else if (!strncmp(*step, "wait=", 5)) {
			while (access(value, F_OK))
				usleep(10000);
		} else if (!strncmp(*step, "make=", 5)) {
			close(open(value, O_CREAT | O_WRONLY, 0600));
		} else if (!strncmp(*step, "pages=", 6)) {
			touch((void *)atol(value));
		} else if (!strncmp(*step, "threads=", 8)) {
			start_threads(value);
		} else if (!strcmp(*step, "fork")) {
			in_child();
		} else if (!strcmp(*step, "thread")) {
			in_thread(step + 1);
		} else if (!strncmp(*step, "exec=", 5)) {
			*step = value;
			execv(value, step);
			exit(1);
		} else {
			exit(1);
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	take_steps(argv + 1);
	return 0;
}
