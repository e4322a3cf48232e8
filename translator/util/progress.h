/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a terminal shows while something takes long; see progress.c. */
#ifndef SPILE_UTIL_PROGRESS_H
#define SPILE_UTIL_PROGRESS_H

#include <stdbool.h>

/** A step that has begun: one at the end of the list of those under way. */
struct progress;

/**
 * A step begins that may take long. Any thread; steps may overlap.
 *
 * @return To be given to progress_end() by the same caller.
 */
struct progress *progress_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(struct progress *step);

/** Do the steps show, now or when they have taken long? Not where standard error is no terminal. */
bool progress_is_shown(void);

/** Take the line away before something else is written to standard error. */
void progress_clear(void);

static inline void progress_cleanup(struct progress **step)
{
	progress_end(*step);
}

#define _cleanup_progress_ __attribute__((cleanup(progress_cleanup)))

#endif
