/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cache of stap on disk; see cache.c. */
#ifndef SPILE_COMMON_CACHE_H
#define SPILE_COMMON_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "common/base/error.h"

/* ---- cache.c ---- */

/* Length of an entry's head, which precedes the data: a checksum and a newline. */
enum { CACHE_HEAD_LENGTH = 16 + 1 };

/** Make the head of an entry. @param[out] head CACHE_HEAD_LENGTH bytes, followed by a NUL. */
void cache_head(const char *data, size_t length, char *head);

/** --poison-cache: from now on, write caches but do not read them. */
void cache_poison(void);

/** Does a file or directory belong to us, and can no other user write it? */
bool cache_is_ours(const struct stat *status);

/** May the file be read: is it ours, and is the cache not poisoned? */
bool cache_may_read(const struct stat *status);

/** Note that an open file of the cache was used, for cache_clean(). */
void cache_touch(int fd);

/**
 * Read an entry. Return false if it does not exist, may not be read, or is damaged.
 *
 * @param[out] data @p length bytes, followed by a NUL; free with g_free().
 */
bool cache_load(const char *path, char **data, size_t *length);
/** Copy an entry's data to a file. */
struct error *cache_load_file(const char *path, const char *to, bool *done);

/** Write an entry, and make its directory if needed. Failures are ignored, since they only cost time later. */
void cache_store(const char *path, const char *data, size_t length);
void cache_store_file(const char *path, const char *from);

/* ---- cache_limit.c ---- */

/**
 * Remove the least recently used files until the cache is within its limit (cache_mb_limit in @p directory).
 *
 * @param[in] now False: do so only if the last time was more than cache_clean_interval_s ago.
 */
void cache_clean(const char *directory, bool now);

#endif
