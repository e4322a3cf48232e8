/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel packages of an archive, as apt describes them; see kernel_packages.c. */
#ifndef SPILE_VM_KERNEL_PACKAGES_H
#define SPILE_VM_KERNEL_PACKAGES_H

#include <glib.h>
#include <stdint.h>

#include "common/base/error.h"
#include "vm/archive.h"

/** A package of a kernel. It belongs to its archive. */
struct package {
	const struct archive *archive;
	char *name;
	char *depends; /* the field Depends, or NULL */
	uint64_t download_bytes;
	uint64_t installed_bytes;
};

/**
 * Read the packages of an archive whose names are those of a kernel's packages, unless they have been read.
 *
 * @param[out] ret Their struct package by name. It belongs to the archive.
 * @return Why apt cannot list them.
 */
struct error *kernel_packages_read(struct archive *archive, GHashTable **ret);

/** Return the package of a kernel with exactly this name, or NULL if it cannot be downloaded. */
const struct package *kernel_packages_find(struct archive *archive, const char *name);

/** Return the first name in the dependencies of a package that starts with @p prefix, or NULL. To be freed. */
char *package_first_dependency(const struct package *package, const char *prefix);

#endif
