// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Get, touch and release memory in every way, each once, for guest/aliases-memory.stp. The script sees what the process
 * does while its name is "counted". All memory but the heap is at PLACE.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 4 };

#define PLACE ((volatile char *)0x10000000)

/* Make a child that writes to the page, or exits at once, and wait for it. */
static void in_child(volatile char *byte)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (byte)
			*byte = 2;
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0 || status)
		exit(1);
}

int main(void)
{
	prctl(PR_SET_NAME, "counted");
	if (sbrk(2 * PAGE) == (void *)-1 || mmap((void *)PLACE, PAGES * PAGE, PROT_READ | PROT_WRITE,
						 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != PLACE)
		return 1;
	/* A read maps the page of zeroes. The write then gets a page of its own. */
	(void)PLACE[0x123];
	PLACE[0x123] = 1;
	PLACE[PAGE + 0x234] = 1;
	/* The page is shared with the child, which writes to a copy. */
	in_child(PLACE + PAGE + 0x345);
	/* The page is still read-only, but no longer shared. */
	PLACE[PAGE + 0x456] = 1;
	return munmap((void *)PLACE, PAGES * PAGE) != 0;
}
