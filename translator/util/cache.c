// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cache: files that can be made again, under names that say all that they depend on.
 *
 * An entry begins with the checksum of what follows, as a line of text; one that was damaged counts as absent. It is
 * read only if nobody else can have written it. It appears whole or not at all. Its modification time is when it was
 * last used: the size limit removes what was not used for longest.
 *
 * The limit and how often it is looked at are read from two files in the folder, which are made if they are not there,
 * as SystemTap's users know them (stap(1), CACHING).
 */
#include "translator/util/cache.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "translator/util/files.h"
#include "translator/util/mark.h"

#define LIMIT_FILE "cache_mb_limit"
#define INTERVAL_FILE "cache_clean_interval_s"
#define CLEANED_FILE "cache_cleaned" /* its date is when */

enum { CHECKSUM_LENGTH = CACHE_HEAD_LENGTH - 1, HEAD_LENGTH = CACHE_HEAD_LENGTH };

static bool poisoned;

void cache_poison(void)
{
	poisoned = true;
}

bool cache_is_ours(const struct stat *status)
{
	return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

bool cache_may_read(const struct stat *status)
{
	return !poisoned && cache_is_ours(status);
}

void cache_touch(const char *path)
{
	/* Fails in a cache that cannot be written, and nothing is lost by it. */
	utimensat(AT_FDCWD, path, NULL, 0);
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

bool cache_load(const char *path, char **data, size_t *length)
{
	g_autofree char *entry = NULL, *sum = NULL;
	struct error *error;
	struct stat status;

	*data = NULL;
	if (lstat(path, &status) || !S_ISREG(status.st_mode) || !cache_may_read(&status))
		return false;
	error = file_read(path, &entry, length);
	if (error || *length <= HEAD_LENGTH) {
		error_free(error);
		return false;
	}
	*length -= HEAD_LENGTH;
	sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)entry + HEAD_LENGTH, *length);
	if (strncmp(sum, entry, CHECKSUM_LENGTH))
		return false;
	*data = g_malloc(*length + 1);
	memcpy(*data, entry + HEAD_LENGTH, *length + 1);
	cache_touch(path);
	return true;
}

struct error *cache_load_file(const char *path, const char *to, bool *done)
{
	g_autofree char *data = NULL;
	size_t length;

	*done = cache_load(path, &data, &length);
	return *done ? file_write(to, data, length) : NULL;
}

void cache_store(const char *path, const char *data, size_t length)
{
	g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)data, length);
	g_autofree char *entry = g_malloc(HEAD_LENGTH + length);

	memcpy(entry, sum, CHECKSUM_LENGTH);
	entry[CHECKSUM_LENGTH] = '\n';
	memcpy(entry + HEAD_LENGTH, data, length);
	error_free(file_write(path, entry, HEAD_LENGTH + length));
}

void cache_store_file(const char *path, const char *from)
{
	g_autofree char *data = NULL;
	size_t length;
	struct error *error = file_read(from, &data, &length);

	if (!error)
		cache_store(path, data, length);
	error_free(error);
}

/* ---- the limit --------------------------------------------------------------------------------------------------- */

struct candidate {
	char *path;
	struct timespec used;
	off_t size;
};

static GArray *candidates; /* nftw() has no argument for its callback */

static int add_candidate(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	const char *name = path + where->base;
	struct candidate candidate = {.used = status->st_mtim, .size = status->st_size};

	/*
	 * Kernels are not made again by a run of stap, and snapshots of guests have a limit of their own
	 * (vm/snapshot_file.c). The files of the limit itself do not count.
	 */
	if (kind == FTW_D && where->level == 1 && (!strcmp(name, "kernels") || !strcmp(name, "guests")))
		return FTW_SKIP_SUBTREE;
	if (kind != FTW_F || (where->level == 1 && g_str_has_prefix(name, "cache_")))
		return FTW_CONTINUE;
	candidate.path = g_strdup(path);
	g_array_append_val(candidates, candidate);
	return FTW_CONTINUE;
}

static int compare_use(gconstpointer a, gconstpointer b)
{
	const struct timespec *left = &((const struct candidate *)a)->used,
			      *right = &((const struct candidate *)b)->used;

	if (left->tv_sec != right->tv_sec)
		return left->tv_sec < right->tv_sec ? -1 : 1;
	return left->tv_nsec < right->tv_nsec ? -1 : left->tv_nsec > right->tv_nsec;
}

static void candidate_clear(gpointer candidate)
{
	g_free(((struct candidate *)candidate)->path);
}

static void remove_oldest(const char *folder, uint64_t limit)
{
	enum { OPEN_FOLDERS = 16 };
	uint64_t total = 0;

	candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	g_array_set_clear_func(candidates, candidate_clear);
	nftw(folder, add_candidate, OPEN_FOLDERS, FTW_PHYS | FTW_MOUNT | FTW_ACTIONRETVAL);
	g_array_sort(candidates, compare_use);
	for (guint i = 0; i < candidates->len; i++)
		total += g_array_index(candidates, struct candidate, i).size;
	for (guint i = 0; i < candidates->len && total > limit; i++) {
		const struct candidate *oldest = &g_array_index(candidates, struct candidate, i);
		g_autofree char *parent = g_path_get_dirname(oldest->path);

		MARK_1("stap", "cache_clean", oldest->path);
		if (!unlink(oldest->path))
			total -= oldest->size;
		rmdir(parent); /* if that was the last one in it */
	}
	g_array_unref(candidates);
}

/* The number in a file, which is made with the default if it is not there. */
static uint64_t setting(const char *folder, const char *name, uint64_t standard)
{
	g_autofree char *path = g_build_filename(folder, name, NULL), *text = NULL;
	size_t length;
	struct error *error = file_read(path, &text, &length);
	char *end;
	uint64_t value;

	if (error) {
		error_free(error);
		text = g_strdup_printf("%" G_GUINT64_FORMAT "\n", standard);
		error_free(file_write(path, text, strlen(text)));
		return standard;
	}
	value = g_ascii_strtoull(text, &end, 10);
	return end == text ? standard : value;
}

void cache_clean(const char *folder, bool now)
{
	enum { STANDARD_MEGABYTES = 256, STANDARD_SECONDS = 300 };
	g_autofree char *cleaned = g_build_filename(folder, CLEANED_FILE, NULL);
	uint64_t interval, limit;
	struct stat status;

	if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
		return;
	interval = setting(folder, INTERVAL_FILE, STANDARD_SECONDS);
	limit = setting(folder, LIMIT_FILE, STANDARD_MEGABYTES);
	if (!now && !stat(cleaned, &status) && (uint64_t)(time(NULL) - status.st_mtime) < interval)
		return;
	error_free(file_write(cleaned, "", 0));
	remove_oldest(folder, limit << 20);
}
