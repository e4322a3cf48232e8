// SPDX-License-Identifier: GPL-2.0-or-later
/* -v: time and memory of a pass, in the format of SystemTap. */
#include "translator/stopwatch.h"

#include <stdio.h>
#include <unistd.h>

#include "common/base/cleanup.h"

void stopwatch_start(struct stopwatch *watch)
{
	getrusage(RUSAGE_SELF, &watch->self);
	getrusage(RUSAGE_CHILDREN, &watch->children);
	watch->start = g_get_monotonic_time();
}

static gint64 elapsed_ms(const struct timeval *from, const struct timeval *to)
{
	return (to->tv_sec - from->tv_sec) * 1000 + (to->tv_usec - from->tv_usec) / 1000;
}

char *stopwatch_text(const struct stopwatch *watch)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return g_strdup_printf("%" G_GINT64_FORMAT "usr/%" G_GINT64_FORMAT "sys/%" G_GINT64_FORMAT "real",
			       elapsed_ms(&watch->self.ru_utime, &self.ru_utime) +
				       elapsed_ms(&watch->children.ru_utime, &children.ru_utime),
			       elapsed_ms(&watch->self.ru_stime, &self.ru_stime) +
				       elapsed_ms(&watch->children.ru_stime, &children.ru_stime),
			       (g_get_monotonic_time() - watch->start) / 1000);
}

/* /proc/PID/statm has the fields size, resident, shared, text, lib, data (proc(5)). */
char *memory_text(void)
{
	_cleanup_fclose_ FILE *file = fopen("/proc/self/statm", "re");
	unsigned long size = 0, resident = 0, shared = 0, data = 0;
	unsigned long kilobytes = sysconf(_SC_PAGESIZE) / 1024;

	if (file && fscanf(file, "%lu %lu %lu %*u %*u %lu", &size, &resident, &shared, &data) != 4)
		size = resident = shared = data = 0;
	return g_strdup_printf("%luvirt/%lures/%lushr/%ludata kb", size * kilobytes, resident * kilobytes,
			       shared * kilobytes, data * kilobytes);
}
