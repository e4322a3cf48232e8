// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The size of the cache: what was not used for longest is removed until the rest is within the limit. What takes long
 * to make again (the runtime's objects, indexes of debuginfo) counts as used a week later than it was: else the modules
 * of a busy hour, each a tenth of a second's work, drive it out.
 *
 * The limit and how often it is looked at are read from two files in the folder, which are made if they are not there,
 * as SystemTap's users know them (stap(1), CACHING).
 *
 * Folders are entered by descriptor, each one only if it is our own, and files are removed from the folder that was
 * entered: whoever can change names on the way cannot have something else removed.
 */
#include <dirent.h>
#include <fcntl.h>
#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "translator/util/cache.h"
#include "translator/util/cleanup.h"
#include "translator/util/mark.h"

#define LIMIT_FILE "cache_mb_limit"
#define INTERVAL_FILE "cache_clean_interval_s"
#define CLEANED_FILE "cache_cleaned" /* its date is when */
#define WEEK_SECONDS (7 * 24 * 60 * 60)

struct candidate {
	char *path; /* below the cache's folder */
	struct timespec used;
	off_t size;
};

static void candidate_clear(gpointer candidate)
{
	g_free(((struct candidate *)candidate)->path);
}

/* A folder of our own below another, or -1. */
static int enter(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (fd >= 0 && !fstat(fd, &status) && cache_is_ours(&status))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/*
 * Kernels are not made again by a run of stap, and snapshots of guests have a limit of their own (vm/snapshot_file.c).
 * The files of the limit itself do not count.
 */
static bool counts(const char *path)
{
	return strcmp(path, "kernels") && strcmp(path, "guests") &&
	       (strchr(path, '/') || !g_str_has_prefix(path, "cache_"));
}

/* What pass 4 makes for a single script (build/). */
static const char *const of_one_script[] = {"module-", "script-", "modpost-", "imports-"};

/* When a file counts as used last. */
static struct timespec last_use(const char *name, const struct stat *status)
{
	struct timespec used = status->st_mtim;

	for (unsigned int i = 0; i < G_N_ELEMENTS(of_one_script); i++)
		if (g_str_has_prefix(name, of_one_script[i]))
			return used;
	used.tv_sec += WEEK_SECONDS;
	return used;
}

/* Takes over the descriptor. */
static void collect(int fd, const char *prefix, dev_t device, GArray *candidates)
{
	DIR *folder = fdopendir(fd);
	const struct dirent *entry;

	if (!folder) {
		close(fd);
		return;
	}
	while ((entry = readdir(folder))) {
		g_autofree char *path = g_strconcat(prefix, entry->d_name, NULL);
		struct stat status;
		int inner;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || !counts(path) ||
		    fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) || status.st_dev != device)
			continue;
		if (S_ISDIR(status.st_mode)) {
			g_autofree char *longer = g_strconcat(path, "/", NULL);

			inner = enter(fd, entry->d_name);
			if (inner >= 0)
				collect(inner, longer, device, candidates);
		} else if (S_ISREG(status.st_mode)) {
			struct candidate candidate = {g_steal_pointer(&path), last_use(entry->d_name, &status),
						      status.st_size};

			g_array_append_val(candidates, candidate);
		}
	}
	closedir(folder);
}

static int compare_use(gconstpointer a, gconstpointer b)
{
	const struct timespec *left = &((const struct candidate *)a)->used,
			      *right = &((const struct candidate *)b)->used;

	if (left->tv_sec != right->tv_sec)
		return left->tv_sec < right->tv_sec ? -1 : 1;
	return left->tv_nsec < right->tv_nsec ? -1 : left->tv_nsec > right->tv_nsec;
}

/* A file, and the folder that it is in if it was the last one there. */
static bool remove_from(int folder, char *path)
{
	char *slash = strchr(path, '/');
	_cleanup_close_ int inner = -1;
	bool done;

	if (!slash)
		return !unlinkat(folder, path, 0);
	*slash = '\0';
	inner = enter(folder, path);
	done = inner >= 0 && remove_from(inner, slash + 1);
	unlinkat(folder, path, AT_REMOVEDIR);
	return done;
}

static void remove_oldest(int folder, const char *name, uint64_t limit)
{
	g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	int again = enter(folder, ".");
	uint64_t total = 0;
	struct stat status;

	g_array_set_clear_func(candidates, candidate_clear);
	if (again < 0 || fstat(folder, &status))
		return;
	collect(again, "", status.st_dev, candidates);
	g_array_sort(candidates, compare_use);
	for (guint i = 0; i < candidates->len; i++)
		total += g_array_index(candidates, struct candidate, i).size;
	for (guint i = 0; i < candidates->len && total > limit; i++) {
		const struct candidate *oldest = &g_array_index(candidates, struct candidate, i);
		g_autofree char *path = g_build_filename(name, oldest->path, NULL);

		MARK_1("stap", "cache_clean", path);
		if (remove_from(folder, oldest->path))
			total -= oldest->size;
	}
}

/* A file of the limit, which is made with the text if it is not there; -1: nothing that may be believed. */
static int open_setting(int folder, const char *name, const char *text)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	_cleanup_close_ int made = -1;
	struct stat status;

	if (fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) && cache_is_ours(&status))
		return fd;
	if (fd >= 0) {
		close(fd);
		return -1;
	}
	made = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (made >= 0)
		dprintf(made, "%s", text);
	return -1;
}

/* The number in a file, or the default. */
static uint64_t setting(int folder, const char *name, uint64_t standard)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT "\n", standard);
	_cleanup_close_ int fd = open_setting(folder, name, text);
	char content[32] = "", *end;
	uint64_t value;

	if (fd < 0 || read(fd, content, sizeof(content) - 1) <= 0)
		return standard;
	value = g_ascii_strtoull(content, &end, 10);
	return end == content ? standard : value;
}

/* Was the last time so many seconds ago? If so, this is one. */
static bool is_due(int folder, bool now, uint64_t interval)
{
	_cleanup_close_ int fd = open_setting(folder, CLEANED_FILE, "");
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		return true;
	if (!now && (uint64_t)(time(NULL) - status.st_mtime) < interval)
		return false;
	futimens(fd, NULL);
	return true;
}

void cache_clean(const char *folder, bool now)
{
	enum { STANDARD_MEGABYTES = 256, STANDARD_SECONDS = 300 };
	_cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint64_t interval, limit;
	struct stat status;

	if (fd < 0 || fstat(fd, &status) || !cache_is_ours(&status))
		return;
	interval = setting(fd, INTERVAL_FILE, STANDARD_SECONDS);
	limit = setting(fd, LIMIT_FILE, STANDARD_MEGABYTES);
	if (is_due(fd, now, interval))
		remove_oldest(fd, folder, limit << 20);
}
