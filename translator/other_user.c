// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --build-as=USER: root has a script translated and compiled without root's rights, and runs the module. So a fault in
 * stap, or in the compiler that it starts, can harm that user only. It is no protection from the user: who can change
 * the module controls the kernel.
 *
 * The child is forked before pass 1 and gives up all rights for good. It uses the user's cache and directory for
 * temporary files, and keeps the module there until the parent has copied it. Two pipes connect them: one for the
 * child's result, and one that the parent closes when it has the copy.
 */
#include "translator/other_user.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"
#include "common/base/root_paths.h"
#include "common/base/standard_streams.h"
#include "common/files.h"
#include "common/process.h"
#include "common/user_directories.h"

/* What the child reports; the paths fit, because the kernel limits them. */
struct result {
	char module_path[4096]; /* "": no module */
	char module_name[256], release[256];
};

static struct error *find_user(const char *name, const struct passwd **ret)
{
	if (geteuid())
		return error_with_hint(error_new(ERROR_OTHER, _("--build-as requires root")),
				       _("leave it out: all passes run as you"));
	errno = 0;
	*ret = getpwnam(name);
	if (!*ret)
		return error_new(ERROR_LOOKUP, _("--build-as: there is no user '%s'"), name);
	if (!(*ret)->pw_uid)
		return error_with_hint(error_new(ERROR_OTHER, _("--build-as: '%s' is root itself"), name),
				       _("name a user without rights, such as 'nobody'"));
	return NULL;
}

/* Give up root's rights, and all that leads to root's files. */
static struct error *become_user(const struct passwd *user)
{
	if (initgroups(user->pw_name, user->pw_gid) || setgid(user->pw_gid) || setuid(user->pw_uid))
		return error_errno(_("cannot become user %s"), user->pw_name);
	if (!setuid(0) || !seteuid(0))
		return error_new(ERROR_OTHER, _("the rights of root are still there"));
	environment_become(user);
	return NULL;
}

static bool fits(char *to, size_t size, const char *text)
{
	return g_strlcpy(to, text ?: "", size) < size;
}

/* Translate, report the result, and wait until the parent has the module. */
static void run_child(struct driver *d, struct error *(*translate)(struct driver *d), const struct passwd *user,
		      int report, int wait)
{
	struct result result = {0};
	struct error *error;
	char byte;

	/* The process id of the parent may be gone before the signal is requested; the pipe shows that. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	error = become_user(user);
	if (!error) {
		d->work_directory = NULL;
		d->t.cache_directory = d->options.disable_cache ? NULL : usable_translation_cache();
		d->t.search.cache_directory = d->t.cache_directory;
		if (d->options.last_pass == 4)
			d->options.last_pass = 5; /* the parent delivers the module; this process runs nothing */
		error = translate(d);
	}
	diagnostics_flush(d->t.diagnostics);
	driver_note_failure(d, error);
	if (d->module_path && !(fits(result.module_path, sizeof(result.module_path), d->module_path) &&
				fits(result.module_name, sizeof(result.module_name), d->t.module_name) &&
				fits(result.release, sizeof(result.release), d->t.kernel.release)))
		*result.module_path = '\0';
	d->exit_status = standard_output_finish(d->exit_status);
	if (!write_all(report, (const char *)&result, sizeof(result)))
		d->exit_status = EXIT_FAILURE;
	while (read(wait, &byte, sizeof(byte)) < 0 && errno == EINTR)
		;
	driver_finish(d);
	_exit(d->exit_status);
}

/* Open the module. The user may have replaced the child's result, so it must be a file of the user's. */
static struct error *open_module(const char *path, const struct passwd *user, int *ret)
{
	struct stat status;

	*ret = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*ret < 0 || fstat(*ret, &status))
		return error_errno(_("cannot read %s"), path);
	return S_ISREG(status.st_mode) && status.st_uid == user->pw_uid
		       ? NULL
		       : error_new(ERROR_OTHER, _("%s is not a file of user %s"), path, user->pw_name);
}

/* Copy the module, which the child's user owns, to a file of root's. */
static struct error *take_module(struct driver *d, const struct result *result, const struct passwd *user)
{
	g_autofree char *target = g_strdup_printf("%s/%s.ko", d->work_directory, result->module_name);
	g_autofree char *opened = NULL;
	_cleanup_close_ int fd = -1;
	struct error *error = open_module(result->module_path, user, &fd);

	opened = g_strdup_printf("/proc/self/fd/%d", fd);
	error = error ?: file_copy(opened, target);
	if (error)
		return error;
	d->module_path = arena_strdup(d->t.arena, target);
	d->t.module_name = arena_strdup(d->t.arena, result->module_name);
	d->t.kernel.release = arena_strdup(d->t.arena, result->release);
	return NULL;
}

/* Is the result complete, and its name that of a file in the work directory? */
static bool is_sound(struct result *result, ssize_t length)
{
	struct module_name name;
	struct release release;

	return length == sizeof(*result) && !result->module_path[sizeof(result->module_path) - 1] &&
	       !result->module_name[sizeof(result->module_name) - 1] && !result->release[sizeof(result->release) - 1] &&
	       module_name_parse(result->module_name, strlen(result->module_name), &name) &&
	       release_parse(result->release, strlen(result->release), &release);
}

static struct error *collect(struct driver *d, const struct passwd *user, int report, int go_on, pid_t child)
{
	struct result result = {0};
	ssize_t length = read_up_to(report, &result, sizeof(result));
	int status = 0;
	struct error *error = NULL;

	/* A failed pass has no module, and a process that died no result; its status says so. */
	if (*result.module_path)
		error = is_sound(&result, length)
				? take_module(d, &result, user)
				: error_new(ERROR_OTHER,
					    _("--build-as: the result of the process of user %s is damaged"),
					    user->pw_name);
	close(go_on);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	d->exit_status = process_exit_status(status);
	if (d->exit_status != EXIT_SUCCESS)
		d->module_path = NULL;
	return error;
}

struct error *translate_as_user(struct driver *d, struct error *(*translate)(struct driver *d))
{
	const struct passwd *user = NULL;
	struct error *error = find_user(d->options.build_as, &user);
	int report[2], go_on[2];
	pid_t child;

	error = error ?: driver_make_work_directory(d);
	if (error)
		return error;
	if (pipe(report) || pipe(go_on))
		return error_errno(_("cannot make a pipe"));
	fflush(NULL);
	child = fork();
	if (child < 0)
		return error_errno(_("cannot start a process"));
	if (!child) {
		close(report[0]);
		close(go_on[1]);
		run_child(d, translate, user, report[1], go_on[0]);
	}
	close(report[1]);
	close(go_on[0]);
	error = collect(d, user, report[0], go_on[1], child);
	close(report[0]);
	return error;
}
