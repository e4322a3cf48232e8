/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fetch kernels from RPM repositories into the cache; see rpm_fetch.c. */
#ifndef SPILE_VM_RPM_FETCH_H
#define SPILE_VM_RPM_FETCH_H

#include <stdbool.h>

#include "common/base/error.h"

struct rpm_request {
	const char *name; /* a release, a version or series with an optional flavor, or a package such as "kernel-rt" */
	bool debuginfo;
	const char *kernels; /* the kernels directory of the cache */
	const char *const *repositories; /* directories or addresses, then NULL; none: those that dnf knows */
};

/** Return whether this host's packages are RPMs: it has dnf and no apt-cache. */
bool rpm_is_of_host(void);

/**
 * Ensure that a kernel for this machine is in the cache: image, modules, files to build with and, if requested, debug
 * symbols.
 *
 * @param[out] release The kernel's release. Free with g_free().
 */
struct error *rpm_fetch_kernel(const struct rpm_request *request, char **release);

#endif
