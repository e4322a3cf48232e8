// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command of -c.
 *
 * The process is forked before the module is loaded, because its pid must be target() in begin probes, and runs the
 * command only when all probes are armed. It prepares itself (child_prepare_command()), reports that on a socket, and
 * waits for a byte from staprun. If staprun ends earlier, the socket is closed and the process exits.
 * With START_MAIN, it executes the command at once and waits at its main() instead (command_main.h).
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
#include "staprun/command_main.h"
#include "staprun/messages.h"
#include "staprun/privilege.h"

/* What the process reports: it waits for a byte, executes the command and is stopped there, or ends. */
struct child_report {
	enum { WAITS = 1, IS_TRACED, IS_ABSENT } state;
	int problem; /* IS_ABSENT: an errno */
};

static void run(int gate, struct child_command *child, const struct command *command) __attribute__((noreturn));

static void run(int gate, struct child_command *child, const struct command *command)
{
	struct error *error = privilege_become_user();
	struct pollfd released = {.fd = gate, .events = POLLIN};
	struct child_report report = {.state = WAITS};

	if (error_report_free(error))
		_exit(126);
	child_prepare_command(child);
	if (child->is_program && child->problem && command->report != REPORT_FAILURE)
		report = (struct child_report){.state = IS_ABSENT, .problem = child->problem};
	else if (command->start == START_MAIN && command_main_wait())
		report.state = IS_TRACED;
	else if (command->start == START_MAIN)
		message_warning(_("the command is traced from its execve(), not from main(): %s"), strerror(errno));
	send(gate, &report, sizeof(report), MSG_NOSIGNAL);
	if (report.state == IS_ABSENT)
		_exit(127);
	if (report.state == IS_TRACED)
		child_run_command(child);
	/*
	 * Ctrl-C while waiting ends staprun, which closes the socket. Probes see the end of this call, and scripts ask
	 * for read() more often than for ppoll().
	 */
	if (TEMP_FAILURE_RETRY(ppoll(&released, 1, NULL, NULL)) != 1 || released.revents != POLLIN)
		_exit(0);
	child_run_command(child);
}

struct error *command_prepare(struct command *command, const char *text, char **environment, const sigset_t *mask)
{
	struct child_command child = {.text = text, .environment = environment, .mask = mask};
	struct child_report report = {.state = WAITS};
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return error_errno(_("cannot run '%s'"), text);
	fflush(NULL);
	command->pid = fork();
	if (command->pid < 0)
		return error_errno(_("cannot run '%s'"), text);
	if (!command->pid) {
		close(ends[1]); /* otherwise this process would not notice the end of staprun */
		run(ends[0], &child, command);
	}
	close(ends[0]);
	command->gate = ends[1];
	/* If no report comes, the process has ended, which command_ended() reports later. */
	TEMP_FAILURE_RETRY(read(command->gate, &report, sizeof(report)));
	if (report.state == IS_ABSENT)
		return error_new(ERROR_OTHER, "failed to execute %s: %s", text, strerror(report.problem));
	command->is_traced = report.state == IS_TRACED;
	if (command->is_traced)
		command_main_reach(command->pid);
	return NULL;
}

void command_release(struct command *command)
{
	if (!command->pid || command->released)
		return;
	command->released = true;
	/* If the process has already ended, waitpid() reports it. */
	if (command->is_traced)
		command_main_release(command->pid);
	else
		TEMP_FAILURE_RETRY(send(command->gate, "", 1, MSG_NOSIGNAL));
}

bool command_ended(struct command *command, int status)
{
	const bool has_run = command->released || command->is_traced;
	pid_t pid = command->pid;

	command->pid = 0;
	/* These messages are worded as those of dtrace(1), whatever the language of the user. */
	if (has_run && command->report == REPORT_PID && WIFSIGNALED(status))
		fprintf(stderr, "dtrace: pid %d terminated by signal %d\n", (int)pid, WTERMSIG(status));
	else if (has_run && command->report == REPORT_PID)
		fprintf(stderr, "dtrace: pid %d has exited\n", (int)pid);
	if (!has_run || !status || command->report != REPORT_FAILURE)
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
	if (command->released || command->is_traced)
		kill(command->pid, command->released ? SIGTERM : SIGKILL);
	close(command->gate);
	command->pid = 0;
}
