/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Warnings of staprun, on standard error or as lines of JSON (common/base/message.h), and its progress messages. For
 * errors see common/base/error.h.
 */
#ifndef SPILE_STAPRUN_MESSAGES_H
#define SPILE_STAPRUN_MESSAGES_H

#include <stdbool.h>

/**
 * @p verbosity counts the -v options; @p warnings is false with -w.
 */
void messages_configure(int verbosity, bool warnings);

/** Print a warning unless -w was given. @p format is already translated. */
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Print a progress message at verbosity @p level or higher. Not translated: it is for debugging staprun. */
void message_verbose(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * Keep messages in memory until messages_release() prints them. Used while the lock is held (lock.h), when the process
 * must not block on a pipe that the user does not read.
 */
void messages_hold(void);
void messages_release(void);

#endif
