/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The listening process, which schedules translations; see service.c. */
#ifndef SPILE_SERVER_SERVICE_H
#define SPILE_SERVER_SERVICE_H

#include <openssl/ssl.h>

#include "common/base/error.h"
#include "server/settings.h"

/** Serve until a signal arrives. */
struct error *service_run(const struct server_settings *settings, SSL_CTX *context);

#endif
