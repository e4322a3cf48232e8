/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that serves one client; see handler.c. */
#ifndef SPILE_SERVER_HANDLER_H
#define SPILE_SERVER_HANDLER_H

#include <openssl/ssl.h>

#include "server/settings.h"

/* Messages between a handler and the service. */
enum turn {
	TURN_KNOWN = 'k', /* from a handler: the client has been identified */
	TURN_WANTED = 'w',
	TURN_GRANTED = 'g',
	TURN_REFUSED = 'n',
};

/**
 * Serve a client and exit.
 *
 * @param[in] socket Connection to the client.
 * @param[in] turns Socket to the service, which grants the turn to translate.
 * @param[in] peer The client's address, for the log.
 */
void handle_client(const struct server_settings *settings, SSL_CTX *context, int socket, int turns, const char *peer)
	__attribute__((noreturn));

#endif
