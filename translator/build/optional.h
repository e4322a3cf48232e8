/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of the runtime that a kernel may do without; see optional.c. */
#ifndef SPILE_BUILD_OPTIONAL_H
#define SPILE_BUILD_OPTIONAL_H

#include "translator/translation.h"

/**
 * Which files to leave out, by what the compiler said.
 *
 * @param[in] output All of it.
 * @param[out] report A line a file: its name and the first thing that is wrong in it. To be freed; NULL: something is
 *                    wrong elsewhere, or nothing is.
 */
void optional_find(const char *output, char **report);

/** What leaves the files of a report out: definitions for the runtime's source. To be freed. */
char *optional_definitions(const char *report);

/** Keep what was left out of a runtime's object beside it, NULL for nothing; and read it. */
void optional_keep(const char *cache, const char *object, const char *report);
char *optional_recall(const char *cache, const char *object);

/** Does the script need what is not there? ERROR_BUILD with what, and why. */
struct error *optional_check(const struct translation *t, const char *report, const char *c_text);

/** As optional_check(), for what the kernel was configured without: nothing need be compiled to know. */
struct error *optional_check_kernel(const struct translation *t, const char *c_text);

/** Say what is not there, for -v. */
void optional_note(const struct translation *t, const char *report);

#endif
