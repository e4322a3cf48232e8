// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cache: files that can be made again, under names that say all that they depend on.
 *
 * An entry begins with the checksum of what follows, as a line of text; one that was damaged counts as absent. It is
 * read only if nobody else can have written it: what is asked for its owner is the open file. It appears whole or not
 * at all. Its modification time is when it was last used: the size limit (cache_limit.c) removes what was not used for
 * longest.
 */
#include "translator/util/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "translator/util/cleanup.h"
#include "translator/util/files.h"

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

void cache_touch(int fd)
{
	/* Fails in a cache that cannot be written, and nothing is lost by it. */
	futimens(fd, NULL);
}

/* ---- where root may have one ------------------------------------------------------------------------------------- */

static bool is_for_root_alone(const struct stat *status)
{
	/* In a folder with the sticky bit, names can be changed by those alone to whom they belong. */
	return !status->st_uid && (!(status->st_mode & (S_IWGRP | S_IWOTH)) || S_ISLNK(status->st_mode) ||
				   (S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX)));
}

bool cache_may_be_in(const char *folder, char **culprit)
{
	enum { MOST_LINKS = 40 };
	g_autofree char *rest = g_canonicalize_filename(folder, NULL);
	g_autoptr(GString) path = g_string_new("/");
	unsigned int links = 0;

	if (geteuid())
		return true;
	for (;;) {
		g_autofree char *target = NULL, *name = NULL, *next = NULL;
		struct stat status;
		size_t length;

		/* What is not there yet is made by ourselves. */
		if (lstat(path->str, &status))
			return errno == ENOENT;
		if (!is_for_root_alone(&status)) {
			*culprit = g_strdup(path->str);
			return false;
		}
		target = S_ISLNK(status.st_mode) ? g_file_read_link(path->str, NULL) : NULL;
		if (target && ++links > MOST_LINKS)
			return false;
		if (target) {
			g_autofree char *parent = g_path_get_dirname(path->str), *joined = NULL;

			joined = g_canonicalize_filename(target, parent);
			next = g_build_filename(joined, rest, NULL);
			g_string_assign(path, "/");
		} else {
			next = g_strdup(rest);
		}
		g_free(rest);
		length = strspn(next, "/");
		rest = g_strdup(next + length + strcspn(next + length, "/"));
		name = g_strndup(next + length, strcspn(next + length, "/"));
		if (!*name)
			return true;
		if (path->len > 1)
			g_string_append_c(path, '/');
		g_string_append(path, name);
	}
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

bool cache_load(const char *path, char **data, size_t *length)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	g_autofree char *entry = NULL, *sum = NULL;
	struct error *error;
	struct stat status;

	*data = NULL;
	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) || !cache_may_read(&status))
		return false;
	error = file_read_open(fd, path, &entry, length);
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
	cache_touch(fd);
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
