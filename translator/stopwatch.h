/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -v: time and memory of a pass; see stopwatch.c. */
#ifndef SPILE_STOPWATCH_H
#define SPILE_STOPWATCH_H

#include <glib.h>
#include <sys/resource.h>

struct stopwatch {
	struct rusage self, children;
	gint64 start;
};

void stopwatch_start(struct stopwatch *watch);
/** "…usr/…sys/…real" in milliseconds since the start, child processes included. To be freed. */
char *stopwatch_text(const struct stopwatch *watch);
/** "…virt/…res/…shr/…data kb" of this process. To be freed. */
char *memory_text(void);

#endif
