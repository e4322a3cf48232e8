// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * -M: start stap-monitor, a separate program that shows what the script does while it runs.
 *
 * It draws on a terminal with a library that is not safe in set-uid programs. So it is started before anything is
 * loaded, as stap-tables is, and becomes the user who called staprun. It gets only the module's file "monitor"
 * (runtime/abi/protocol.h), which also controls probes and resets globals. It owns the terminal: the output of the
 * script, its commands and staprun goes to it through a pipe, and it alone reads standard input.
 */
#include "staprun/monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "staprun/child.h"
#include "staprun/control.h"
#include "staprun/privilege.h"

#define PROGRAM "stap-monitor"

struct monitor_start {
	const struct monitor_wish *wish;
	const char *module;
	char **environment;
	const sigset_t *mask;
	bool on_screen;
	int output; /* the pipe with the output to show */
};

bool monitor_wants_screen(const struct monitor_wish *wish)
{
	return wish->seconds && !wish->as_lines && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static int run_process(void *data, int socket)
{
	const struct monitor_start *start = data;
	char socket_number[16], output_number[16], seconds[16];
	char *arguments[] = {PROGRAM,
			     socket_number,
			     output_number,
			     seconds,
			     start->on_screen ? "screen" : "lines",
			     (char *)start->module,
			     NULL};

	if (error_report_free(privilege_become_user()))
		return 1;
	snprintf(socket_number, sizeof(socket_number), "%d", socket);
	snprintf(output_number, sizeof(output_number), "%d", start->output);
	snprintf(seconds, sizeof(seconds), "%d", start->wish->seconds);
	fcntl(socket, F_SETFD, 0);
	fcntl(start->output, F_SETFD, 0);
	/* In lines mode, another foreground job may read the terminal; do not stop because of that. */
	signal(SIGTTIN, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	child_become_helper(arguments, start->environment, start->mask);
	return error_report_free(error_errno(_("cannot run %s"), PROGRAM));
}

/* Make @p to a copy of @p from. Return a copy of the old @p to. */
static int replace(int from, int to)
{
	int saved = fcntl(to, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	dup2(from, to);
	return saved;
}

static struct error *take_streams(struct monitor *monitor, int output, bool on_screen)
{
	_cleanup_close_ int nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (nowhere < 0)
		return error_errno("/dev/null");
	monitor->saved[STDIN_FILENO] = replace(nowhere, STDIN_FILENO);
	monitor->saved[STDOUT_FILENO] = replace(output, STDOUT_FILENO);
	if (on_screen)
		monitor->saved[STDERR_FILENO] = replace(output, STDERR_FILENO);
	return NULL;
}

static void give_streams_back(struct monitor *monitor)
{
	fflush(NULL);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (monitor->saved[fd] < 0)
			continue;
		dup2(monitor->saved[fd], fd);
		close(monitor->saved[fd]);
		monitor->saved[fd] = -1;
	}
}

struct error *monitor_prepare(struct monitor *monitor, const struct monitor_wish *wish, const char *module,
			      char **environment, const sigset_t *mask)
{
	struct monitor_start start = {
		.wish = wish,
		.module = module,
		.environment = environment,
		.mask = mask,
		.on_screen = monitor_wants_screen(wish),
	};
	_cleanup_close_ int output = -1, shown = -1;
	struct error *error;
	int ends[2], fd;

	*monitor = (struct monitor){.saved = {-1, -1, -1}};
	monitor->on_screen = start.on_screen && !tcgetattr(STDIN_FILENO, &monitor->mode);
	if (pipe2(ends, O_CLOEXEC))
		return error_errno("pipe2");
	shown = start.output = ends[0];
	output = ends[1];
	error = child_start(run_process, &start, &monitor->pid, &monitor->socket);
	if (error)
		return error;
	if (child_receive(monitor->socket, &fd) != MONITOR_READY) {
		child_wait(monitor->pid, NULL, 0);
		return error_new(ERROR_OTHER, _("-M: cannot start the monitor"));
	}
	return take_streams(monitor, output, start.on_screen);
}

struct error *monitor_begin(const struct monitor *monitor, int directory)
{
	_cleanup_close_ int file = openat(directory, "monitor", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct error *error;

	if (file < 0)
		return error_errno(_("cannot open the file '%s' of the module"), "monitor");
	error = control_command(file, "measure");
	/* If the monitor is gone, the session ends. */
	if (!error)
		child_send(monitor->socket, MONITOR_FILE, file);
	return error;
}

void monitor_end(struct monitor *monitor)
{
	child_send(monitor->socket, MONITOR_END, -1);
	give_streams_back(monitor);
}

/* Restore the terminal after a monitor that was killed. */
static void restore_terminal(const struct monitor *monitor)
{
	/* Show the cursor and leave the alternate screen; these sequences work on most terminals (xterm). */
	static const char sequence[] = "\033[?25h\033[?1049l\r\n";

	/* Allow this also in a background process group. */
	signal(SIGTTOU, SIG_IGN);
	tcsetattr(STDIN_FILENO, TCSANOW, &monitor->mode);
	if (write(STDOUT_FILENO, sequence, sizeof(sequence) - 1) < 0)
		return; /* the terminal is gone */
}

void monitor_finish(struct monitor *monitor)
{
	int status = 0;

	close(monitor->socket);
	kill(monitor->pid, SIGKILL);
	child_wait(monitor->pid, &status, 0);
	if (monitor->on_screen && WIFSIGNALED(status))
		restore_terminal(monitor);
}
