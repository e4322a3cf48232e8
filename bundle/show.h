/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a bundle prints about itself; see show.c. */
#ifndef SPILE_BUNDLE_SHOW_H
#define SPILE_BUNDLE_SHOW_H

#include "bundle/host.h"

/** --list: print the script, its options, and the kernels. */
void show_contents(const struct bundle *bundle, const struct host *host);

/** --help: print the options, and the globals that can be set. @p tool is the name that the user calls. */
struct error *show_help(const struct bundle *bundle, const struct host *host, const char *tool);

/** Return the error that the bundle has no module for the host, with those that it has. */
struct error *show_unknown_kernel(const struct bundle *bundle, const struct host *host);

#endif
