/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions by which exceptions begin and end in programs; see unwinders.c. */
#ifndef SPILE_PROBES_UNWINDERS_H
#define SPILE_PROBES_UNWINDERS_H

#include "translator/translation.h"

/**
 * Find the functions by which exceptions begin and end in processes that map a program or library.
 *
 * @param[in,out] ret Gets each function once (struct unwinder *, owned by the arena); may be NULL.
 * @return Whether these functions see the exceptions that the object itself raises: the object, or an unwinder library
 * that it is linked with, has a function that begins exceptions.
 */
bool find_unwinders(struct translation *t, struct debuginfo *debuginfo, GPtrArray *ret);
/** Return whether exceptions begin in this object, so that the unwinder's own functions are on the stack it walks. */
bool is_unwinder(struct translation *t, struct debuginfo *debuginfo);

#endif
