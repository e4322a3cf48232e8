// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes that staprun makes. The reader and the runner are processes that staprun forks: each has one end of a
 * socket, and knows by its end that the others are gone.
 */
#include "staprun/child.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "translator/util/i18n.h"

struct error *child_start(int (*run)(void *data, int socket), void *data, pid_t *pid, int *socket)
{
	enum { PARENT, CHILD };
	int ends[2], status;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return error_errno("socketpair");
	fflush(NULL); /* or what waits to be written would be written by both */
	*pid = fork();
	if (*pid < 0)
		return error_errno("fork");
	if (!*pid) {
		close(ends[PARENT]);
		status = run(data, ends[CHILD]);
		fflush(NULL);
		_exit(status);
	}
	close(ends[CHILD]);
	*socket = ends[PARENT];
	return NULL;
}

void child_run_shell(const char *text, char **environment, const sigset_t *mask)
{
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execle("/bin/sh", "sh", "-c", text, (char *)NULL, environment);
	fprintf(stderr, "%s: /bin/sh: %s\n", _("ERROR"), strerror(errno));
	_exit(127);
}
