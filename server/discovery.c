// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find servers by multicast DNS. avahi's daemon knows those of the local network that announce the service _spile._tcp
 * (an administrator enables this, see stap-server(8)). Anyone on the network can announce it, so a discovered server is
 * not trusted more than one named by the user.
 */
#include "server/discovery.h"

#include "common/base/i18n.h"

#ifdef HAVE_AVAHI

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-common/error.h>
#include <avahi-common/simple-watch.h>
#include <netdb.h>
#include <string.h>

#define SERVICE_KIND "_spile._tcp"

enum { MILLISECONDS_TO_LOOK = 3000, STEP = 100 };

struct discovery {
	AvahiSimplePoll *poll;
	AvahiClient *client;
	GPtrArray *servers;
	int resolving; /* names being resolved to hosts */
	bool has_all; /* all names were received */
};

static void add_server(struct discovery *d, const char *host, uint16_t port)
{
	g_autofree char *server = g_strdup_printf("%s:%u", host, port);

	/* A host may be found through several interfaces and protocols. */
	if (!g_ptr_array_find_with_equal_func(d->servers, server, g_str_equal, NULL))
		g_ptr_array_add(d->servers, g_steal_pointer(&server));
}

/*
 * Return whether the system resolves a host name. It resolves multicast DNS names only if nsswitch.conf includes them.
 */
static bool is_known_name(const char *host)
{
	const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
	struct addrinfo *found = NULL;

	if (getaddrinfo(host, NULL, &hints, &found))
		return false;
	freeaddrinfo(found);
	return true;
}

/*
 * Add a server by its name, which is stable, or else by its IPv4 address. IPv6 link-local addresses would depend on the
 * interface.
 */
static void add_found(struct discovery *d, const char *host, const AvahiAddress *address, uint16_t port)
{
	char text[AVAHI_ADDRESS_STR_MAX];

	if (is_known_name(host))
		add_server(d, host, port);
	else if (address->proto == AVAHI_PROTO_INET)
		add_server(d, avahi_address_snprint(text, sizeof(text), address), port);
}

static void on_resolved(AvahiServiceResolver *resolver, AvahiIfIndex interface, AvahiProtocol protocol,
			AvahiResolverEvent event, const char *name, const char *type, const char *domain,
			const char *host, const AvahiAddress *address, uint16_t port, AvahiStringList *text,
			AvahiLookupResultFlags flags, void *data)
{
	struct discovery *d = data;

	if (event == AVAHI_RESOLVER_FOUND)
		add_found(d, host, address, port);
	d->resolving--;
	avahi_service_resolver_free(resolver);
}

static void on_browsed(AvahiServiceBrowser *browser, AvahiIfIndex interface, AvahiProtocol protocol,
		       AvahiBrowserEvent event, const char *name, const char *type, const char *domain,
		       AvahiLookupResultFlags flags, void *data)
{
	struct discovery *d = data;

	if (event == AVAHI_BROWSER_NEW && avahi_service_resolver_new(d->client, interface, protocol, name, type, domain,
								     AVAHI_PROTO_UNSPEC, 0, on_resolved, d))
		d->resolving++;
	else if (event == AVAHI_BROWSER_ALL_FOR_NOW || event == AVAHI_BROWSER_FAILURE)
		d->has_all = true;
}

/* Ignore state changes of the client; its errors are checked when it is used. */
static void on_client(AvahiClient *client, AvahiClientState state, void *data)
{
}

static struct error *no_avahi(int number)
{
	return error_with_hint(
		error_new(ERROR_LOOKUP,
			  _("no compile server is known, and the network cannot "
			    "be searched: %s"),
			  avahi_strerror(number)),
		_("name one with --use-server=HOST, or run 'apt-get install avahi-daemon' to search the network"));
}

static struct error *look(struct discovery *d)
{
	AvahiServiceBrowser *browser;
	int number = 0;

	d->client = avahi_client_new(avahi_simple_poll_get(d->poll), 0, on_client, d, &number);
	if (!d->client)
		return no_avahi(number);
	browser = avahi_service_browser_new(d->client, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, SERVICE_KIND, NULL, 0,
					    on_browsed, d);
	if (!browser)
		return no_avahi(avahi_client_errno(d->client));
	for (int left = MILLISECONDS_TO_LOOK / STEP; left > 0 && (!d->has_all || d->resolving); left--)
		if (avahi_simple_poll_iterate(d->poll, STEP))
			break;
	return NULL;
}

static gint compare_names(gconstpointer one, gconstpointer other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

struct error *discover_servers(GPtrArray **servers)
{
	struct discovery d = {.poll = avahi_simple_poll_new(), .servers = g_ptr_array_new_with_free_func(g_free)};
	struct error *error = d.poll ? look(&d) : no_avahi(AVAHI_ERR_NO_MEMORY);

	/* This also frees its browsers and resolvers. */
	if (d.client)
		avahi_client_free(d.client);
	if (d.poll)
		avahi_simple_poll_free(d.poll);
	g_ptr_array_sort(d.servers, compare_names);
	*servers = d.servers;
	return error;
}

#else

struct error *discover_servers(GPtrArray **servers)
{
	*servers = g_ptr_array_new();
	return error_with_hint(error_new(ERROR_UNSUPPORTED, _("no compile server is known, and this stap was built "
							      "without avahi, which searches the network")),
			       _("name one with --use-server=HOST"));
}

#endif
