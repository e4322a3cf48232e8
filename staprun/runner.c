// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Run the commands that a script starts with system().
 *
 * They must run with exactly the rights of the user who called staprun: the loader may have more, and the reader has
 * given up some of those. So a third process is forked before that, for scripts that need it, and becomes the user at
 * once. The reader sends it one message per command; commands run concurrently.
 *
 * The runner always reads its socket, so the reader never waits. Commands above the limit are queued until others end.
 * When the socket is closed, the script has ended, and the runner waits for the commands still running.
 */
#include "staprun/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "runtime/abi/protocol.h"
#include "staprun/child.h"
#include "staprun/messages.h"
#include "staprun/privilege.h"
#include "staprun/text_queue.h"

enum {
	RUNNING_LIMIT = 256, /* at the same time */
	WAITING_LIMIT = 100000, /* about 10 MB of text */
};

struct commands {
	char **environment;
	const sigset_t *mask;
	struct text_queue waiting;
	unsigned int running;
	unsigned int dropped;
};

static void run(const struct commands *commands, const char *text) __attribute__((noreturn));

static void run(const struct commands *commands, const char *text)
{
	int nothing = open("/dev/null", O_RDONLY);

	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO);
	child_run_shell(text, commands->environment, commands->mask);
}

static void start(struct commands *commands, const char *text)
{
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child)
		run(commands, text);
	if (child > 0)
		commands->running++;
	else
		message_warning(_("cannot run '%s': %s"), text, strerror(errno));
}

static void reap(struct commands *commands, int signals)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != sizeof(info))
		return;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		commands->running--;
}

/* Queue the next command. Return false when the socket is closed. */
static bool receive(struct commands *commands, int socket)
{
	char text[STP_RECORD_LIMIT + 1];
	ssize_t size = recv(socket, text, sizeof(text) - 1, 0);

	if (size <= 0)
		return size < 0 && errno == EINTR;
	if (commands->waiting.count < WAITING_LIMIT)
		text_queue_add(&commands->waiting, text, size);
	else
		commands->dropped++;
	return true;
}

static void follow(struct commands *commands, int socket, int signals)
{
	struct pollfd from[] = {
		{.fd = socket, .events = POLLIN},
		{.fd = signals, .events = POLLIN},
	};

	while (from[0].fd >= 0 || commands->running) {
		if (poll(from, 2, -1) < 0)
			continue;
		if (from[0].revents && !receive(commands, socket))
			from[0].fd = -1;
		if (from[1].revents)
			reap(commands, signals);
		while (commands->running < RUNNING_LIMIT && commands->waiting.count) {
			_cleanup_free_ char *text = text_queue_take(&commands->waiting);

			start(commands, text);
		}
	}
	if (commands->dropped)
		message_warning(ngettext("%u command of the script was not run: too many were waiting",
					 "%u commands of the script were not run: too many were waiting",
					 commands->dropped),
				commands->dropped);
}

static int run_process(void *data, int socket)
{
	struct commands *commands = data;
	struct error *error = privilege_become_user();
	sigset_t ends;
	int signals;

	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD); /* blocked, like the other signals, which only the loader handles */
	signals = signalfd(-1, &ends, SFD_CLOEXEC);
	if (!error && signals < 0)
		error = error_errno("signalfd");
	if (error_report_free(error))
		return 1;
	follow(commands, socket, signals);
	return 0;
}

struct error *runner_prepare(struct runner *runner, char **environment, const sigset_t *mask)
{
	struct commands commands = {.environment = environment, .mask = mask};

	return child_start(run_process, &commands, &runner->pid, &runner->socket);
}

bool runner_send(int socket, const char *command, size_t length)
{
	ssize_t sent;

	do
		sent = send(socket, command, length, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)length;
}
