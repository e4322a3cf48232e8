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
 * @return ERROR_LOOKUP: it is not here, or is another one than --kernel-build-id says.
 */
struct error *choose_kernel(struct translation *t, const struct options *options, const char **argument);

/** The same for a compile server, which has the kernel's files: here they need not be. */
void choose_unseen_kernel(struct translation *t, const struct options *options, const char **argument);

#endif
