// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-mcp: a server of the Model Context Protocol on standard input and output, with which agents look up probe
 * points, check scripts, and run them in guests.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/arena.h"
#include "common/user_directories.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "translator/mcp/server.h"
#include "translator/rc.h"

enum { LONGEST_LINE = 16 << 20, TICK_MILLISECONDS = 50 };

static int show_help(void)
{
	printf(_("Usage: stap-mcp\n"
		 "A server of the Model Context Protocol, on standard input and output. Clients of agents start it.\n"
		 "\n"
		 "Scripts run in guests only; see stap-mcp(1).\n"));
	return standard_output_finish(EXIT_SUCCESS);
}

static int show_version(void)
{
	printf("Spile %s\n", PACKAGE_VERSION);
	return standard_output_finish(EXIT_SUCCESS);
}

static int show_usage(void)
{
	fprintf(stderr, _("stap-mcp has no arguments; see stap-mcp --help\n"));
	return 2;
}

/* Handle the complete lines, and remove them. */
static void take_lines(struct server *server, GByteArray *input)
{
	const guint8 *end;

	while (input->len && (end = memchr(input->data, '\n', input->len))) {
		gsize length = (gsize)(end - input->data);

		if (length)
			server_take(server, (const char *)input->data, length);
		g_byte_array_remove_range(input, 0, (guint)length + 1);
	}
}

/* Read what the client has sent. Return false at the end. */
static bool read_input(GByteArray *input)
{
	guint8 block[65536];
	ssize_t size = read(STDIN_FILENO, block, sizeof(block));

	if (size > 0)
		g_byte_array_append(input, block, (guint)size);
	return size > 0 || (size < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Serve until the client closes the connection. Return false if its messages are too long. */
static bool serve(struct server *server)
{
	g_autoptr(GByteArray) input = g_byte_array_new();
	bool is_open = true, has_work = false;

	while ((is_open || has_work) && !server->is_output_lost && input->len <= LONGEST_LINE) {
		struct pollfd from = {.fd = is_open ? STDIN_FILENO : -1, .events = POLLIN};

		if (poll(&from, 1, has_work ? TICK_MILLISECONDS : -1) > 0)
			is_open = read_input(input);
		take_lines(server, input);
		has_work = server_work(server);
	}
	return input->len <= LONGEST_LINE;
}

static int run(void)
{
	_cleanup_error_ struct error *error = rc_check_hosts("stap-mcp");
	struct session *session;
	struct server server;
	bool served;

	if (error) {
		message_print(MESSAGE_ERROR, error->message, error->hint, NULL);
		return EXIT_FAILURE;
	}
	session = session_new(usable_translation_cache());
	server_init(&server, session, standard_output_take());
	served = serve(&server);
	if (!served)
		message_print(MESSAGE_ERROR, _("a message is too long"), NULL, NULL);
	server_clear(&server);
	session_free(session);
	return served ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	standard_streams_open();
	i18n_init(locale_directory());
	signal(SIGPIPE, SIG_IGN);
	if (argc == 2 && !strcmp(argv[1], "--help"))
		return show_help();
	if (argc == 2 && !strcmp(argv[1], "--version"))
		return show_version();
	return argc > 1 ? show_usage() : run();
}
