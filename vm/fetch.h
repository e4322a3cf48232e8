/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fetch Debian kernels into the cache; see fetch.c. */
#ifndef SPILE_VM_FETCH_H
#define SPILE_VM_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/error.h"
#include "vm/archive.h"

struct fetch_options {
	bool debuginfo; /* fetch debug symbols, too */
	const char *const *repositories; /* RPM repositories (rpm_fetch.h), then NULL */
};

/**
 * Ensure that a kernel is in the cache: image, modules, headers and, if requested, debug symbols. With repositories, or
 * on a host with dnf instead of apt, it is found as rpm_fetch.h says.
 *
 * @param[in] name A release, a short form, the name of one of Debian's metapackages without "linux-image-", or a suite
 *            of Debian's archive, optionally with "-" and a flavor.
 */
struct error *fetch_kernel(const char *name, const struct fetch_options *options);

/**
 * Download one Debian package with apt into @p directory and unpack it into @p root. A file that an interrupted
 * download left there is reused. @p bytes is the size of the package, or 0 if it is unknown.
 */
struct error *fetch_package(const struct archive *archive, const char *package, uint64_t bytes, const char *directory,
			    const char *root);

#endif
