/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that handles TLS for a client; see gate.c. */
#ifndef SPILE_SERVER_GATE_H
#define SPILE_SERVER_GATE_H

#include <openssl/ssl.h>

#include "server/settings.h"

/** Copy bytes between an accepted client and the handler; exit when the connection ends. */
void gate_run(const struct server_settings *settings, SSL_CTX *context, int socket, int plain, const char *peer)
	__attribute__((noreturn));

#endif
