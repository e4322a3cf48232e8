// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command of -c.
 *
 * The process is forked before the module is loaded, because its pid must be target() in begin probes, and runs the
 * command only when all probes are armed. It prepares itself (child_prepare_command()), reports that with a byte on a
 * socket, and waits for a byte from staprun. If staprun ends earlier, the socket is closed and the process exits.
 *
 * It has the identity, environment and signal mask of the user who called staprun.
 */
#include "staprun/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "common/base/retry.h"
#include "staprun/child.h"
#include "staprun/messages.h"
#include "staprun/privilege.h"

static void run(int gate, const char *text, char **environment, const sigset_t *mask) __attribute__((noreturn));

static void run(int gate, const char *text, char **environment, const sigset_t *mask)
{
	struct child_command command = {.text = text, .environment = environment, .mask = mask};
	struct error *error = privilege_become_user();
	struct pollfd released = {.fd = gate, .events = POLLIN};

	if (error_report_free(error))
		_exit(126);
	child_prepare_command(&command);
	send(gate, "", 1, MSG_NOSIGNAL);
	/*
	 * Ctrl-C while waiting ends staprun, which closes the socket. Probes see the end of this call, and scripts ask
	 * for read() more often than for ppoll().
	 */
	if (TEMP_FAILURE_RETRY(ppoll(&released, 1, NULL, NULL)) != 1 || released.revents != POLLIN)
		_exit(0);
	child_run_command(&command);
}

struct error *command_prepare(struct command *command, const char *text, char **environment, const sigset_t *mask)
{
	int ends[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return error_errno(_("cannot run '%s'"), text);
	fflush(NULL);
	command->pid = fork();
	if (command->pid < 0)
		return error_errno(_("cannot run '%s'"), text);
	if (!command->pid) {
		close(ends[1]); /* otherwise this process would not notice the end of staprun */
		run(ends[0], text, environment, mask);
	}
	close(ends[0]);
	command->gate = ends[1];
	/* If no byte comes, the process has ended, which command_ended() reports later. */
	TEMP_FAILURE_RETRY(read(command->gate, &byte, sizeof(byte)));
	return NULL;
}

void command_release(struct command *command)
{
	if (!command->pid || command->released)
		return;
	command->released = true;
	/* If the process has already ended, waitpid() reports it. */
	TEMP_FAILURE_RETRY(send(command->gate, "", 1, MSG_NOSIGNAL));
}

bool command_ended(struct command *command, int status)
{
	pid_t pid = command->pid;

	command->pid = 0;
	/* These messages are worded as those of dtrace(1), whatever the language of the user. */
	if (command->released && command->report == REPORT_PID && WIFSIGNALED(status))
		fprintf(stderr, "dtrace: pid %d terminated by signal %d\n", (int)pid, WTERMSIG(status));
	else if (command->released && command->report == REPORT_PID)
		fprintf(stderr, "dtrace: pid %d has exited\n", (int)pid);
	if (!command->released || !status || command->report != REPORT_FAILURE)
		return true;
	if (WIFSIGNALED(status))
		message_warning(_("Child process exited with signal %d (%s)"), WTERMSIG(status),
				strsignal(WTERMSIG(status)));
	else
		message_warning(_("Child process exited with status %d"), WEXITSTATUS(status));
	return false;
}

void command_finish(struct command *command)
{
	if (!command->pid)
		return;
	if (command->released)
		kill(command->pid, SIGTERM);
	close(command->gate);
	command->pid = 0;
}
