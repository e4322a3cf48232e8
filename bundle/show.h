/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a bundle prints about itself; see show.c. */
#ifndef SPILE_BUNDLE_SHOW_H
#define SPILE_BUNDLE_SHOW_H

#include "bundle/host.h"

/** --list: print the script, its options, and the kernels. */
void show_contents(const struct bundle *bundle, const struct host *host);

/**
 * --help: print the options, the options of the script, and the globals that can be set. @p tool is the name that the
 * user calls.
 */
struct error *show_help(const struct bundle *bundle, const struct host *host, const char *tool);

/**
 * Extract a module, to read facts that all modules share, such as the globals: the one that fits the host, or else one
 * for its architecture. @p image is NULL if there is none; the caller frees it.
 */
struct error *show_extract(const struct bundle *bundle, const struct host *host, char **image, size_t *size);

/** Return the error that the bundle has no module for the host, with those that it has. */
struct error *show_unknown_kernel(const struct bundle *bundle, const struct host *host);

#endif
