/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packages with everything that they depend on, unpacked into a directory of the cache; see package_root.c. */
#ifndef SPILE_VM_PACKAGE_ROOT_H
#define SPILE_VM_PACKAGE_ROOT_H

#include "common/base/error.h"
#include "vm/archive.h"

/** The packages of a root. */
struct package_set {
	GPtrArray *packages; /* strings NAME=VERSION */
	char *compiler; /* the first package that is a compiler: "gcc-14"; or NULL */
	guint64 bytes; /* to be downloaded */
};

void package_set_clear(struct package_set *set);

/**
 * Find packages and all that they depend on, as apt resolves them for an empty system.
 *
 * @param[in] wanted Their names.
 * @param[in] is_needed Decides which of them are unpacked.
 * @param[out] set To be cleared also after an error.
 */
struct error *package_set_find(const struct archive *archive, const GPtrArray *wanted,
			       bool (*is_needed)(const char *name), struct package_set *set);

/** A directory of the cache to be made of packages. */
struct package_root {
	const char *kernels; /* the kernels directory of the cache */
	const char *directory; /* of all roots of this kind, in it */
	const char *name; /* of the root, in that */
	const char *announcement; /* format of a message to the user; arguments: the size and the directory */
	const char *what; /* description of the packages, for the progress line */
	/** Turn the unpacked files into what is needed. */
	struct error *(*finish)(const char *root);
};

/** Ensure that the root exists. It appears as a whole, by a rename. */
struct error *package_root_make(const struct archive *archive, const struct package_set *set,
				const struct package_root *root);

/** Move the contents of /bin and similar directories of older packages to /usr. */
struct error *package_root_merge(const char *root);

#endif
