/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listening, and who has his turn; see service.c. */
#ifndef SPILE_SERVER_SERVICE_H
#define SPILE_SERVER_SERVICE_H

#include <openssl/ssl.h>

#include "server/settings.h"
#include "translator/util/error.h"

/** Serve until a signal ends it. */
struct error *service_run(const struct server_settings *settings, SSL_CTX *context);

#endif
