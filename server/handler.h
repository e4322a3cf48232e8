/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One client; see handler.c. */
#ifndef SPILE_SERVER_HANDLER_H
#define SPILE_SERVER_HANDLER_H

#include <openssl/ssl.h>

#include "server/settings.h"

/* What a handler and the service say to each other. */
enum turn { TURN_WANTED = 'w', TURN_GRANTED = 'g', TURN_REFUSED = 'n' };

/**
 * All that there is to do for a client; the process ends with it.
 *
 * @param[in] socket Of the client.
 * @param[in] turns To the service, which says when the request may be translated.
 * @param[in] peer What the client's address is, for the log.
 */
void handle_client(const struct server_settings *settings, SSL_CTX *context, int socket, int turns, const char *peer)
	__attribute__((noreturn));

#endif
