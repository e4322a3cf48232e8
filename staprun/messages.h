/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What staprun itself says on standard error besides errors (translator/util/error.h). */
#ifndef SPILE_STAPRUN_MESSAGES_H
#define SPILE_STAPRUN_MESSAGES_H

#include <stdbool.h>

/** @p verbosity: the number of -v; @p warnings: false with -w. */
void messages_configure(int verbosity, bool warnings);

/** "WARNING: …" unless -w. @p format is already translated. */
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** A stage, shown from that level of -v on. Not translated: it is for whoever debugs staprun. */
void message_verbose(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * From now on, keep what is to be said in memory; then say it. For a time in which nobody who does not read may be
 * waited for.
 */
void messages_hold(void);
void messages_release(void);

#endif
