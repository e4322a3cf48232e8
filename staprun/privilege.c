// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Check permissions and drop privileges.
 *
 * staprun may be installed set-uid root. Then its caller is not trusted:
 * - The environment is reduced to an allow list, and inherited descriptors are closed.
 * - Files named by the user are opened with the user's identity.
 * - Only members of some groups are admitted. Members of stapdev may load any module, which makes them as powerful as
 *   root. Members of stapusr and stapsys may load modules that the administrator installed, because it cannot be proven
 *   from a file whether a module was built in guru mode. They may also load modules with a trusted signature, which
 *   declare the group they were built for.
 *
 * When root calls staprun, the same capabilities are dropped, to protect root from bugs in this program.
 */
#include "staprun/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/standard_streams.h"

/*
 * Detect a descriptor on /proc. Some files there are written with the rights of the writer, although an unprivileged
 * caller opened them. Others accept no byte and report no error, which makes stdio retry forever.
 */
static bool is_of_proc(int fd)
{
	struct statfs file_system;

	return !fstatfs(fd, &file_system) && file_system.f_type == PROC_SUPER_MAGIC;
}

static void replace(int fd)
{
	close(fd);
	if (open("/dev/null", O_RDONLY) != fd)
		_exit(1);
}

void privilege_clean_descriptors(unsigned int first)
{
	standard_streams_open();
	for (int fd = 0; fd <= 2; fd++)
		if (getuid() != geteuid() && is_of_proc(fd))
			replace(fd);
	if (syscall(SYS_close_range, first, ~0u, 0u) < 0)
		for (unsigned int fd = first; fd < 4096; fd++)
			close((int)fd);
}

static char **copy_environment(void)
{
	size_t count = 0;
	char **copy;

	while (environ && environ[count])
		count++;
	copy = memory_new(count + 1, sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		copy[i] = text_copy(environ[i], strlen(environ[i]));
	return copy;
}

static const char *value_of(char **environment, const char *name)
{
	size_t length = strlen(name);

	for (char **entry = environment; *entry; entry++)
		if (!strncmp(*entry, name, length) && (*entry)[length] == '=')
			return *entry + length + 1;
	return NULL;
}

char **privilege_clean_environment(void)
{
	static const char *const allowed[] = {
		"LANG", "LANGUAGE",	   "LC_ALL",	     "LC_MESSAGES",	 "LC_CTYPE",	      "LC_TIME", "TERM",
		"TZ",	"SPILE_LOCALEDIR", "SPILE_PROGRESS", "SYSTEMTAP_COLORS", "SYSTEMTAP_VERBOSE", NULL};
	char **before = copy_environment();

	clearenv();
	setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
	for (int i = 0; allowed[i]; i++)
		if (value_of(before, allowed[i]))
			setenv(allowed[i], value_of(before, allowed[i]), 1);
	return before;
}

/* ---- who may ---------------------------------------------------------------------------------------------------- */

static bool is_member(const char *name)
{
	struct group *group = getgrnam(name);
	_cleanup_free_ gid_t *groups = NULL;
	int count;

	if (!group)
		return false;
	if (getgid() == group->gr_gid)
		return true;
	count = getgroups(0, NULL);
	groups = count > 0 ? malloc(count * sizeof(*groups)) : NULL;
	if (!groups)
		return false;
	count = getgroups(count, groups);
	for (int i = 0; i < count; i++)
		if (groups[i] == group->gr_gid)
			return true;
	return false;
}

struct error *privilege_check(enum access *access)
{
	*access = ACCESS_ALL;
	if (geteuid())
		return error_with_hint(error_new(ERROR_SYSTEM, _("only root can load kernel modules")),
				       _("run it with sudo, or install it set-uid root"));
	if (!getuid() || is_member("stapdev"))
		return NULL;
	*access = ACCESS_STAPSYS;
	if (is_member("stapsys"))
		return NULL;
	*access = ACCESS_STAPUSR;
	if (is_member("stapusr"))
		return NULL;
	return error_with_hint(error_new(ERROR_SYSTEM, _("you are not allowed to run staprun")),
			       _("ask for membership in group stapdev (any script) or stapusr (modules that the "
				 "administrator installed)"));
}

struct error *privilege_allows(enum access access, const char *group)
{
	static const struct {
		const char *group;
		enum access least;
	} groups[] = {{"stapusr", ACCESS_STAPUSR}, {"stapsys", ACCESS_STAPSYS}};

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (access >= groups[i].least && !strcmp(group, groups[i].group))
			return NULL;
	return error_with_hint(error_new(ERROR_OTHER, _("it is signed, but built for members of %s"), group),
			       access == ACCESS_STAPUSR ? _("build it with stap --privilege=stapusr")
							: _("build it with stap --privilege=stapsys"));
}

bool privilege_is_roots_alone(const struct stat *status)
{
	return !status->st_uid && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

struct error *privilege_check_roots_alone(const char *path, const struct stat *status)
{
	if (privilege_is_roots_alone(status))
		return NULL;
	return error_with_hint(error_new(ERROR_OTHER, _("%s is writable by users other than root"), path),
			       _("run 'chown root: %s && chmod go-w %s'"), path, path);
}

/* ---- being someone else ------------------------------------------------------------------------------------------ */

void privilege_as_user(void)
{
	int errnum = errno;

	if (setegid(getgid()) || seteuid(getuid()))
		abort();
	errno = errnum;
}

void privilege_as_root(void)
{
	int errnum = errno;

	if (seteuid(0))
		abort();
	errno = errnum;
}

struct error *privilege_become_user(void)
{
	uid_t user = getuid();
	gid_t group = getgid();

	if (setresgid(group, group, group) || setresuid(user, user, user))
		return error_errno(_("cannot give up privileges"));
	/* If the user can become root again, the change of identity was incomplete. */
	if (user && !setuid(0))
		abort();
	return NULL;
}

/* ---- capabilities ------------------------------------------------------------------------------------------------ */

/* The capabilities of this process: the numbers 0 to 31 in the first element, then the rest. */
struct capabilities {
	struct __user_cap_data_struct half[_LINUX_CAPABILITY_U32S_3];
};

static bool capabilities_read(struct capabilities *ret)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};

	return !syscall(SYS_capget, &header, ret->half);
}

/* Keep some capabilities, of those that the process has, and give up all others. */
static struct error *keep(const unsigned int *wanted, size_t count)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct capabilities old, new = {0};

	if (!capabilities_read(&old))
		return error_errno(_("cannot give up privileges"));
	for (size_t i = 0; i < count; i++)
		new.half[CAP_TO_INDEX(wanted[i])].permitted |=
			old.half[CAP_TO_INDEX(wanted[i])].permitted &CAP_TO_MASK(wanted[i]);
	for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		new.half[i].effective = new.half[i].permitted;
	if (syscall(SYS_capset, &header, new.half))
		return error_errno(_("cannot give up privileges"));
	return NULL;
}

static bool may_load_modules(void)
{
	struct capabilities own;

	return capabilities_read(&own) &&
	       own.half[CAP_TO_INDEX(CAP_SYS_MODULE)].effective & CAP_TO_MASK(CAP_SYS_MODULE);
}

struct error *privilege_limit(void)
{
	/* DAC: debugfs and its files belong to root. SYSLOG: kernel log and section addresses of modules. */
	static const unsigned int wanted[] = {CAP_SYS_MODULE, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH,
					      CAP_SYSLOG,     CAP_SETUID,	CAP_SETGID};

	if (!may_load_modules())
		return error_with_hint(error_new(ERROR_SYSTEM, _("cannot load kernel modules: the "
								 "capability CAP_SYS_MODULE is missing")),
				       _("containers often lack it; use stap --remote=vm: there"));
	return keep(wanted, sizeof(wanted) / sizeof(wanted[0]));
}

struct error *privilege_limit_more(void)
{
	static const unsigned int wanted[] = {CAP_SYS_MODULE, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH};

	return keep(wanted, sizeof(wanted) / sizeof(wanted[0]));
}

struct error *privilege_drop(void)
{
	static const unsigned int wanted[] = {CAP_SYS_MODULE};
	bool root = !getuid();
	struct error *error = privilege_become_user();

	if (!error)
		error = keep(wanted, root ? 1 : 0);
	if (!error && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		error = error_errno(_("cannot give up privileges"));
	return error;
}
