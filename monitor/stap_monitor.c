// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-monitor: show what a script does while it runs, on a screen for people or as lines for programs. staprun starts
 * it (monitor.c) with a socket, over which it receives the module's file "monitor" (runtime/abi/protocol.h), and with a
 * pipe that carries all output.
 *
 * It reads the file at intervals, and writes commands to it that switch probes or reset globals. Only staprun can end
 * the session: stap-monitor requests that, and ends when staprun tells it to.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "monitor/monitor_snapshot.h"
#include "monitor/monitor_view.h"
#include "staprun/child.h"
#include "staprun/monitor.h"

struct watch {
	const struct view *view;
	const char *module;
	long interval; /* milliseconds */
	struct timespec looked; /* time of the last update */
	int socket, output;
	int file; /* -1: the module is not loaded yet */
	struct snapshot snapshot;
	bool is_over;
};

static void report_error(const struct watch *watch, struct error *error)
{
	if (!error)
		return;
	watch->view->tell(error->message);
	error_free(error);
}

static void look(struct watch *watch)
{
	struct error *error = snapshot_read(watch->file, &watch->snapshot);

	clock_gettime(CLOCK_MONOTONIC, &watch->looked);
	if (!error)
		watch->view->show(&watch->snapshot);
	report_error(watch, error);
}

/* Return the milliseconds until the next update, or -1 to wait for other events only. */
static int time_to_next_look(const struct watch *watch)
{
	struct timespec now;
	long passed;

	if (watch->file < 0)
		return -1;
	clock_gettime(CLOCK_MONOTONIC, &now);
	passed = (now.tv_sec - watch->looked.tv_sec) * 1000 + (now.tv_nsec - watch->looked.tv_nsec) / 1000000;
	return passed >= watch->interval ? 0 : (int)(watch->interval - passed);
}

/* Forward available output to the view. Return false without output. */
static bool take_output(struct watch *watch)
{
	char text[16384];
	ssize_t got = read(watch->output, text, sizeof(text));

	if (got > 0)
		watch->view->output(text, got, false);
	return got > 0;
}

static struct error *command_error(const char *command)
{
	if (errno == EBUSY)
		return error_new(ERROR_SYSTEM, _("'%s' failed: begin or end probes are running; try again"), command);
	if (errno == ENOENT)
		return error_new(ERROR_LOOKUP, _("'%s' failed: the probe does not exist"), command);
	if (errno == EINVAL || errno == EPERM)
		return error_new(ERROR_OTHER,
				 _("'%s' is not a command (probe INDEX on|off, probe * on|off, reset, quit), or its "
				   "probe cannot be switched (begin, end, error)"),
				 command);
	return error_errno("%s", command);
}

static void obey(struct watch *watch, const char *command)
{
	if (!strcmp(command, "quit")) {
		child_send(watch->socket, MONITOR_QUIT, -1);
		return;
	}
	if (watch->file < 0)
		return;
	if (write(watch->file, command, strlen(command)) < 0)
		report_error(watch, command_error(command));
	look(watch);
}

/* Obey all available commands. Return false when the input has ended. */
static bool take_input(struct watch *watch)
{
	char command[VIEW_COMMAND_SIZE];

	for (;;) {
		switch (watch->view->input(command)) {
		case VIEW_COMMAND:
			obey(watch, command);
			break;
		case VIEW_CLOSED:
			return false;
		default:
			return true;
		}
	}
}

static void take_message(struct watch *watch)
{
	int file, message = child_receive(watch->socket, &file);

	if (message == MONITOR_FILE && file >= 0) {
		watch->file = file;
		watch->view->begin(watch->module);
		look(watch);
	} else {
		/* The loader requests the end, or is gone. */
		watch->is_over = true;
	}
}

static void watch_session(struct watch *watch)
{
	struct pollfd from[] = {
		{.fd = watch->socket, .events = POLLIN},
		{.fd = watch->output, .events = POLLIN},
		{.fd = STDIN_FILENO, .events = POLLIN},
	};

	while (!watch->is_over) {
		int timeout = time_to_next_look(watch), ready;

		if (!timeout)
			look(watch);
		ready = poll(from, 3, timeout ? timeout : (int)watch->interval);
		/* A signal may mean that the size of the screen changed. */
		if ((ready < 0 || from[2].revents) && watch->file >= 0 && !take_input(watch))
			from[2].fd = -1;
		if (ready > 0 && (from[2].revents & POLLERR)) /* the terminal is gone */
			from[2].fd = -1;
		if (ready > 0 && from[0].revents)
			take_message(watch);
		if (ready > 0 && from[1].revents && !take_output(watch))
			from[1].fd = -1;
	}
	while (take_output(watch))
		;
	if (watch->file >= 0)
		look(watch);
}

static const struct view *find_view(const char *name)
{
#ifdef HAVE_NCURSES
	if (!strcmp(name, "screen"))
		return &screen_view;
#endif
	return strcmp(name, "lines") ? NULL : &lines_view;
}

static struct error *check_view(const struct view *view)
{
	if (view)
		return view->check();
	return error_with_hint(error_new(ERROR_UNSUPPORTED,
					 _("Spile was built without ncurses and has no screen mode")),
			       _("use stap --monitor=json or staprun -M 1,json"));
}

int main(int argc, char **argv)
{
	struct watch watch = {.file = -1};

	standard_streams_open();
	i18n_init(locale_directory());
	if (argc != 6 || atoi(argv[1]) <= STDERR_FILENO || !child_drop_capabilities()) {
		fprintf(stderr, _("%s is started by staprun.\n"), "stap-monitor");
		return EXIT_FAILURE;
	}
	watch.socket = atoi(argv[1]);
	watch.output = atoi(argv[2]);
	watch.interval = atol(argv[3]) * 1000;
	watch.view = find_view(argv[4]);
	watch.module = argv[5];
	if (error_report_free(check_view(watch.view)))
		return EXIT_FAILURE;
	fcntl(watch.output, F_SETFL, O_NONBLOCK);
	child_send(watch.socket, MONITOR_READY, -1);
	watch_session(&watch);
	watch.view->end();
	snapshot_clear(&watch.snapshot);
	return EXIT_SUCCESS;
}
