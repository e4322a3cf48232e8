// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Access to the debugfs files of a session: spile/<module>/control and spile/<module>/trace0, trace1...
 * (runtime/abi/protocol.h).
 *
 * The directory is opened once, and its files relative to that descriptor, so that a module of the same name loaded
 * later is never mistaken for ours. Trace files appear when a CPU comes online, so they are found by listing.
 */
#include "staprun/control.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sdt.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "runtime/abi/protocol.h"
#include "staprun/info.h"

#define DEBUGFS "/sys/kernel/debug"

static bool is_mounted(void)
{
	struct statfs file_system;

	return !statfs(DEBUGFS, &file_system) && file_system.f_type == DEBUGFS_MAGIC;
}

struct error *control_find_debugfs(void)
{
	if (is_mounted())
		return NULL;
	if (mount("debugfs", DEBUGFS, "debugfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700") && errno != EBUSY)
		return error_with_hint(error_errno(_("debugfs is not mounted on %s and cannot be mounted"), DEBUGFS),
				       _("run 'mount -t debugfs debugfs %s'"), DEBUGFS);
	if (!is_mounted())
		return error_new(ERROR_LOOKUP, _("debugfs is not mounted on %s"), DEBUGFS);
	return NULL;
}

struct error *control_open_directory(const char *module, int *ret)
{
	char path[sizeof(DEBUGFS "/" STP_DEBUGFS_DIRECTORY "/") + INFO_NAME_SIZE];
	struct error *error;

	snprintf(path, sizeof(path), "%s/%s/%s", DEBUGFS, STP_DEBUGFS_DIRECTORY, module);
	*ret = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*ret >= 0)
		return NULL;
	error = error_errno(_("cannot open %s"), path);
	if (error->errnum == ENOENT)
		error->code = ERROR_LOOKUP;
	return error;
}

struct error *control_open(int directory, const char *module, int *ret)
{
	*ret = openat(directory, "control", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (*ret >= 0)
		return NULL;
	if (errno == EBUSY)
		return error_new(ERROR_SYSTEM, _("another staprun drives module %s"), module);
	if (errno == EPERM)
		return error_with_hint(error_errno(_("cannot open the control file of module %s"), module),
				       _("kernel lockdown (Secure Boot) blocks debugfs; try stap --remote=vm:"));
	return error_errno(_("cannot open the control file of module %s"), module);
}

struct error *control_command(int control, const char *format, ...)
{
	char line[STP_COMMAND_LIMIT + 1];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (length < 0 || (size_t)length >= sizeof(line))
		return error_new(ERROR_OTHER, _("command '%s' is too long for the module"), line);
	STAP_PROBE3(staprun, send_control_message, 0, line, length);
	while (write(control, line, length) < 0)
		if (errno != EINTR)
			return error_errno(_("the module refused '%s'"), line);
	return NULL;
}

struct error *control_read_status(int control, struct control_status *status)
{
	char text[4096];
	ssize_t size = pread(control, text, sizeof(text) - 1, 0);

	if (size < 0)
		return error_errno(_("cannot read the control file"));
	text[size] = '\0';
	control_parse_status(text, status);
	return NULL;
}

void control_look(int directory, struct control_status *status)
{
	_cleanup_close_ int fd = openat(directory, "status", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	memset(status, 0, sizeof(*status));
	if (fd >= 0)
		error_free(control_read_status(fd, status));
}

/* Return the number N of a file name traceN, or -1 for any other name. */
static int trace_number(const char *name, unsigned int limit)
{
	unsigned long number;
	char *end;

	if (strncmp(name, "trace", 5) || name[5] < '0' || name[5] > '9')
		return -1;
	number = strtoul(name + 5, &end, 10);
	return *end || number >= limit ? -1 : (int)number;
}

/* List a directory through a new descriptor, because a DIR over `directory` itself would share its file offset. */
static DIR *list_directory(int directory)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);

	if (!list && fd >= 0)
		close(fd);
	return list;
}

struct error *control_open_traces(int directory, char *is_open, unsigned int limit,
				  void (*opened)(void *data, unsigned int cpu, int fd), void *data)
{
	struct error *error = NULL;
	DIR *list = list_directory(directory);
	struct dirent *entry;

	if (!list)
		return error_errno(_("cannot list the module's files"));
	while (!error && (entry = readdir(list))) {
		int cpu = trace_number(entry->d_name, limit), fd;

		if (cpu < 0 || is_open[cpu])
			continue;
		fd = openat(directory, entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		if (fd < 0) {
			error = error_errno(_("cannot open %s of the module"), entry->d_name);
		} else {
			is_open[cpu] = 1;
			opened(data, cpu, fd);
		}
	}
	closedir(list);
	return error;
}

struct error *control_each_module(void (*visit)(void *data, const char *module), void *data)
{
	DIR *list = opendir(DEBUGFS "/" STP_DEBUGFS_DIRECTORY);
	struct dirent *entry;

	if (!list)
		return errno == ENOENT ? NULL : error_errno(_("cannot list %s"), DEBUGFS "/" STP_DEBUGFS_DIRECTORY);
	while ((entry = readdir(list)))
		if (info_name_is_valid(entry->d_name))
			visit(data, entry->d_name);
	closedir(list);
	return NULL;
}
