/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selection of the target kernel; see kernel_choice.c. */
#ifndef SPILE_KERNEL_CHOICE_H
#define SPILE_KERNEL_CHOICE_H

#include "translator/options.h"
#include "translator/translation.h"

/**
 * Find the kernel that -r names, or the running one, and read its configuration.
 *
 * @param[out] argument The kernel's name for stap-vm.
 * @return NULL, or an error: ERROR_LOOKUP if it is not on this machine, or its build-id is not that of
 * --kernel-build-id.
 */
struct error *choose_kernel(struct translation *t, const struct options *options, const char **argument);

/** The same for a script that a compile server translates: the kernel's files need not be on this machine. */
void choose_unseen_kernel(struct translation *t, const struct options *options, const char **argument);

/**
 * Return the releases (const char *, in the arena) on this machine that match a pattern of -r ("6.*"), oldest first:
 * those of the architecture of -a, or else of this machine, unless the pattern names one ("6.*-arm64").
 */
GPtrArray *matching_kernels(struct translation *t, const struct options *options, const char *pattern);

/**
 * Return the release of the kernel for guests if none is selected: the running one if it can be booted and compiled
 * for, or else the newest of this machine's architecture, if possible one with debuginfo. NULL: there is none.
 */
const char *kernel_for_guests(struct translation *t, const struct options *options);

#endif
