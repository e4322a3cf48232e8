// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files that only root and the user of the service can change. A script is code that the kernel runs, so whoever can
 * write to it, or to a directory above it, has the privileges of stap. Since nobody else can change the path either, it
 * may be opened again after the check, by stap.
 */
#include "exporter/trusted_file.h"

#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <stdlib.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/files.h"

enum { LARGEST_FILE = 16 << 20 };

static bool is_owner_trusted(const struct stat *status)
{
	return !status->st_uid || status->st_uid == geteuid();
}

static struct error *check_owner(const char *path, const struct stat *status)
{
	/* In a sticky directory, users can only replace their own files. */
	bool is_sticky = S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX);

	if (!is_owner_trusted(status))
		return error_with_hint(error_new(ERROR_OTHER, _("cannot use %s: it belongs to user %u"), path,
						 (unsigned int)status->st_uid),
				       _("run 'chown root %s'"), path);
	if ((status->st_mode & (S_IWGRP | S_IWOTH)) && !is_sticky)
		return error_with_hint(error_new(ERROR_OTHER,
						 _("cannot use %s: its group or other users can write to it"), path),
				       _("run 'chmod go-w %s'"), path);
	return NULL;
}

/* Check all directories of a path without links. */
static struct error *check_directories(const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);
	struct error *error;
	struct stat status;

	if (stat(directory, &status))
		return error_errno("%s", directory);
	error = check_owner(directory, &status);
	if (error || !g_strcmp0(directory, "/"))
		return error;
	return check_directories(directory);
}

/* Check a path with its links resolved. */
static struct error *check_path(const char *path, struct stat *ret)
{
	_cleanup_free_ char *real = realpath(path, NULL);
	struct error *error;

	if (!real || stat(real, ret))
		return error_errno(_("cannot read %s"), path);
	error = check_owner(path, ret);
	error = error ?: check_directories(real);
	/* The link itself could be replaced, too. */
	if (!error && g_path_is_absolute(path) && g_strcmp0(path, real))
		error = check_directories(path);
	return error;
}

struct error *trusted_file_check(const char *path, struct stat *ret)
{
	struct error *error = check_path(path, ret);

	if (!error && !S_ISREG(ret->st_mode))
		error = error_new(ERROR_OTHER, _("cannot use %s: it is not a regular file"), path);
	return error;
}

struct error *trusted_directory_check(const char *path)
{
	struct stat status;
	struct error *error = check_path(path, &status);

	if (!error && !S_ISDIR(status.st_mode))
		error = error_new(ERROR_OTHER, _("cannot use %s: it is not a directory"), path);
	return error;
}

struct error *trusted_file_read(const char *path, bool is_secret, char **text, size_t *length)
{
	struct stat status;
	struct error *error = trusted_file_check(path, &status);

	if (!error && is_secret && (status.st_mode & S_IRWXO))
		error = error_with_hint(error_new(ERROR_OTHER, _("cannot use %s: other users can read it"), path),
					_("run 'chmod o-rwx %s'"), path);
	if (!error && status.st_size > LARGEST_FILE)
		error = error_new(ERROR_OTHER, _("cannot use %s: it is too large"), path);
	return error ?: file_read(path, text, length);
}
