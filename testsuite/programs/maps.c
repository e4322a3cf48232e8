// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes that map, unmap, move and protect code of files, fork, and execute themselves. After each step, each
 * reports its mappings: for each executable mapping of a file in /proc/self/maps it calls sched_getscheduler(-2, …)
 * with the mapping's start and path, and at the end sched_getscheduler(-3).
 *
 *     maps PROCESSES STEPS SEED FILE...
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PLACES = 8, PAGE = 4096, PAGES = 8 };

/* A reserved range for all mappings, so that none is in the way of anything else: PAGES for each place. */
static char *room;

static char **files;
static int file_count;

static void report_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[1024], rights[8], path[512];
	unsigned long start, end;

	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %511[^\n]", &start, &end, rights, path) == 4 &&
		    rights[2] == 'x' && path[0] == '/') {
			syscall(SYS_sched_getscheduler, -2L, start, path);
			syscall(SYS_sched_getscheduler, -2L, end - 1, path);
		}
	fclose(maps);
	syscall(SYS_sched_getscheduler, -3L);
}

static char *place(void)
{
	return room + (rand() % PLACES * PAGES + rand() % (PAGES / 2)) * PAGE;
}

static void map(void)
{
	int fd = open(files[rand() % file_count], O_RDONLY);
	int rights = rand() % 4 ? PROT_READ | PROT_EXEC : PROT_READ;

	mmap(place(), (size_t)(1 + rand() % 4) * PAGE, rights, MAP_PRIVATE | MAP_FIXED, fd, rand() % 2 * PAGE);
	close(fd);
}

static void change(void)
{
	size_t size = (size_t)(1 + rand() % 3) * PAGE;

	switch (rand() % 5) {
	case 0:
		munmap(place(), size);
		break;
	case 1:
		mprotect(place(), size, PROT_READ);
		break;
	case 2:
		mprotect(place(), size, PROT_READ | PROT_EXEC);
		break;
	case 3:
		mmap(place(), size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		break;
	case 4:
		mremap(place(), PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place());
	}
}

int main(int argc, char **argv)
{
	int processes = atoi(argv[1]), steps = atoi(argv[2]), seed = atoi(argv[3]);
	char less[16], other[16];

	files = argv + 4;
	file_count = argc - 4;
	while (processes-- > 1)
		if (!fork())
			seed += processes, processes = 0;
	srand((unsigned int)seed);
	room = mmap(NULL, PLACES * PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int step = 0; step < steps; step++) {
		if (rand() % 2)
			map();
		else
			change();
		report_maps();
		if (rand() % 8 == 0 && !fork()) {
			map();
			report_maps();
			_exit(0);
		}
		if (rand() % 16 == 0) {
			snprintf(less, sizeof(less), "%d", steps - step - 1);
			snprintf(other, sizeof(other), "%d", rand());
			argv[1] = "1";
			argv[2] = less;
			argv[3] = other;
			execv("/proc/self/exe", argv);
		}
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
