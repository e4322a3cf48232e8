/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Package sources: the host's own apt, or a suite of Debian's archive; see archive.c. */
#ifndef SPILE_VM_ARCHIVE_H
#define SPILE_VM_ARCHIVE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/architecture.h"
#include "common/base/error.h"

/** A source of package lists and packages. */
struct archive {
	const char *suite; /* NULL: the sources that the host's apt is configured for */
	const struct architecture *architecture; /* of the packages */
	char **options; /* options that select this source in apt's tools */
	GHashTable *kernel_packages; /* see kernel_packages.c; NULL: not read yet */
};

/** Return the name of a suite, in the order in which suites are searched for a kernel; NULL after the last. */
const char *archive_suite(guint index);

/**
 * Split a name into a suite and a flavor. Return the flavor after the "-", "" if there is none, or NULL if @p name does
 * not begin with a suite.
 *
 * @param[out] suite The suite.
 */
const char *archive_split_name(const char *name, const char **suite);

/** Create an archive for the host's own apt sources. */
struct archive *archive_of_host(void);

/** Return the suite that the host runs, or the first one if the host runs no known suite. */
const char *archive_suite_of_host(void);

/** Return whether suites are available, that is, whether the host's apt has a Debian mirror. */
bool archive_has_mirror(void);

/**
 * Open a suite with package lists that are at most an hour old. The host's apt configuration does not change.
 *
 * @param[in] kernels The kernels directory of the cache, in which the lists are kept.
 * @param[in] architecture Of the packages. It need not be the host's, because nothing is installed.
 * @return The reason if its lists are unavailable or not trusted.
 */
struct error *archive_open(const char *kernels, const char *suite, const struct architecture *architecture,
			   struct archive **ret);

void archive_free(struct archive *archive);

/**
 * Run one of apt's tools: TOOL COMMAND, the options that select the archive, then the arguments.
 *
 * @param[out] output As for tool_run().
 */
struct error *archive_run(const struct archive *archive, const char *directory, const char *tool, const char *command,
			  const char *const arguments[], char **output);

/**
 * Download packages with "apt-get download" into @p directory, and show the progress.
 *
 * @param[in] packages Their names, then NULL.
 * @param[in] what Text for the progress line, such as the name of the package.
 * @param[in] bytes Their size, or 0 if it is unknown.
 */
struct error *archive_download(const struct archive *archive, const char *directory, const char *const packages[],
			       const char *what, uint64_t bytes);

static inline void cleanup_archive(struct archive **archive)
{
	archive_free(*archive);
}
#define _cleanup_archive_ __attribute__((cleanup(cleanup_archive)))

/** Return whether a package is part of a kernel, judging by its name. */
bool archive_is_kernel_package(const char *name);

#endif
