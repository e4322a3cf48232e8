/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the runtime that are left out for some kernels; see unsupported_parts.c. */
#ifndef SPILE_BUILD_UNSUPPORTED_PARTS_H
#define SPILE_BUILD_UNSUPPORTED_PARTS_H

#include "translator/translation.h"

/**
 * Find the parts to leave out, from the compiler's messages.
 *
 * @param[in] output The complete output.
 * @param[out] report A line per part: its name and its first error. To be freed; NULL if other files have errors, or
 *            none has.
 */
void optional_find(const char *output, char **report);

/** Return the definitions for the runtime's source that leave out the parts of a report. To be freed. */
char *optional_definitions(const char *report);

/** Save the report about a runtime's object beside it (NULL: nothing was left out), and load it. */
void optional_keep(const char *cache, const char *object, const char *report);
char *optional_recall(const char *cache, const char *object);

/** Check that the script needs no part of the report. ERROR_BUILD with the part and the reason. */
struct error *optional_check(const struct translation *t, const char *report, const char *c_text);

/** Like optional_check(), for parts that the kernel's configuration rules out, without compiling anything. */
struct error *optional_check_kernel(const struct translation *t, const char *c_text);

/** Print the parts that were left out, for -v. */
void optional_note(const struct translation *t, const char *report);

#endif
