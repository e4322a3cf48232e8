// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A library for LD_PRELOAD, as if the processor were busy: ppoll() begins 50 ms late, so a signal and input that arrive
 * meanwhile are there at once, and the signal is still blocked.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <time.h>

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *limit, const sigset_t *mask)
{
	int (*next)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *) = dlsym(RTLD_NEXT, "ppoll");
	struct timespec late = {.tv_nsec = 50000000};
	int ready;

	nanosleep(&late, NULL);
	ready = poll(fds, count, 0);
	return ready > 0 ? ready : next(fds, count, limit, mask);
}
