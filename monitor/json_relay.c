// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stap-json does: write everything that a script says as JSON lines (stap-json(5)). staprun starts it for -J
 * (staprun/monitor.c) as the user, like stap-monitor. A bundle has no other programs, and starts itself.
 *
 * Three sources become one stream, so that no line is cut by another:
 *	- a socket of packets, each of which is a whole line from staprun: output of the script and messages,
 *	- a pipe with the standard output of the script's commands, which is text,
 *	- the module's file "globals", which is read at intervals and once at the end.
 *
 * Output that cannot be written ends the session. Commands of the script may outlive the module, so this continues
 * until the loader closes its socket, and does not wait for processes that a command left in the background.
 */
#include "monitor/json_relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "common/base/json_schema.h"
#include "common/base/message.h"
#include "monitor/global_lines.h"
#include "staprun/child.h"
#include "staprun/monitor.h"

enum { TEXT_SIZE = 16384 };

struct relay {
	int socket, lines, commands;
	long interval; /* milliseconds; 0: only at the end */
	struct timespec looked; /* time of the last snapshot */
	struct snapshot_lines snapshots; /* file is -1: the module is not loaded yet */
	char text[TEXT_SIZE]; /* of commands: the beginning of a line */
	size_t used;
	bool is_over;
};

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Send what is buffered. If the reader is gone, SIGPIPE ends this process, which staprun notices. */
static void flush_output(struct relay *relay)
{
	if (!fflush(stdout) && !ferror(stdout))
		return;
	messages_use_json(NULL);
	error_report_free(error_errno(_("cannot write the output")));
	child_send(relay->socket, MONITOR_FAILED, -1);
	exit(EXIT_FAILURE);
}

static void take_snapshot(struct relay *relay, bool is_final)
{
	error_report_free(snapshot_lines_write(&relay->snapshots, stdout, is_final));
	clock_gettime(CLOCK_MONOTONIC, &relay->looked);
	flush_output(relay);
}

static void put_text(struct relay *relay, size_t length)
{
	if (!length)
		return;
	message_output(stdout, relay->text, length, true);
	relay->used -= length;
	memmove(relay->text, relay->text + length, relay->used);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Copy a line of staprun. Return false without one. */
static bool take_line(struct relay *relay)
{
	static char line[JSON_PACKET_LIMIT];
	ssize_t got = recv(relay->lines, line, sizeof(line), MSG_DONTWAIT);

	if (got > 0)
		fwrite(line, 1, got, stdout);
	return got > 0;
}

/* Copy what a command has written, whole lines if possible. Return false if there is nothing now. */
static bool take_text(struct relay *relay)
{
	ssize_t got = read(relay->commands, relay->text + relay->used, TEXT_SIZE - relay->used);
	const char *end;

	if (got <= 0)
		return false;
	relay->used += got;
	end = memrchr(relay->text, '\n', relay->used);
	put_text(relay, end ? (size_t)(end + 1 - relay->text) : relay->used == TEXT_SIZE ? relay->used : 0);
	return true;
}

static bool take_anything(struct relay *relay)
{
	return take_line(relay) || take_text(relay);
}

/* The script is over. Its last values follow all that it printed. The module can be removed then. */
static void end_script(struct relay *relay)
{
	while (take_anything(relay))
		flush_output(relay);
	if (relay->snapshots.file >= 0) {
		take_snapshot(relay, true);
		close(relay->snapshots.file);
		relay->snapshots.file = -1;
	}
	child_send(relay->socket, MONITOR_CLOSED, -1);
}

static void take_message(struct relay *relay)
{
	int file, message = child_receive(relay->socket, &file);

	if (message == MONITOR_FILE && file >= 0) {
		relay->snapshots.file = file;
		clock_gettime(CLOCK_MONOTONIC, &relay->looked);
	} else if (message == MONITOR_END) {
		end_script(relay);
	} else {
		/* The loader has ended its part, or is gone. */
		relay->is_over = true;
	}
}

/* Return the milliseconds until the next snapshot, or -1 to wait for other events only. */
static int time_to_snapshot(const struct relay *relay)
{
	struct timespec now;
	long passed;

	if (relay->snapshots.file < 0 || !relay->interval)
		return -1;
	clock_gettime(CLOCK_MONOTONIC, &now);
	passed = (now.tv_sec - relay->looked.tv_sec) * 1000 + (now.tv_nsec - relay->looked.tv_nsec) / 1000000;
	return passed >= relay->interval ? 0 : (int)(relay->interval - passed);
}

static void relay_session(struct relay *relay)
{
	struct pollfd from[] = {
		{.fd = relay->lines, .events = POLLIN},
		{.fd = relay->commands, .events = POLLIN},
		{.fd = relay->socket, .events = POLLIN},
	};

	while (!relay->is_over) {
		int timeout = time_to_snapshot(relay);

		if (!timeout)
			take_snapshot(relay, false);
		if (poll(from, 3, timeout ? timeout : (int)relay->interval) <= 0)
			continue;
		if (from[0].revents && !take_line(relay))
			from[0].fd = -1;
		if (from[1].revents && !take_text(relay))
			from[1].fd = -1;
		if (from[2].revents)
			take_message(relay);
		flush_output(relay);
	}
	while (take_anything(relay))
		flush_output(relay);
	put_text(relay, relay->used);
	flush_output(relay);
}

int json_relay_main(int argc, char **argv)
{
	struct relay relay = {.snapshots.file = -1};

	if (argc != 6 || atoi(argv[1]) <= STDERR_FILENO || !child_drop_capabilities()) {
		fprintf(stderr, _("%s is started by staprun.\n"), "stap-json");
		return EXIT_FAILURE;
	}
	relay.socket = atoi(argv[1]);
	relay.commands = atoi(argv[2]);
	relay.lines = atoi(argv[3]);
	relay.interval = atol(argv[4]) * 1000;
	json_set_remote(atol(argv[5]));
	messages_use_json(stdout);
	setvbuf(stdout, NULL, _IOFBF, 1 << 18);
	fcntl(relay.commands, F_SETFL, O_NONBLOCK);
	child_send(relay.socket, MONITOR_READY, -1);
	relay_session(&relay);
	snapshot_lines_clear(&relay.snapshots);
	return EXIT_SUCCESS;
}
