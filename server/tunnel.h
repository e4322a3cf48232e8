/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes through TLS; see tunnel.c. */
#ifndef SPILE_SERVER_TUNNEL_H
#define SPILE_SERVER_TUNNEL_H

#include <openssl/ssl.h>
#include <stdbool.h>

#include "translator/util/error.h"

/** Shake hands over a socket, which is made non-blocking, within @p seconds. */
struct error *tunnel_begin(SSL *ssl, int seconds);

/** The other side's fingerprint; free with g_free(). NULL: it has no certificate. */
char *tunnel_peer(SSL *ssl);

/** Say a few last words, and take leave. */
void tunnel_say(SSL *ssl, const void *data, size_t length);

/**
 * Carry bytes both ways until one side has no more to say: what is read from @p from goes through TLS, what comes
 * through TLS goes to @p to.
 *
 * @param[in] ends_with_input The end of @p from ends it, when all has been sent; else only the other side does.
 * @param[in] patience Seconds for which the other side may take nothing of what there is for it.
 */
struct error *tunnel_carry(SSL *ssl, int from, int to, bool ends_with_input, int patience);

#endif
