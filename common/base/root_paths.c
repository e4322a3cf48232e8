// SPDX-License-Identifier: GPL-2.0-or-later
/* Check the paths that root uses, and those in the environment; see root_paths.h. */
#include "common/base/root_paths.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/message.h"

/* ---- paths ------------------------------------------------------------------------------------------------------- */

/* The state of following a path from "/": the part that was checked, with links resolved, and the rest. */
struct walk {
	char *path; /* without a final '/'; "" is the root directory */
	char *rest;
	unsigned int links;
	bool makes; /* the caller may create a missing directory */
	bool parent_is_shared; /* others may create names in `path`, as in /tmp */
};

static void set(char **text, char *value)
{
	free(*text);
	*text = value;
}

static bool is_roots_alone(const struct stat *status)
{
	bool is_writable = status->st_mode & (S_IWGRP | S_IWOTH);

	if (status->st_uid)
		return false;
	/* The mode of a link is meaningless. In a sticky directory, only owners can rename or remove names. */
	return !is_writable || S_ISLNK(status->st_mode) || (S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX));
}

/* Take the first name of the rest; return NULL at the end of the path. */
static char *next_name(struct walk *walk)
{
	const char *begin = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(begin, "/");
	char *name;

	if (!length)
		return NULL;
	name = text_copy(begin, length);
	set(&walk->rest, text_format("%s", begin + length));
	return name;
}

static void go_up(struct walk *walk)
{
	char *slash = strrchr(walk->path, '/');

	if (slash)
		*slash = '\0';
}

/* Replace the name of a link by its target. */
static bool follow_link(struct walk *walk)
{
	enum { MOST_LINKS = 40 };
	char target[PATH_MAX];
	ssize_t length = readlink(walk->path, target, sizeof(target) - 1);

	if (length <= 0 || ++walk->links > MOST_LINKS)
		return false;
	target[length] = '\0';
	set(&walk->rest, text_format("%s/%s", target, walk->rest));
	if (*target == '/')
		*walk->path = '\0';
	else
		go_up(walk);
	return true;
}

/* Check a name. Return false if root must not use the path. */
static bool check_name(struct walk *walk, bool *exists)
{
	const char *here = *walk->path ? walk->path : "/";
	struct stat status;

	*exists = true;
	if (lstat(here, &status)) {
		if (errno != ENOENT)
			return false;
		*exists = false;
		if (!walk->parent_is_shared)
			return true;
		/* mkdir() creates it, or fails because another process did; check what exists then. */
		if (!walk->makes || mkdir(here, 0700) || lstat(here, &status))
			return false;
		*exists = true;
	}
	if (!is_roots_alone(&status))
		return false;
	if (S_ISLNK(status.st_mode))
		return follow_link(walk);
	walk->parent_is_shared = status.st_mode & (S_IWGRP | S_IWOTH);
	return true;
}

/* Continue after a checked name. @more becomes false at the end. */
static void step(struct walk *walk, bool *more)
{
	_cleanup_free_ char *name = next_name(walk);

	*more = name;
	if (!name || !strcmp(name, "."))
		return;
	if (!strcmp(name, ".."))
		go_up(walk);
	else
		set(&walk->path, text_format("%s/%s", walk->path, name));
}

static bool check_path(const char *path, bool makes, char **culprit)
{
	_cleanup_free_ char *directory = *path == '/' ? NULL : getcwd(NULL, 0);
	struct walk walk = {.makes = makes};
	bool good, exists, more = true;

	walk.path = text_format("%s", "");
	walk.rest = text_format("%s/%s", directory ?: "", path);
	do {
		good = check_name(&walk, &exists);
		if (good && exists)
			step(&walk, &more);
	} while (good && exists && more);
	if (!good)
		*culprit = text_format("%s", *walk.path ? walk.path : "/");
	free(walk.path);
	free(walk.rest);
	return good;
}

bool root_may_use(const char *path, char **culprit)
{
	return geteuid() || check_path(path, false, culprit);
}

/* ---- the environment --------------------------------------------------------------------------------------------- */

/*
 * All environment variables with a path that we or our tools use. environment_restore() gives the user's command their
 * original values.
 */
static const struct variable {
	const char *name;
	bool is_users;
	bool makes; /* we create the directory */
	bool may_be_name; /* it is a path only if it contains '/' */
} variables[] = {
	{"HOME", true, false, false},
	{"XDG_CACHE_HOME", true, true, false},
	{"XDG_CONFIG_HOME", true, false, false},
	{"TMPDIR", true, false, false},
	{"DEBUGINFOD_CACHE_PATH", true, true, false},
	{"DTRACE_OPT_CPPPATH", false, false, false},
	{"DTRACE_OPT_INCDIR", false, false, false},
	{"DTRACE_OPT_LIBDIR", false, false, false},
	{"SPILE_CACHE", false, true, false},
	{"SPILE_CONFIG", false, false, false},
	{"SPILE_DATADIR", false, false, false},
	{"SPILE_DEBIAN_KEYRING", false, false, false},
	{"SPILE_KERNEL_SOURCE", false, false, false},
	{"SPILE_LIBEXEC", false, false, false},
	{"SPILE_LOCALEDIR", false, false, false},
	{"SPILE_RPM_KEYRING", false, false, false},
	{"SYSTEMTAP_DIR", false, true, false},
	{"SYSTEMTAP_RELEASE", false, false, true},
	{"SYSTEMTAP_TAPSET", false, false, false},
};

enum { VARIABLES = sizeof(variables) / sizeof(variables[0]) };

static char *refused[VARIABLES]; /* original values of the variables that were changed, or NULL */

static void use_own_home(void)
{
	const struct passwd *entry = getpwuid(geteuid());
	_cleanup_free_ char *culprit = NULL;

	if (entry && root_may_use(entry->pw_dir, &culprit)) {
		setenv("HOME", entry->pw_dir, 1);
		return;
	}
	fprintf(stderr, _("ERROR: root has no home directory that only root can change: %s\n"),
		culprit ?: _("root is not in the list of users"));
	fprintf(stderr, _("hint: remove the write permission of others, or set HOME to a directory of root\n"));
	exit(EXIT_FAILURE);
}

static void refuse(int number, const char *culprit)
{
	const struct variable *variable = &variables[number];
	bool is_home = !strcmp(variable->name, "HOME");
	const char *value = refused[number];
	_cleanup_free_ char *text = NULL;

	text = text_format(_("root does not use %s=%s: others can change %s"), variable->name, value, culprit);
	message_print(MESSAGE_WARNING, text,
		      is_home ? _("root's own home is used instead; use 'sudo -H' or 'su -' to set HOME to it")
			      : _("set it to a directory in which only root can write"),
		      NULL);
}

void environment_check(void)
{
	static bool is_done;
	char *culprits[VARIABLES] = {NULL};

	if (is_done || geteuid())
		return;
	/* Print messages last, because the variable for their catalogs is checked here, too. */
	is_done = true;
	for (int i = 0; i < VARIABLES; i++) {
		/* A set-uid program must not check paths for its caller. */
		const char *value = secure_getenv(variables[i].name);

		if (!value || !*value || (variables[i].may_be_name && !strchr(value, '/')) ||
		    check_path(value, variables[i].makes, &culprits[i]))
			continue;
		refused[i] = text_format("%s", value);
		unsetenv(variables[i].name);
	}
	for (int i = 0; i < VARIABLES; i++) {
		if (refused[i])
			refuse(i, culprits[i]);
		free(culprits[i]);
	}
	if (refused[0])
		use_own_home();
}

void environment_become(const struct passwd *user)
{
	for (int i = 0; i < VARIABLES; i++)
		if (variables[i].is_users || variables[i].makes)
			unsetenv(variables[i].name);
	setenv("HOME", user->pw_dir, 1);
	setenv("USER", user->pw_name, 1);
	setenv("LOGNAME", user->pw_name, 1);
}

void environment_restore(void)
{
	for (int i = 0; i < VARIABLES; i++)
		if (refused[i] && variables[i].is_users)
			setenv(variables[i].name, refused[i], 1);
}
