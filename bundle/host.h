/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that a bundle runs on, and the module that fits it; see host.c. */
#ifndef SPILE_BUNDLE_HOST_H
#define SPILE_BUNDLE_HOST_H

#include <sys/utsname.h>

#include "bundle/reader.h"

struct host {
	struct utsname names;
	char build_id[BUILD_ID_SIZE]; /* of the running kernel; "" if unknown */
};

struct error *host_read(struct host *host);

/** Return the module for the host's kernel, or NULL. */
const struct bundle_module *host_module(const struct bundle *bundle, const struct host *host);

/** Return the module for the most similar kernel of the host's architecture, or NULL. */
const struct bundle_module *host_nearest(const struct bundle *bundle, const struct host *host);

/** Print what "stap --bundle-from" reads: a line of JSON about the host, and which module of the bundle fits. */
void host_print_facts(const struct bundle *bundle, const struct host *host);

#endif
