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
/** Return "…usr/…sys/…real" in milliseconds since the start, including child processes. The caller frees. */
char *stopwatch_text(const struct stopwatch *watch);
/** Return "…virt/…res/…shr/…data kb" of this process. The caller frees. */
char *memory_text(void);

#endif
