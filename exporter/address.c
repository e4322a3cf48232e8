// SPDX-License-Identifier: GPL-2.0-or-later
/* The address that the exporter listens on; see address.h. Names are not resolved, since they may change. */
#include "exporter/address.h"

#include <arpa/inet.h>
#include <glib.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"

enum { BACKLOG = 64 };

struct error *address_parse(const char *text, int64_t port, struct address *ret)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)&ret->storage;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&ret->storage;
	size_t length = strlen(text);
	bool has_brackets = length > 2 && *text == '[' && text[length - 1] == ']';
	g_autofree char *bare = has_brackets ? g_strndup(text + 1, length - 2) : g_strdup(text);

	memset(ret, 0, sizeof(*ret));
	if (!has_brackets && inet_pton(AF_INET, strcmp(bare, "localhost") ? bare : "127.0.0.1", &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons((uint16_t)port);
		ret->length = sizeof(*v4);
		return NULL;
	}
	if (inet_pton(AF_INET6, bare, &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons((uint16_t)port);
		ret->length = sizeof(*v6);
		return NULL;
	}
	return error_with_hint(error_new(ERROR_OTHER, _("'%s' is not an address to listen on"), text),
			       _("use a numeric address, such as 127.0.0.1 or ::1"));
}

bool address_is_loopback(const struct address *address)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address->storage;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address->storage;

	if (address->storage.ss_family == AF_INET)
		return ntohl(v4->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

bool address_equal(const struct address *a, const struct address *b)
{
	return a->length == b->length && !memcmp(&a->storage, &b->storage, a->length);
}

struct error *address_listen(const struct address *address, int *ret)
{
	_cleanup_close_ int fd = socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int on = 1;

	if (fd < 0)
		return error_errno("socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	/* An IPv6 address must not accept what comes by IPv4. */
	if (address->storage.ss_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (bind(fd, (const struct sockaddr *)&address->storage, address->length) || listen(fd, BACKLOG))
		return error_errno(_("cannot listen on the configured address and port"));
	*ret = fd;
	fd = -1;
	return NULL;
}

char *address_of_socket(int fd)
{
	struct sockaddr_storage storage;
	socklen_t length = sizeof(storage);
	char host[INET6_ADDRSTRLEN], port[8];

	if (getsockname(fd, (struct sockaddr *)&storage, &length) ||
	    getnameinfo((struct sockaddr *)&storage, length, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV))
		return g_strdup("?");
	return g_strdup_printf(storage.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}
