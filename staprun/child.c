// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes that staprun makes. The reader and the runner are processes that staprun forks: each has one end of a
 * socket, and knows by its end that the others are gone.
 */
#include "staprun/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wordexp.h>

#include "translator/util/cleanup.h"
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

/* ---- the socket -------------------------------------------------------------------------------------------------- */

bool child_send(int socket, char message, int fd)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char byte = message;
	struct iovec part = {.iov_base = &byte, .iov_len = 1};
	struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};

	if (fd >= 0) {
		header.msg_control = &control;
		header.msg_controllen = sizeof(control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	}
	return sendmsg(socket, &header, MSG_NOSIGNAL) == 1;
}

int child_receive(int socket, int *fd)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	char byte = 0;
	struct iovec part = {.iov_base = &byte, .iov_len = 1};
	struct msghdr header = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *rights;
	ssize_t got = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);

	*fd = -1;
	if (got != 1)
		return 0;
	rights = CMSG_FIRSTHDR(&header);
	if (rights && rights->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(rights), sizeof(*fd));
	return byte;
}

void child_leave_terminal(void)
{
	_cleanup_close_ int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(nowhere, fd);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* A program with its arguments needs no shell, and one would be seen by probes. Returns if it is no such command. */
static void run_program(const char *text)
{
	wordexp_t words;

	if (!wordexp(text, &words, WRDE_NOCMD | WRDE_UNDEF) && words.we_wordc)
		execvp(words.we_wordv[0], words.we_wordv);
}

void child_run_command(const char *text, char **environment, const sigset_t *mask)
{
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	environ = environment;
	run_program(text);
	child_run_shell(text, environment, mask);
}

void child_run_shell(const char *text, char **environment, const sigset_t *mask)
{
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execle("/bin/sh", "sh", "-c", text, (char *)NULL, environment);
	fprintf(stderr, "%s: /bin/sh: %s\n", _("ERROR"), strerror(errno));
	_exit(127);
}
