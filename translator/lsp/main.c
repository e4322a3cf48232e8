// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-language-server: a language server on standard input and output, for editors. `stap --language-server` runs it.
 * It is a program of its own, since stap starts faster without a JSON library.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/user_directories.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "translator/lsp/server.h"

static void show_help(void)
{
	printf(_("Usage: stap-language-server [options of stap]\n"
		 "A language server for scripts of stap, on standard input and output. Editors start it.\n"
		 "\n"
		 "The options apply to all scripts; see stap-language-server(1).\n"));
}

/* Serve --help and --version. */
static bool is_served(int argc, char **argv)
{
	if (argc != 2)
		return false;
	if (!strcmp(argv[1], "--help")) {
		show_help();
		return true;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("Spile %s\n", PACKAGE_VERSION);
		return true;
	}
	return false;
}

/* Milliseconds without a message after which the server starts background work. */
enum { IDLE_TIME = 500 };

/* Wait for a message or for an index, at most @p timeout milliseconds. Return false if none came. */
static bool wait_for_input(struct server *server, struct inbox *inbox, int timeout)
{
	int ready;
	struct pollfd from[] = {
		{.fd = inbox->is_at_end ? -1 : STDIN_FILENO, .events = POLLIN},
		{.fd = session_descriptor(server->session), .events = POLLIN},
	};
	gsize length;
	char *text;

	ready = poll(from, G_N_ELEMENTS(from), timeout);
	if (ready < 0 && errno != EINTR)
		inbox->is_at_end = true;
	if (from[0].revents)
		inbox_read(inbox, STDIN_FILENO);
	while ((text = inbox_take(inbox, &length))) {
		server_add(server, text, length);
		g_free(text);
	}
	if (session_poll(server->session))
		server_refresh(server);
	return ready != 0;
}

/* Serve until the client ends the connection. */
static void serve(struct server *server)
{
	struct inbox inbox;
	bool has_work = false, is_idle = false;

	inbox_init(&inbox);
	while (!server_is_over(server)) {
		is_idle = !wait_for_input(server, &inbox, has_work ? 0 : is_idle ? -1 : IDLE_TIME);
		/* Answer everything that arrived before the input ended. */
		if ((inbox.is_at_end || inbox.mistake) && g_queue_is_empty(server->waiting))
			break;
		has_work = server_work(server) || (is_idle && session_work(server->session));
	}
	if (inbox.mistake)
		message_print(MESSAGE_ERROR, inbox.mistake, NULL, NULL);
	inbox_clear(&inbox);
}

int main(int argc, char **argv)
{
	struct session *session;
	struct server server;
	int status, output;

	standard_streams_open();
	i18n_init(locale_directory());
	if (is_served(argc, argv))
		return standard_output_finish(EXIT_SUCCESS);
	signal(SIGPIPE, SIG_IGN);
	/* A download would make the editor wait. */
	g_unsetenv("DEBUGINFOD_URLS");
	output = standard_output_take();
	session = session_new(usable_translation_cache());
	server_init(&server, session, argv + 1, output);
	serve(&server);
	status = server.state == STATE_EXITED ? EXIT_SUCCESS : EXIT_FAILURE;
	server_clear(&server);
	session_free(session);
	return status;
}
