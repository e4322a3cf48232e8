/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source text with the number of hits before each line. */
#ifndef SPILE_PROFILE_LISTING_H
#define SPILE_PROFILE_LISTING_H

#include "profile/hits.h"
#include "profile/source.h"

enum { ALL_LINES = -1 };

/**
 * Make the listing of a file. Sort its hits, and remove those at lines that the source does not have.
 *
 * @param[in] context Lines to show before and after each line with hits, or ALL_LINES.
 * @param[out] beyond The removed hits.
 */
GString *listing_new(const struct file_hits *file, const struct source *source, int64_t context, int64_t *beyond);

/**
 * Write a listing below the current directory, as profile-BUILDID/source/PATH.
 *
 * @param[out] ret The directory that PATH is in. The caller frees it.
 */
struct error *listing_write(const struct program_hits *program, const struct file_hits *file,
			    const struct source *source, const GString *listing, char **ret);

#endif
