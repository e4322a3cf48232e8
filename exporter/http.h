/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The HTTP side of stap-exporter; see http.c. */
#ifndef SPILE_EXPORTER_HTTP_H
#define SPILE_EXPORTER_HTTP_H

#include "exporter/registry.h"

struct http;

/**
 * Check the settings, listen, and serve from the main loop.
 *
 * @param[in] old The server that this one replaces, or NULL. It is ended if this one starts, and else goes on.
 * @return An error if an address other than loopback has no TLS and authentication, if a file cannot be used, or if
 * the address cannot be listened on.
 */
struct error *http_start(struct exporter_settings *settings, struct registry *registry, struct http *old,
			 struct http **ret);

/** Close all connections, and free it. */
void http_end(struct http *http);

/** Only check the settings. */
struct error *http_check(struct exporter_settings *settings);

/** Answer the clients that wait for a script, if it can answer now. */
void http_wake(struct http *http, const struct script *script);

#endif
