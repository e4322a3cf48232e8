/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which kernel is meant; see kernel_choice.c. */
#ifndef SPILE_KERNEL_CHOICE_H
#define SPILE_KERNEL_CHOICE_H

#include "translator/options.h"
#include "translator/translation.h"

/**
 * Find the kernel of -r, or the running one, and what it is configured for.
 *
 * @param[out] argument How stap-vm is told which it is.
 * @return ERROR_LOOKUP: it is not here.
 */
struct error *choose_kernel(struct translation *t, const struct options *options, const char **argument);

#endif
