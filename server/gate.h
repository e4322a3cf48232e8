/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that speaks TLS with a client; see gate.c. */
#ifndef SPILE_SERVER_GATE_H
#define SPILE_SERVER_GATE_H

#include <openssl/ssl.h>

#include "server/settings.h"

/** Carry bytes between a client that was accepted and the handler; the process ends with it. */
void gate_run(const struct server_settings *settings, SSL_CTX *context, int socket, int plain, const char *peer)
	__attribute__((noreturn));

#endif
