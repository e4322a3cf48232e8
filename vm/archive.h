/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where packages come from: the host's own apt, or a suite of Debian's archive; see archive.c. */
#ifndef SPILE_VM_ARCHIVE_H
#define SPILE_VM_ARCHIVE_H

#include <glib.h>
#include <stdbool.h>

#include "translator/util/error.h"

/** Package lists that can be asked, and packages that can be downloaded. */
struct archive {
	const char *suite; /* NULL: whatever the host's apt is set up for */
	char **options; /* that make apt look there */
};

/** The names of suites, in the order in which a kernel is looked for; NULL behind the last. */
const char *archive_suite(guint index);

/**
 * What follows a suite's name: NULL if @p name does not begin with one, else the flavour behind the "-", or "".
 *
 * @param[out] suite The suite.
 */
const char *archive_split_name(const char *name, const char **suite);

/** The host's own. */
struct archive *archive_of_host(void);

/** Can suites be asked at all? Not where the host's apt knows no mirror of Debian. */
bool archive_has_mirror(void);

/**
 * A suite, with package lists that are an hour old at most. Nothing of the host's apt changes.
 *
 * @param[in] kernels The folder of the cache's kernels, among which the lists are kept.
 * @return Why its lists cannot be had or are not to be trusted.
 */
struct error *archive_open(const char *kernels, const char *suite, struct archive **ret);

void archive_free(struct archive *archive);

/**
 * Run one of apt's tools: TOOL COMMAND, the options that stand for the archive, then the arguments.
 *
 * @param[out] output As that of tool_run().
 */
struct error *archive_run(const struct archive *archive, const char *folder, const char *tool, const char *command,
			  const char *const arguments[], char **output);

static inline void cleanup_archive(struct archive **archive)
{
	archive_free(*archive);
}
#define _cleanup_archive_ __attribute__((cleanup(cleanup_archive)))

#endif
