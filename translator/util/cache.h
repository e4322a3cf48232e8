/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stap keeps from one run to the next; see cache.c. */
#ifndef SPILE_UTIL_CACHE_H
#define SPILE_UTIL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "translator/util/error.h"

/* ---- cache.c ---- */

/* What stands before the data in an entry: a checksum and a newline. */
enum { CACHE_HEAD_LENGTH = 16 + 1 };

/** What stands before these data. @param[out] head Of CACHE_HEAD_LENGTH bytes and a NUL behind them. */
void cache_head(const char *data, size_t length, char *head);

/** --poison-cache: from now on nothing is read from caches, as if all were out of date; they are still written. */
void cache_poison(void);

/** Is a file or folder our own, and writable by nobody else? */
bool cache_is_ours(const struct stat *status);

/** May this be read: no poison, and ours? */
bool cache_may_read(const struct stat *status);

/** Note that an open file of the cache was used, for cache_clean(). */
void cache_touch(int fd);

/**
 * Read an entry. False if there is none that may be read and is whole.
 *
 * @param[out] data With a NUL behind its @p length bytes; free with g_free().
 */
bool cache_load(const char *path, char **data, size_t *length);
/** The same, to a file. */
struct error *cache_load_file(const char *path, const char *to, bool *done);

/**
 * Write an entry, and make its folder if need be. That it could not be written is not told: a cache costs time at most.
 */
void cache_store(const char *path, const char *data, size_t length);
void cache_store_file(const char *path, const char *from);

/* ---- cache_limit.c ---- */

/**
 * Remove what was used least recently until the rest is within the limit (cache_mb_limit in @p folder).
 *
 * @param[in] now False: only if the last time is longer ago than cache_clean_interval_s.
 */
void cache_clean(const char *folder, bool now);

#endif
