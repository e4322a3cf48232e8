/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Show slow steps on the terminal; see progress.c. */
#ifndef SPILE_COMMON_PROGRESS_H
#define SPILE_COMMON_PROGRESS_H

#include <stdbool.h>

/** A step that is in progress. */
struct progress;

/**
 * Begin a step that may be slow. May be called from any thread; steps may overlap.
 *
 * @return Pass it to progress_end().
 */
struct progress *progress_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(struct progress *step);

/** Are slow steps shown? Only if standard error is a terminal. */
bool progress_is_shown(void);

/** Erase the line of progress. Call before writing to standard error. */
void progress_clear(void);

static inline void progress_cleanup(struct progress **step)
{
	progress_end(*step);
}

#define _cleanup_progress_ __attribute__((cleanup(progress_cleanup)))

#endif
