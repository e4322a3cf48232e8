/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the source files that debuginfo names. */
#ifndef SPILE_PROFILE_SOURCE_H
#define SPILE_PROFILE_SOURCE_H

#include <stddef.h>
#include <sys/stat.h>

#include "profile/hits.h"

struct source {
	char *text; /* NULL: not found */
	size_t length;
	mode_t mode; /* the permissions of the file */
};

/**
 * Read a source file: from the directories of --source, from its own path, or from a debuginfod server.
 *
 * @param[in] directories Ends with NULL.
 * @param[out] ret The caller frees it with source_free(). Not found is no error.
 */
struct error *source_read(const struct program_hits *program, const struct file_hits *file,
			  const char *const *directories, struct source *ret);
void source_free(struct source *source);

#endif
