// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The size limit of the cache: the least recently used files are removed until the rest is within the limit. Files that
 * are slow to make again (the runtime's objects, indexes of debuginfo) count as used a week later than they were.
 * Otherwise the modules of a busy hour, each a tenth of a second's work, would displace them. This applies to half of
 * the limit only. Otherwise the indexes of thousands of kernel modules would displace the modules of all scripts.
 *
 * The limit and the interval of checks are read from two files in the directory, which are created if missing, as in
 * SystemTap (stap(1), CACHING).
 *
 * Directories are opened relative to their parent's descriptor, only if they are ours, and files are removed relative
 * to that. So an attacker who can rename directories on the path cannot redirect the removal.
 */
#include <dirent.h>
#include <fcntl.h>
#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>
#include <time.h>
#include <unistd.h>

#include "common/cache.h"
#include "common/base/cleanup.h"

#define LIMIT_FILE "cache_mb_limit"
#define INTERVAL_FILE "cache_clean_interval_s"
#define CLEANED_FILE "cache_cleaned" /* its modification time is that of the last check */
#define WEEK_SECONDS (7 * 24 * 60 * 60)

struct candidate {
	char *path; /* below the cache's directory */
	struct timespec used;
	off_t size;
	bool is_slow; /* to make again */
};

static void candidate_clear(gpointer candidate)
{
	g_free(((struct candidate *)candidate)->path);
}

/* Open a subdirectory if it is ours. Return -1 if not. */
static int enter(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (fd >= 0 && !fstat(fd, &status) && cache_is_ours(&status))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/*
 * Does a file count towards the limit? Not kernels, which stap does not make again, nor snapshots of guests, which have
 * their own limit (vm/snapshot_file.c), nor the files of the limit itself.
 */
static bool counts(const char *path)
{
	return strcmp(path, "kernels") && strcmp(path, "guests") &&
	       (strchr(path, '/') || !g_str_has_prefix(path, "cache_"));
}

/* Prefixes of files that pass 4 makes for a single script (build/). */
static const char *const of_one_script[] = {"module-", "script-", "modpost-", "imports-"};

static bool is_slow(const char *name)
{
	for (unsigned int i = 0; i < G_N_ELEMENTS(of_one_script); i++)
		if (g_str_has_prefix(name, of_one_script[i]))
			return false;
	return true;
}

/* Collect the files of a directory. Closes @fd. */
static void collect(int fd, const char *prefix, dev_t device, GArray *candidates)
{
	DIR *directory = fdopendir(fd);
	const struct dirent *entry;

	if (!directory) {
		close(fd);
		return;
	}
	while ((entry = readdir(directory))) {
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
			struct candidate candidate = {g_steal_pointer(&path), status.st_mtim, status.st_size,
						      is_slow(entry->d_name)};

			g_array_append_val(candidates, candidate);
		}
	}
	closedir(directory);
}

static int compare_use(gconstpointer a, gconstpointer b)
{
	const struct timespec *left = &((const struct candidate *)a)->used,
			      *right = &((const struct candidate *)b)->used;

	if (left->tv_sec != right->tv_sec)
		return left->tv_sec < right->tv_sec ? -1 : 1;
	return left->tv_nsec < right->tv_nsec ? -1 : left->tv_nsec > right->tv_nsec;
}

/*
 * Sort the files by the time at which they count as last used. For slow files of at most @room bytes in all, this is
 * later than it was.
 */
static void sort_by_use(GArray *candidates, uint64_t room)
{
	g_array_sort(candidates, compare_use);
	for (guint i = candidates->len; i-- > 0;) {
		struct candidate *candidate = &g_array_index(candidates, struct candidate, i);

		if (!candidate->is_slow || (uint64_t)candidate->size > room)
			continue;
		candidate->used.tv_sec += WEEK_SECONDS;
		room -= candidate->size;
	}
	g_array_sort(candidates, compare_use);
}

/* Remove a file, and its directory if that is empty then. */
static bool remove_from(int directory, char *path)
{
	char *slash = strchr(path, '/');
	_cleanup_close_ int inner = -1;
	bool done;

	if (!slash)
		return !unlinkat(directory, path, 0);
	*slash = '\0';
	inner = enter(directory, path);
	done = inner >= 0 && remove_from(inner, slash + 1);
	unlinkat(directory, path, AT_REMOVEDIR);
	return done;
}

static void remove_oldest(int directory, const char *name, uint64_t limit)
{
	g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	int again = enter(directory, ".");
	uint64_t total = 0;
	struct stat status;

	g_array_set_clear_func(candidates, candidate_clear);
	if (again < 0 || fstat(directory, &status))
		return;
	collect(again, "", status.st_dev, candidates);
	sort_by_use(candidates, limit / 2);
	for (guint i = 0; i < candidates->len; i++)
		total += g_array_index(candidates, struct candidate, i).size;
	for (guint i = 0; i < candidates->len && total > limit; i++) {
		const struct candidate *oldest = &g_array_index(candidates, struct candidate, i);
		g_autofree char *path = g_build_filename(name, oldest->path, NULL);

		STAP_PROBE1(stap, cache_clean, path);
		if (remove_from(directory, oldest->path))
			total -= oldest->size;
	}
}

/* Open a file of the limit, and create it with the text if it is missing. Return -1 if it is not ours. */
static int open_setting(int directory, const char *name, const char *text)
{
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	_cleanup_close_ int made = -1;
	struct stat status;

	if (fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) && cache_is_ours(&status))
		return fd;
	if (fd >= 0) {
		close(fd);
		return -1;
	}
	made = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (made >= 0)
		dprintf(made, "%s", text);
	return -1;
}

/* Return the number in a file of the limit, or the default. */
static uint64_t setting(int directory, const char *name, uint64_t standard)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT "\n", standard);
	_cleanup_close_ int fd = open_setting(directory, name, text);
	char content[32] = "", *end;
	uint64_t value;

	if (fd < 0 || read(fd, content, sizeof(content) - 1) <= 0)
		return standard;
	value = g_ascii_strtoull(content, &end, 10);
	return end == content ? standard : value;
}

/* Was the last check at least @interval seconds ago? If so, record the current time. */
static bool is_due(int directory, bool now, uint64_t interval)
{
	_cleanup_close_ int fd = open_setting(directory, CLEANED_FILE, "");
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		return true;
	if (!now && (uint64_t)(time(NULL) - status.st_mtime) < interval)
		return false;
	futimens(fd, NULL);
	return true;
}

void cache_clean(const char *directory, bool now)
{
	enum { STANDARD_MEGABYTES = 256, STANDARD_SECONDS = 300 };
	_cleanup_close_ int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint64_t interval, limit;
	struct stat status;

	if (fd < 0 || fstat(fd, &status) || !cache_is_ours(&status))
		return;
	interval = setting(fd, INTERVAL_FILE, STANDARD_SECONDS);
	limit = setting(fd, LIMIT_FILE, STANDARD_MEGABYTES);
	if (is_due(fd, now, interval))
		remove_oldest(fd, directory, limit << 20);
}
