// SPDX-License-Identifier: GPL-2.0-or-later
/* Replace a file atomically (see output_file.h): a browser may reload it at any time, and the machine may stop. */
#include "report/output_file.h"

#include <glib.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"

static struct error *write_in_place(const char *path, const char *data, size_t length)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0 || !write_all(fd, data, length))
		return error_errno(_("cannot write %s"), path);
	return NULL;
}

/* Give a new file the mode of the one that it replaces, or what open(2) would give it. */
static mode_t mode_of(const char *path)
{
	struct stat status;
	mode_t mask;

	if (!stat(path, &status))
		return status.st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/*
 * Flush the directory, so that the new name survives a crash. On file systems without this, the old file may come back,
 * which is complete.
 */
static void sync_directory(const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);
	_cleanup_close_ int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		fsync(fd);
}

/* Write a temporary file and rename it. */
static struct error *replace(const char *path, const char *target, char *temporary, const char *data, size_t length)
{
	struct error *error = NULL;
	int fd = mkostemp(temporary, O_CLOEXEC);

	if (fd < 0)
		return error_errno(_("cannot write %s"), path);
	if (!write_all(fd, data, length) || fchmod(fd, mode_of(target)) || fsync(fd))
		error = error_errno(_("cannot write %s"), path);
	if (close(fd) && !error)
		error = error_errno(_("cannot write %s"), path);
	if (!error && rename(temporary, target))
		error = error_errno(_("cannot write %s"), path);
	if (error)
		unlink(temporary);
	else
		sync_directory(target);
	return error;
}

struct error *output_file_write(const char *path, const char *data, size_t length)
{
	g_autofree char *resolved = realpath(path, NULL);
	const char *target = resolved ?: path;
	g_autofree char *temporary = g_strdup_printf("%s.XXXXXX", target);
	sigset_t ending, before;
	struct error *error;
	struct stat status;

	if (!stat(target, &status) && !S_ISREG(status.st_mode))
		return write_in_place(target, data, length);
	/* Ctrl-C must not leave the temporary file. */
	sigemptyset(&ending);
	sigaddset(&ending, SIGHUP);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigprocmask(SIG_BLOCK, &ending, &before);
	error = replace(path, target, temporary, data, length);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return error;
}
