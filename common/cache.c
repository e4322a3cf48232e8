// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cache: files that can be made again, with names that contain everything they depend on.
 *
 * An entry begins with a line that has the checksum of the rest; a damaged entry counts as missing. It is read only if
 * no other user can have written it, which is checked on the open file. It is renamed into place when complete. Its
 * modification time is the time of its last use, for the size limit (cache_limit.c).
 */
#include "common/cache.h"

#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/checksum.h"
#include "common/files.h"
#include "common/base/cleanup.h"

enum { HEAD_LENGTH = CACHE_HEAD_LENGTH };

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
	/* Failure does no harm, in a cache that is not writable. */
	futimens(fd, NULL);
}

void cache_head(const char *data, size_t length, char *head)
{
	sprintf(head, "%016" PRIx64 "\n", checksum(0, data, length));
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

bool cache_load(const char *path, char **data, size_t *length)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	g_autofree char *entry = NULL;
	char head[HEAD_LENGTH + 1];
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
	cache_head(entry + HEAD_LENGTH, *length, head);
	if (memcmp(head, entry, HEAD_LENGTH))
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
	g_autofree char *entry = g_malloc(HEAD_LENGTH + length + 1), *directory = g_path_get_dirname(path);

	cache_head(data, length, entry);
	memcpy(entry + HEAD_LENGTH, data, length);
	if (!g_mkdir_with_parents(directory, 0700))
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
