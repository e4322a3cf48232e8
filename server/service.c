// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The listening process. It reads no data from clients: each client gets a handler (handler.c), which requests its turn
 * when it has received a complete request. A limited number of translations run concurrently; the next ones wait in the
 * order of their requests, and are refused when too many wait. A handler that ends releases its place.
 *
 * Anyone can open connections and be silent. So connections whose TLS handshake is not over have a small pool of their
 * own, where a new one takes the place of the oldest; they cannot use up the places of identified clients. One network
 * may have at most half of the connections.
 */
#include "server/service.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "server/handler.h"
#include "server/network.h"

enum state {
	CONNECTED, /* its handshake is not over */
	KNOWN, /* its request is not complete */
	WAITING,
	RUNNING,
};

enum {
	LEAST_STRANGERS = 8, /* size of the pool of connections whose handshake is not over, if few are allowed */
	GRACE = 10 * G_TIME_SPAN_SECOND, /* for a handshake: many clients may come to a busy host at once */
};

struct client {
	int turns; /* socket to its handler */
	enum state state;
	guint64 order; /* sequence number of its request for a turn */
	struct network network;
	gint64 since; /* when it connected, in monotonic microseconds */
};

struct service {
	const struct server_settings *settings;
	SSL_CTX *context;
	GArray *listeners; /* of int */
	GArray *clients; /* of struct client */
	guint64 waited; /* number of requests for a turn so far */
};

static volatile sig_atomic_t ended;

static void on_signal(int signal)
{
	ended = 1;
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	/* Let the kernel reap children. */
	signal(SIGCHLD, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	/* Adopt and reap what is left of a killed sandbox, too. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* ---- listening --------------------------------------------------------------------------------------------------- */

static int listen_at(const struct addrinfo *address)
{
	static const int yes = 1;
	int fd = socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (address->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes));
	if (!bind(fd, address->ai_addr, address->ai_addrlen) && !listen(fd, SOMAXCONN))
		return fd;
	close(fd);
	return -1;
}

static unsigned int port_of(int fd)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);

	if (getsockname(fd, (struct sockaddr *)&address, &length))
		return 0;
	return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
						   : ((struct sockaddr_in *)&address)->sin_port);
}

static struct error *listen_everywhere(struct service *service)
{
	const struct server_settings *settings = service->settings;
	static const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	const char *where = settings->address ?: "*";
	struct addrinfo *addresses = NULL;
	int number = getaddrinfo(settings->address, settings->port, &wanted, &addresses);

	if (number)
		return error_new(ERROR_OTHER, _("cannot listen at %s, port %s: %s"), where, settings->port,
				 gai_strerror(number));
	for (const struct addrinfo *address = addresses; address; address = address->ai_next) {
		int fd = listen_at(address);

		if (fd >= 0)
			g_array_append_val(service->listeners, fd);
	}
	number = errno;
	freeaddrinfo(addresses);
	errno = number;
	if (!service->listeners->len)
		return error_errno(_("cannot listen at %s, port %s"), where, settings->port);
	/* Print the port, which the system chose if it was given as 0. */
	fprintf(stderr, _("listening at port %u\n"), port_of(g_array_index(service->listeners, int, 0)));
	return NULL;
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

static guint count(const struct service *service, enum state state)
{
	guint found = 0;

	for (guint i = 0; i < service->clients->len; i++)
		found += g_array_index(service->clients, struct client, i).state == state;
	return found;
}

static void send_turn(struct client *client, enum turn turn)
{
	char byte = turn;

	/* If the write fails, the handler is gone, which the next poll() shows. */
	if (write(client->turns, &byte, 1) != 1)
		return;
}

static struct client *longest_waiting(struct service *service)
{
	struct client *first = NULL;

	for (guint i = 0; i < service->clients->len; i++) {
		struct client *client = &g_array_index(service->clients, struct client, i);

		if (client->state == WAITING && (!first || client->order < first->order))
			first = client;
	}
	return first;
}

static void give_turns(struct service *service)
{
	guint running = count(service, RUNNING);
	struct client *client;

	while (running < service->settings->running && (client = longest_waiting(service))) {
		client->state = RUNNING;
		send_turn(client, TURN_GRANTED);
		running++;
	}
}

/* Handle a message from a handler. Return false if the handler is gone. */
static bool hear(struct service *service, struct client *client)
{
	char byte;

	if (read(client->turns, &byte, 1) != 1)
		return false;
	if (byte == TURN_KNOWN && client->state == CONNECTED)
		client->state = KNOWN;
	if (byte != TURN_WANTED || client->state != KNOWN)
		return true;
	if (count(service, WAITING) >= service->settings->waiting) {
		send_turn(client, TURN_REFUSED);
		return true;
	}
	client->state = WAITING;
	client->order = service->waited++;
	return true;
}

/* ---- clients ----------------------------------------------------------------------------------------------------- */

static void run_handler(struct service *service, int socket, int turns, const char *peer)
{
	for (guint i = 0; i < service->listeners->len; i++)
		close(g_array_index(service->listeners, int, i));
	for (guint i = 0; i < service->clients->len; i++)
		close(g_array_index(service->clients, struct client, i).turns);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	handle_client(service->settings, service->context, socket, turns, peer);
}

/* Limit one network to half of the connections, so that it cannot lock out all others. */
static bool has_too_many(const struct service *service, const struct network *network)
{
	int64_t most = MAX(1, service->settings->connections / 2), found = 0;

	for (guint i = 0; i < service->clients->len; i++)
		found += network_is(&g_array_index(service->clients, struct client, i).network, network);
	return found >= most;
}

/* Drop the client of this index. Its handler notices that, and ends with its other processes. */
static void drop_client(struct service *service, guint index)
{
	close(g_array_index(service->clients, struct client, index).turns);
	g_array_remove_index(service->clients, index);
}

/*
 * Return the index of the oldest connection whose handshake is not over, of one network or (NULL) of all, or the number
 * of clients. Clients are in the order of their arrival.
 */
static guint oldest_stranger(const struct service *service, const struct network *network)
{
	guint i = 0;

	for (; i < service->clients->len; i++) {
		const struct client *client = &g_array_index(service->clients, struct client, i);

		if (client->state == CONNECTED && (!network || network_is(&client->network, network)))
			break;
	}
	return i;
}

/* Return whether a new connection must take the place of the oldest one whose handshake is not over. */
static bool has_crowd(const struct service *service, guint oldest)
{
	guint strangers = count(service, CONNECTED), connections = (guint)service->settings->connections;
	gint64 age;

	if (strangers < MAX(LEAST_STRANGERS, connections / 8))
		return false;
	age = g_get_monotonic_time() - g_array_index(service->clients, struct client, oldest).since;
	return age >= GRACE || strangers >= MAX(LEAST_STRANGERS, connections / 2);
}

/* Free a place for a connection from a network. Return false if that is impossible. */
static bool make_room(struct service *service, const struct network *network)
{
	guint oldest;

	if (has_too_many(service, network)) {
		oldest = oldest_stranger(service, network);
		if (oldest == service->clients->len)
			return false;
		drop_client(service, oldest);
	}
	oldest = oldest_stranger(service, NULL);
	if (oldest < service->clients->len && has_crowd(service, oldest))
		drop_client(service, oldest);
	return true;
}

static void accept_client(struct service *service, int listener)
{
	struct sockaddr_storage address = {0};
	socklen_t length = sizeof(address);
	_cleanup_close_ int socket = accept4(listener, (struct sockaddr *)&address, &length, SOCK_CLOEXEC);
	struct client client = {.state = CONNECTED, .since = g_get_monotonic_time()};
	char peer[INET6_ADDRSTRLEN] = "?";
	int ends[2];
	pid_t pid;

	if (socket < 0)
		return;
	getnameinfo((struct sockaddr *)&address, length, peer, sizeof(peer), NULL, 0, NI_NUMERICHOST);
	client.network = network_of(&address);
	if (!make_room(service, &client.network) || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return;
	pid = fork();
	if (!pid) {
		close(ends[0]);
		run_handler(service, socket, ends[1], peer);
	}
	close(ends[1]);
	client.turns = ends[0];
	if (pid < 0)
		close(ends[0]);
	else
		g_array_append_val(service->clients, client);
}

/* At the limit of identified clients, do not accept more; the kernel queues them. */
static void add_listeners(const struct service *service, GArray *fds)
{
	bool full = service->clients->len - count(service, CONNECTED) >= service->settings->connections;

	for (guint i = 0; i < service->listeners->len; i++) {
		struct pollfd fd = {.fd = full ? -1 : g_array_index(service->listeners, int, i), .events = POLLIN};

		g_array_append_val(fds, fd);
	}
	for (guint i = 0; i < service->clients->len; i++) {
		struct pollfd fd = {.fd = g_array_index(service->clients, struct client, i).turns, .events = POLLIN};

		g_array_append_val(fds, fd);
	}
}

static void serve_once(struct service *service)
{
	g_autoptr(GArray) fds = g_array_new(FALSE, FALSE, sizeof(struct pollfd));
	guint listeners = service->listeners->len;

	add_listeners(service, fds);
	if (poll((struct pollfd *)fds->data, fds->len, -1) <= 0)
		return;
	/* Go backwards, because removing a client moves those after it. */
	for (guint i = fds->len - listeners; i-- > 0;) {
		struct client *client = &g_array_index(service->clients, struct client, i);

		if (!g_array_index(fds, struct pollfd, listeners + i).revents || hear(service, client))
			continue;
		drop_client(service, i);
	}
	for (guint i = 0; i < listeners; i++)
		if (g_array_index(fds, struct pollfd, i).revents)
			accept_client(service, g_array_index(service->listeners, int, i));
	give_turns(service);
}

struct error *service_run(const struct server_settings *settings, SSL_CTX *context)
{
	struct service service = {
		.settings = settings,
		.context = context,
		.listeners = g_array_new(FALSE, FALSE, sizeof(int)),
		.clients = g_array_new(FALSE, FALSE, sizeof(struct client)),
	};
	struct error *error;

	catch_signals();
	error = listen_everywhere(&service);
	while (!error && !ended)
		serve_once(&service);
	g_array_unref(service.listeners);
	g_array_unref(service.clients);
	return error;
}
