/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Networks of clients, for a compile server's limits; see network.c. */
#ifndef SPILE_SERVER_NETWORK_H
#define SPILE_SERVER_NETWORK_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

/* A network, as the bytes of its addresses that count; equal ones compare equal with memcmp(). */
struct network {
	unsigned char family, bytes[8];
};

/** Return the network of an address: /24 of IPv4, also if it is mapped into IPv6, /64 of IPv6. */
struct network network_of(const struct sockaddr_storage *address);

bool network_is(const struct network *a, const struct network *b);

#endif
