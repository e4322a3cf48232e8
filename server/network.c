// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Networks of clients. A limit per address limits nobody: each customer of a provider has a /64 of IPv6 addresses, and
 * neighbors in a /24 of IPv4 are often one customer, too.
 */
#include "server/network.h"

#include <string.h>

enum { IPV4_PREFIX = 3, IPV6_PREFIX = 8, MAPPED = 12 /* offset of an IPv4 address in a mapped one */ };

struct network network_of(const struct sockaddr_storage *address)
{
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
	struct network network = {.family = (unsigned char)address->ss_family};

	if (address->ss_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) {
		network.family = AF_INET;
		memcpy(network.bytes, v6->sin6_addr.s6_addr + MAPPED, IPV4_PREFIX);
	} else if (address->ss_family == AF_INET6) {
		memcpy(network.bytes, &v6->sin6_addr, IPV6_PREFIX);
	} else if (address->ss_family == AF_INET) {
		memcpy(network.bytes, &v4->sin_addr, IPV4_PREFIX);
	}
	return network;
}

bool network_is(const struct network *a, const struct network *b)
{
	return !memcmp(a, b, sizeof(*a));
}
