// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * -M: start stap-monitor, a separate program that shows what the script does while it runs. -J: start stap-json, which
 * writes everything that the script says as lines of JSON.
 *
 * stap-monitor draws on a terminal with a library that is not safe in set-uid programs, and both process what a script
 * contains. So they are started before anything is loaded, as stap-tables is, and become the user who called staprun.
 * They get one file of the module. stap-monitor's file "monitor" (runtime/abi/protocol.h) also controls probes and
 * resets globals. It owns the terminal: the output of the script, its commands and staprun goes to it through a pipe,
 * and it alone reads standard input.
 *
 * For -J, staprun writes lines of JSON itself, so that output and messages keep their order. They go to stap-json
 * through a socket; only the output of commands goes through the pipe.
 */
#include "staprun/monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/script_line.h"
#include "staprun/child.h"
#include "staprun/control.h"
#include "staprun/privilege.h"

/* Differences between the views. */
static const struct view_row {
	const char *program, *word; /* the program, and its first argument, which selects the mode; NULL: none */
	const char *file; /* of the module */
	bool measures; /* shows the time of the probes */
	bool has_terminal; /* it alone reads standard input */
} views[MONITOR_VIEW_COUNT_] = {
	[MONITOR_NONE] = {NULL, NULL, NULL, false, false},
	[MONITOR_SCREEN] = {"stap-monitor", "screen", "monitor", true, true},
	[MONITOR_LINES] = {"stap-monitor", "lines", "monitor", true, true},
	[MONITOR_JSON] = {"stap-json", NULL, "globals", false, false},
};

/* The ends of the streams that the program reads. */
struct monitor_streams {
	const struct monitor_start *start;
	const struct view_row *view;
	int output; /* pipe with the output to show */
	int lines; /* MONITOR_JSON: socket with lines; else -1 */
};

bool monitor_wants_screen(const struct monitor_wish *wish)
{
	return wish->view == MONITOR_SCREEN && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static void keep_open(int fd)
{
	if (fd >= 0)
		fcntl(fd, F_SETFD, 0);
}

static int run_process(void *data, int socket)
{
	const struct monitor_streams *streams = data;
	const struct monitor_start *start = streams->start;
	char socket_number[16], output_number[16], lines_number[16], seconds[16], remote[24];
	char *to_show[] = {(char *)streams->view->program, socket_number,	  output_number, seconds,
			   (char *)streams->view->word,	   (char *)start->module, NULL};
	char *to_write[] = {
		(char *)streams->view->program, socket_number, output_number, lines_number, seconds, remote, NULL};

	if (error_report_free(privilege_become_user()))
		return 1;
	snprintf(socket_number, sizeof(socket_number), "%d", socket);
	snprintf(output_number, sizeof(output_number), "%d", streams->output);
	snprintf(lines_number, sizeof(lines_number), "%d", streams->lines);
	snprintf(seconds, sizeof(seconds), "%d", start->wish->seconds);
	snprintf(remote, sizeof(remote), "%" PRId64, start->remote);
	keep_open(socket);
	keep_open(streams->output);
	keep_open(streams->lines);
	if (streams->lines >= 0 && start->output_file >= 0)
		dup2(start->output_file, STDOUT_FILENO);
	/* In lines mode, another foreground job may read the terminal; do not stop because of that. */
	signal(SIGTTIN, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	child_become_helper(start->file, streams->lines < 0 ? to_show : to_write, start->environment, start->mask);
	return error_report_free(error_errno(_("cannot run %s"), streams->view->program));
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
	if (views[monitor->view].has_terminal)
		monitor->saved[STDIN_FILENO] = replace(nowhere, STDIN_FILENO);
	monitor->saved[STDOUT_FILENO] = replace(output, STDOUT_FILENO);
	if (on_screen)
		monitor->saved[STDERR_FILENO] = replace(output, STDERR_FILENO);
	return NULL;
}

static struct error *open_result(struct monitor *monitor, int output_file)
{
	monitor->result = output_file < 0 ? stdout : fdopen(fcntl(output_file, F_DUPFD_CLOEXEC, 0), "w");
	return monitor->result ? NULL : error_errno("fdopen");
}

/* Open the socket for whole lines. Each line is one write() of a stream with a buffer of this size. */
static struct error *open_lines(struct monitor *monitor, int *reader)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return error_errno("socketpair");
	*reader = ends[0];
	monitor->lines = fdopen(ends[1], "w");
	if (!monitor->lines) {
		close(ends[1]);
		return error_errno("fdopen");
	}
	setvbuf(monitor->lines, NULL, _IOFBF, JSON_PACKET_LIMIT);
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

static struct error *start_program(struct monitor *monitor, struct monitor_streams *streams)
{
	struct error *error = child_start(run_process, streams, &monitor->pid, &monitor->socket);
	int fd;

	if (error)
		return error;
	if (child_receive(monitor->socket, &fd) == MONITOR_READY)
		return NULL;
	child_wait(monitor->pid, NULL, 0);
	return error_new(ERROR_OTHER, monitor->view == MONITOR_JSON ? _("-J: cannot start stap-json")
								    : _("-M: cannot start the monitor"));
}

struct error *monitor_prepare(struct monitor *monitor, const struct monitor_start *start)
{
	bool on_screen = monitor_wants_screen(start->wish);
	_cleanup_close_ int output = -1, shown = -1, lines = -1;
	struct monitor_streams streams = {.start = start};
	struct error *error = NULL;
	int ends[2];

	*monitor = (struct monitor){.view = start->wish->view, .saved = {-1, -1, -1}};
	if (monitor->view == MONITOR_SCREEN && !on_screen)
		monitor->view = MONITOR_LINES;
	monitor->on_screen = on_screen && !tcgetattr(STDIN_FILENO, &monitor->mode);
	if (pipe2(ends, O_CLOEXEC))
		return error_errno("pipe2");
	shown = ends[0];
	output = ends[1];
	if (monitor->view == MONITOR_JSON) {
		error = open_result(monitor, start->output_file);
		if (!error && start->script)
			error = script_line_write(monitor->result, start->script);
		error = error ?: open_lines(monitor, &lines);
	}
	streams.view = &views[monitor->view];
	streams.output = shown;
	streams.lines = lines;
	error = error ?: start_program(monitor, &streams);
	error = error ?: take_streams(monitor, output, on_screen);
	if (!error && monitor->lines)
		messages_use_json(monitor->lines);
	return error;
}

struct error *monitor_begin(const struct monitor *monitor, int directory)
{
	const struct view_row *view = &views[monitor->view];
	_cleanup_close_ int file = openat(directory, view->file, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct error *error = NULL;

	if (file < 0)
		return error_errno(_("cannot open the file '%s' of the module"), view->file);
	if (view->measures)
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

void monitor_hang_up(struct monitor *monitor)
{
	close_fd(&monitor->socket);
}

void monitor_finish(struct monitor *monitor)
{
	int status = 0;

	monitor_hang_up(monitor);
	if (monitor->lines) {
		messages_use_json(monitor->result);
		fclose(monitor->lines);
		monitor->lines = NULL;
	}
	kill(monitor->pid, SIGKILL);
	child_wait(monitor->pid, &status, 0);
	if (monitor->on_screen && WIFSIGNALED(status))
		restore_terminal(monitor);
}
