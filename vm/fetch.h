/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debian kernels into the cache; see fetch.c. */
#ifndef SPILE_VM_FETCH_H
#define SPILE_VM_FETCH_H

#include <stdbool.h>

#include "translator/util/error.h"
#include "vm/archive.h"

/**
 * Make sure that a kernel is in the cache: image, modules, headers and (unless @p debuginfo is false) debug symbols.
 *
 * @param[in] name A release, a short form, the name of one of Debian's metapackages without "linux-image-", or a suite
 *                 of Debian's archive, with "-" and a flavour or without.
 */
struct error *fetch_kernel(const char *name, bool debuginfo);

/**
 * Download one Debian package with apt into @p folder and unpack it into @p root.
 * A folder that already holds the package (an interrupted download) is made use of.
 */
struct error *fetch_package(const struct archive *archive, const char *package, const char *folder, const char *root);

/** Is it a part of a kernel, by its name, rather than a package of the system around it? */
bool fetch_is_kernel_package(const char *name);

#endif
