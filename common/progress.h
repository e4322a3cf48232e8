/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Show slow steps on the terminal; see progress.c. */
#ifndef SPILE_COMMON_PROGRESS_H
#define SPILE_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/** A step that is in progress. */
struct progress;

/**
 * Begin a step that may be slow. May be called from any thread; steps may overlap.
 *
 * @return Pass it to progress_end().
 */
struct progress *progress_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(struct progress *step);

/** Show how many bytes of a step are done. Cheap enough for each packet of a download. */
void progress_amount(struct progress *step, uint64_t done, uint64_t total);

/** Return how many bytes are done. Called from another thread, never after progress_end(). */
typedef uint64_t progress_measure(void *data);

/** Show the same, as @p measure reports it. */
void progress_watch(struct progress *step, uint64_t total, progress_measure *measure, void *data);

/** Are slow steps shown? Only if standard error is a terminal, and not if messages are JSON. */
bool progress_is_shown(void);

/** Erase the line of progress. Call before writing to standard error. */
void progress_clear(void);

static inline void progress_cleanup(struct progress **step)
{
	progress_end(*step);
}

#define _cleanup_progress_ __attribute__((cleanup(progress_cleanup)))

#endif
