// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lock that serializes loading and removing modules.
 *
 * A staprun that was killed may leave its module behind, and the next one removes it. A module that another staprun has
 * just loaded looks the same until its control file is open. Hence the lock covers load and open, and each removal.
 *
 * It is an flock(2) on a file of debugfs, which all containers share. Only root can open that file: where an
 * administrator lets others read debugfs, they could hold a lock on its root directory forever.
 *
 * The caller of a set-uid staprun must not keep others from loading. So while the lock is held:
 * - The user cannot stop the process. A process with the user's real id accepts SIGSTOP, so the real id becomes root.
 *   The stop signals of the terminal are blocked.
 * - The process does not wait for the user: it writes nothing, because standard error may be a pipe without a reader.
 */
#include "staprun/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "staprun/messages.h"

/*
 * Many others may be waiting, too: at boot, a hundred scripts may start at once, and each takes the lock for part of a
 * second. It goes to any of those that wait.
 */
enum { RETRY_MILLISECONDS = 20, NOTE_MILLISECONDS = 5000, LIMIT_MILLISECONDS = 600000 };

/* Files that exist if the kernel has kprobes, which tracing needs. They can be read under lockdown, too. */
static const char *const places[] = {
	"/sys/kernel/debug/kprobes/blacklist",
	"/sys/kernel/debug/kprobes/list",
	"/sys/kernel/debug",
};

static bool is_for_root_alone(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && !status.st_uid && !(status.st_mode & (S_IRWXG | S_IRWXO));
}

static struct error *open_place(int *ret)
{
	struct error *error;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		_cleanup_close_ int fd = open(places[i], O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

		if (fd < 0 || !is_for_root_alone(fd))
			continue;
		*ret = fd;
		fd = -1;
		return NULL;
	}
	error = error_new(ERROR_SYSTEM,
			  _("cannot lock loading of modules: other users can open every suitable file in %s"),
			  "/sys/kernel/debug");
	return error_with_hint(error, _("run 'chmod go-rwx %s'"), "/sys/kernel/debug");
}

/* Ensure that only root can stop this process. On error, nothing has changed. */
static struct error *shield(struct lock *lock)
{
	struct error *error;
	sigset_t stops;

	sigemptyset(&stops);
	sigaddset(&stops, SIGTSTP);
	sigaddset(&stops, SIGTTIN);
	sigaddset(&stops, SIGTTOU);
	if (sigprocmask(SIG_BLOCK, &stops, &lock->signals))
		return error_errno("sigprocmask");
	if (!lock->user || !setresuid(0, -1, -1))
		return NULL;
	error = error_errno("setresuid");
	sigprocmask(SIG_SETMASK, &lock->signals, NULL);
	return error;
}

static void unshield(const struct lock *lock)
{
	int errnum = errno;

	if (lock->user && setresuid(lock->user, -1, -1))
		abort();
	sigprocmask(SIG_SETMASK, &lock->signals, NULL);
	errno = errnum;
}

struct error *lock_take(struct lock *lock)
{
	const struct timespec pause = {.tv_nsec = RETRY_MILLISECONDS * 1000000l};
	_cleanup_close_ int fd = -1;
	struct error *error;

	*lock = (struct lock){.fd = -1, .user = getuid()};
	error = open_place(&fd);
	for (int waited = 0; !error; waited += RETRY_MILLISECONDS) {
		error = shield(lock);
		if (error)
			break;
		if (!flock(fd, LOCK_EX | LOCK_NB)) {
			lock->fd = fd;
			fd = -1;
			messages_hold();
			return NULL;
		}
		unshield(lock);
		if (errno != EWOULDBLOCK && errno != EINTR)
			error = error_errno(_("cannot lock %s"), "/sys/kernel/debug");
		if (!error && waited >= LIMIT_MILLISECONDS)
			error = error_new(ERROR_SYSTEM,
					  _("other staprun processes have been loading modules for %d seconds"),
					  LIMIT_MILLISECONDS / 1000);
		if (waited == NOTE_MILLISECONDS)
			message_verbose(1, "waiting for other staprun processes, which load modules");
		if (!error)
			nanosleep(&pause, NULL);
	}
	return error;
}

void lock_release(struct lock *lock)
{
	/* Unlock explicitly: a child forked in between holds the same lock, and its user could stop it. */
	flock(lock->fd, LOCK_UN);
	close(lock->fd);
	unshield(lock);
	messages_release();
}

struct error *lock_become_root(void)
{
	return setresuid(0, -1, -1) ? error_errno("setresuid") : NULL;
}
