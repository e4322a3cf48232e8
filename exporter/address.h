/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The address that the exporter listens on. */
#ifndef SPILE_EXPORTER_ADDRESS_H
#define SPILE_EXPORTER_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "common/base/error.h"

struct address {
	struct sockaddr_storage storage;
	socklen_t length;
};

/** Parse a numeric address of IPv4 or IPv6, with or without brackets, or "localhost". */
struct error *address_parse(const char *text, int64_t port, struct address *ret);

/** Can only this machine reach it? */
bool address_is_loopback(const struct address *address);

bool address_equal(const struct address *a, const struct address *b);

/** Open a listening socket. */
struct error *address_listen(const struct address *address, int *fd);

/** Return "ADDRESS:PORT" of a listening socket. Free with g_free(). */
char *address_of_socket(int fd);

#endif
