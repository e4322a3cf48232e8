/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drivers for several kernels; see drivers.c. */
#ifndef SPILE_DRIVERS_H
#define SPILE_DRIVERS_H

#include "translator/driver.h"

/**
 * Find or make the driver for a release. "6.1" and the full release that it stands for share a driver.
 *
 * @param[in] first The driver of the command line, which the first kernel uses; later ones get a copy of its options.
 * @param[in,out] drivers struct driver *: those made so far.
 * @param[in] release NULL: the running kernel.
 * @param[out] ret Not set if the kernel is not on this machine, which is an error.
 */
struct error *drivers_find(struct driver *first, GPtrArray *drivers, const char *release, struct driver **ret);

/** Find or make the drivers for one of several -r: a release, or a pattern ("6.*") for kernels on this machine. */
struct error *drivers_find_named(struct driver *first, GPtrArray *drivers, const char *name);

/** Sort the drivers by their kernels' releases. */
void drivers_sort(GPtrArray *drivers);

/** Finish all drivers but the first, which its owner finishes. */
void drivers_finish(struct driver *first, GPtrArray *drivers);

#endif
