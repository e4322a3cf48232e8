// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Child processes of staprun, such as the reader and the runner. Each holds one end of a socket, and notices by its
 * closing that the others are gone.
 */
#include "staprun/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <paths.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/retry.h"

struct error *child_start(int (*run)(void *data, int socket), void *data, pid_t *pid, int *socket)
{
	enum { PARENT, CHILD };
	int ends[2], status;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return error_errno("socketpair");
	fflush(NULL); /* otherwise both processes would write the buffered output */
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
	return TEMP_FAILURE_RETRY(sendmsg(socket, &header, MSG_NOSIGNAL)) == 1;
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
	ssize_t got = TEMP_FAILURE_RETRY(recvmsg(socket, &header, MSG_CMSG_CLOEXEC));

	*fd = -1;
	if (got != 1)
		return 0;
	rights = CMSG_FIRSTHDR(&header);
	if (rights && rights->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(rights), sizeof(*fd));
	return byte;
}

pid_t child_wait(pid_t pid, int *status, int options)
{
	return TEMP_FAILURE_RETRY(waitpid(pid, status, options));
}

void child_leave_terminal(void)
{
	_cleanup_close_ int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(nowhere, fd);
}

/* ---- programs of ours -------------------------------------------------------------------------------------------- */

/*
 * Execute a helper from libexec, or from staprun's own directory (as in a guest), but never from the working directory.
 */
static void run_helper(char **arguments, char **environment)
{
	const char *beside = program_path(arguments[0]);
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", libexec_directory(), arguments[0]);
	execve(path, arguments, environment);
	if ((errno == ENOENT || errno == ENOTDIR) && strchr(beside, '/'))
		execve(beside, arguments, environment);
}

void child_become_helper(const char *file, char **arguments, char **environment, const sigset_t *mask)
{
	/* Only the loader responds to signals; this process ends when its socket is closed. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	if (sigprocmask(SIG_SETMASK, mask, NULL))
		return;
	if (file)
		execve(file, arguments, environment);
	else
		run_helper(arguments, environment);
}

bool child_drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};

	return !syscall(SYS_capset, &header, none) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/*
 * Split a command that is a program and its arguments, to avoid a shell, which probes would see. Return false for any
 * other command.
 */
static bool split_command(const char *text, wordexp_t *words)
{
	return !wordexp(text, words, WRDE_NOCMD | WRDE_UNDEF) && words->we_wordc;
}

/* Return 0 if this is a file that the user may execute, or an errno. */
static int check_program(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return errno;
	return !S_ISREG(status.st_mode) ? EACCES : access(path, X_OK) ? errno : 0;
}

/* Map the first page of a program if the user may read it. */
static void map_program(const char *path)
{
	/* It is a regular file: opening anything else may block or have side effects. */
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd >= 0)
		mmap(NULL, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
}

/* Search the program like execvp(), and map it. Without one, the path becomes "", and problem an errno. */
static void find_program(struct child_command *command)
{
	const char *name = command->words.we_wordv[0];
	/* A name with a slash is a path, as is any name in an empty directory of PATH. */
	const char *directory = strchr(name, '/') ? "" : getenv("PATH") ?: _PATH_DEFPATH;
	size_t length;

	command->problem = ENOENT;
	for (; directory; directory = directory[length] ? directory + length + 1 : NULL) {
		int problem = ENAMETOOLONG;

		length = strcspn(directory, ":");
		if (snprintf(command->path, sizeof(command->path), "%.*s%s%s", (int)length, directory,
			     length ? "/" : "", name) < (int)sizeof(command->path))
			problem = check_program(command->path);
		if (!problem) {
			command->problem = 0;
			map_program(command->path);
			return;
		}
		/* A program that this user may not execute is a better reason than its absence elsewhere. */
		if (problem != ENOENT && problem != ENOTDIR)
			command->problem = problem;
	}
	command->path[0] = '\0';
}

static void reset_signals(void)
{
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
}

void child_prepare_command(struct child_command *command)
{
	environ = command->environment;
	reset_signals();
	command->is_program = split_command(command->text, &command->words);
	if (command->is_program)
		find_program(command);
}

void child_run_command(const struct child_command *command)
{
	char **words = command->words.we_wordv;

	if (command->is_program && !sigprocmask(SIG_SETMASK, command->mask, NULL)) {
		if (*command->path)
			execve(command->path, words, environ);
		/* Another directory of PATH may have the program, and a script may lack its first line. */
		execvp(words[0], words);
	}
	child_run_shell(command->text, command->environment, command->mask);
}

void child_run_shell(const char *text, char **environment, const sigset_t *mask)
{
	reset_signals();
	if (!sigprocmask(SIG_SETMASK, mask, NULL))
		execle("/bin/sh", "sh", "-c", text, (char *)NULL, environment);
	fprintf(stderr, "%s: /bin/sh: %s\n", _("ERROR"), strerror(errno));
	_exit(127);
}
