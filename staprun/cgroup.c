// SPDX-License-Identifier: GPL-2.0-or-later
/* The control group of --cgroup: staprun opens its directory, and the module gets the descriptor. */
#include "staprun/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <sys/vfs.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "staprun/control.h"

static bool is_group(int directory)
{
	struct statfs facts;

	return !fstatfs(directory, &facts) &&
	       (facts.f_type == CGROUP2_SUPER_MAGIC || facts.f_type == CGROUP_SUPER_MAGIC);
}

/* Open a directory. Return false with errno set if that fails, or if it is not in a file system of control groups. */
static bool open_group(const char *path, int *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (!is_group(fd)) {
		errno = ENOENT;
		return false;
	}
	*ret = fd;
	fd = -1;
	return true;
}

struct error *cgroup_open(const char *path, int *ret)
{
	_cleanup_free_ char *below = text_format("/sys/fs/cgroup/%s", path);

	/* If the first one exists but is not a group, as "/" does, the error is that of the second. */
	if (open_group(path, ret) || (errno == ENOENT && open_group(below, ret)))
		return NULL;
	return error_with_hint(error_errno(_("cannot open control group %s"), path),
			       _("give its path below /sys/fs/cgroup; 'cat /proc/PID/cgroup' shows that of a process"));
}

struct error *cgroup_send(int control, int group, const char *path)
{
	struct error *error = control_command(control, "cgroup %d", group);

	if (!error || error->errnum != EOPNOTSUPP)
		return error_prefix(error, _("cannot use control group %s"), path);
	error_free(error);
	return error_with_hint(error_new(ERROR_UNSUPPORTED,
					 _("cannot use control group %s: its hierarchy has no controller"), path),
			       _("name the group of a controller, such as /sys/fs/cgroup/pids/..."));
}
