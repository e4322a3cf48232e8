/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copy bytes through a TLS connection; see tunnel.c. */
#ifndef SPILE_SERVER_TUNNEL_H
#define SPILE_SERVER_TUNNEL_H

#include <openssl/ssl.h>
#include <stdbool.h>

#include "common/base/error.h"

/** Make the socket non-blocking and complete the TLS handshake within @p seconds. */
struct error *tunnel_begin(SSL *ssl, int seconds);

/** Return the peer's fingerprint, or NULL if it has no certificate. Free with g_free(). */
char *tunnel_peer(SSL *ssl);

/** Send a short final message and close the connection. */
void tunnel_say(SSL *ssl, const void *data, size_t length);

/**
 * Copy bytes both ways until one side ends: data from @p from is sent through TLS, and received data goes to @p to.
 *
 * @param[in] ends_with_input End when @p from has ended and everything was sent; else only the peer ends it.
 * @param[in] patience Seconds without progress in sending after which to give up.
 */
struct error *tunnel_carry(SSL *ssl, int from, int to, bool ends_with_input, int patience);

#endif
