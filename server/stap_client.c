// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-client: the way from stap to a compile server. stap starts it for --use-server, so that only who uses a server
 * has to do with OpenSSL; no user calls it. It connects to the first server that answers, or without any to one that
 * was found on the network, looks whether it has been accepted, sends what it is given on standard input, and writes
 * what comes to standard output. What goes wrong here is written there, too, as a server would say it
 * (translator/server/protocol.h).
 *
 *     stap-client ask [SERVER...]         HOST, HOST:PORT or [ADDRESS]:PORT
 *     stap-client trust FILE SERVER [FINGERPRINT]   accept it, of which a person was asked, or the fingerprint is known
 *     stap-client revoke FILE SERVER
 *     stap-client list [SERVER...]
 *     stap-client fingerprint             our own, for a server's administrator
 */
#include <errno.h>
#include <glib.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "server/discovery.h"
#include "server/identity.h"
#include "server/trust.h"
#include "server/tunnel.h"
#include "translator/server/places.h"
#include "translator/server/protocol.h"
#include "translator/util/cleanup.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"

enum { SECONDS_TO_CONNECT = 10, SECONDS_TO_SHAKE_HANDS = 20, SECONDS_OF_PATIENCE = 60 };

struct connection {
	char *name; /* HOST:PORT */
	int fd;
	SSL_CTX *context;
	SSL *ssl;
	char *fingerprint; /* of the server */
};

static void connection_clear(struct connection *connection)
{
	SSL_free(connection->ssl);
	SSL_CTX_free(connection->context);
	close_fd(&connection->fd);
	g_free(connection->name);
	g_free(connection->fingerprint);
}

/* ---- connecting -------------------------------------------------------------------------------------------------- */

/* "host", "host:port", "[::1]:port"; an address of IPv6 without brackets is a host. */
static void take_apart(const char *server, char **host, char **port)
{
	const char *colon = strrchr(server, ':'), *bracket = *server == '[' ? strchr(server, ']') : NULL;

	if (bracket) {
		*host = g_strndup(server + 1, bracket - server - 1);
		*port = g_strdup(bracket[1] == ':' ? bracket + 2 : SERVER_STANDARD_PORT);
	} else if (colon && strchr(server, ':') == colon) {
		*host = g_strndup(server, colon - server);
		*port = g_strdup(colon + 1);
	} else {
		*host = g_strdup(server);
		*port = g_strdup(SERVER_STANDARD_PORT);
	}
}

/* HOST:PORT, by which a server is remembered. To be freed. */
static char *full_name(const char *host, const char *port)
{
	return strchr(host, ':') ? g_strdup_printf("[%s]:%s", host, port) : g_strdup_printf("%s:%s", host, port);
}

static bool finish_connecting(int fd)
{
	struct pollfd socket = {.fd = fd, .events = POLLOUT};
	socklen_t length = sizeof(errno);
	int number = ETIMEDOUT;

	if (errno == EINPROGRESS && poll(&socket, 1, SECONDS_TO_CONNECT * 1000) == 1)
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &length);
	else if (errno != EINPROGRESS)
		number = errno;
	errno = number;
	return !number;
}

static int connect_to(const struct addrinfo *addresses)
{
	static const int yes = 1;

	for (; addresses; addresses = addresses->ai_next) {
		int fd = socket(addresses->ai_family, addresses->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

		if (fd < 0)
			continue;
		if (!connect(fd, addresses->ai_addr, addresses->ai_addrlen) || finish_connecting(fd)) {
			setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof(yes));
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
			return fd;
		}
		close(fd);
	}
	return -1;
}

static struct error *not_reachable(const char *name, const char *reason)
{
	return error_with_hint(error_new(ERROR_LOOKUP, _("the compile server %s cannot be reached: %s"), name, reason),
			       _("is stap-server running there, and does a firewall let its port through? Without "
				 "--use-server the script is translated here"));
}

static struct error *reach(const char *server, struct connection *connection)
{
	static const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM};
	g_autofree char *host = NULL, *port = NULL;
	struct addrinfo *addresses = NULL;
	int number;

	take_apart(server, &host, &port);
	g_free(connection->name);
	connection->name = full_name(host, port);
	number = getaddrinfo(host, port, &wanted, &addresses);
	if (number)
		return not_reachable(connection->name, gai_strerror(number));
	connection->fd = connect_to(addresses);
	number = errno;
	freeaddrinfo(addresses);
	return connection->fd < 0 ? not_reachable(connection->name, g_strerror(number)) : NULL;
}

static struct error *own_identity(struct identity *ret)
{
	g_autofree char *subject = g_strdup_printf("stap of %s on %s", g_get_user_name(), g_get_host_name());

	/* 64 characters are what a certificate has room for. */
	if (g_utf8_strlen(subject, -1) > 64)
		*g_utf8_offset_to_pointer(subject, 64) = '\0';
	return identity_provide(server_user_folder(), "client", IDENTITY_OF_TLS, subject, ret);
}

/* TLS with the server at the other end of the socket; who it is, is known then. */
static struct error *shake_hands(struct connection *connection)
{
	struct identity identity;
	struct error *error = own_identity(&identity);

	if (error)
		return error;
	error = identity_context(&identity, false, &connection->context);
	identity_clear(&identity);
	if (error)
		return error;
	connection->ssl = SSL_new(connection->context);
	if (!connection->ssl || !SSL_set_fd(connection->ssl, connection->fd))
		return error_openssl(_("cannot set up TLS"));
	SSL_set_connect_state(connection->ssl);
	error = tunnel_begin(connection->ssl, SECONDS_TO_SHAKE_HANDS);
	if (error)
		return error_prefix(error, _("the compile server %s"), connection->name);
	connection->fingerprint = tunnel_peer(connection->ssl);
	return connection->fingerprint ? NULL : error_new(ERROR_OTHER, _("the server has no certificate"));
}

/* The first that can be reached. */
static struct error *reach_any(char **servers, struct connection *connection)
{
	struct error *error = NULL;

	for (; *servers; servers++) {
		error_free(error);
		error = reach(*servers, connection);
		if (!error)
			return shake_hands(connection);
	}
	return error;
}

/* ---- trust ------------------------------------------------------------------------------------------------------- */

/* What the user has accepted, or the administrator for all. To be freed; NULL: nothing. */
static char *accepted_fingerprint(const char *name)
{
	return trust_find(server_trust_file(false), name) ?: trust_find(server_trust_file(true), name);
}

static struct error *check_trust(const struct connection *connection)
{
	g_autofree char *accepted = accepted_fingerprint(connection->name);

	if (!g_strcmp0(accepted, connection->fingerprint))
		return NULL;
	if (accepted)
		return error_with_hint(
			error_new(ERROR_OTHER,
				  _("the compile server %s is another one than the one that was accepted: it shows %s, "
				    "not %s"),
				  connection->name, connection->fingerprint, accepted),
			_("if its administrator says that it has a new certificate: stap --use-server=%s "
			  "--trust-servers=%s"),
			connection->name, connection->fingerprint);
	return error_with_hint(
		error_new(ERROR_OTHER, _("the compile server %s has not been accepted; it shows %s"), connection->name,
			  connection->fingerprint),
		_("compare that with what 'stap-server fingerprint' says there, then: stap --use-server=%s "
		  "--trust-servers=%s"),
		connection->name, connection->fingerprint);
}

/* Ask a person, who sees what the server shows. */
static bool person_agrees(const struct connection *connection)
{
	char answer[16] = "";

	fprintf(stderr, _("The server %s shows the certificate\n  %s\n"), connection->name, connection->fingerprint);
	fprintf(stderr, "%s ",
		_("Is that what 'stap-server fingerprint' says there, and are modules from it to be trusted? [y/N]"));
	return fgets(answer, sizeof(answer), stdin) && (*answer == 'y' || *answer == 'Y');
}

static struct error *trust(const char *file, const char *server, const char *fingerprint)
{
	_cleanup_(connection_clear) struct connection connection = {.fd = -1};
	struct error *error = reach(server, &connection);

	error = error ?: shake_hands(&connection);
	if (error)
		return error;
	if (fingerprint && strcmp(fingerprint, connection.fingerprint) && strcmp(fingerprint, "no-prompt"))
		return error_new(ERROR_OTHER, _("the server %s shows %s"), connection.name, connection.fingerprint);
	if (!fingerprint && !person_agrees(&connection))
		return error_new(ERROR_OTHER, _("the server %s was not accepted"), connection.name);
	error = trust_set(file, connection.name, connection.fingerprint);
	if (!error)
		printf(_("The server %s is trusted: %s\n"), connection.name, connection.fingerprint);
	return error;
}

static struct error *stop_trusting(const char *file, const char *server)
{
	g_autofree char *host = NULL, *port = NULL, *name = NULL;
	struct error *error;

	take_apart(server, &host, &port);
	name = full_name(host, port);
	error = trust_set(file, name, NULL);
	if (!error)
		printf(_("The server %s is not trusted any more.\n"), name);
	return error;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* Of those on the network the accepted ones; if there are none, all, of which the first says how it is accepted. */
static struct error *choose_found(GPtrArray *found, GPtrArray *chosen)
{
	for (guint i = 0; i < found->len; i++) {
		g_autofree char *accepted = accepted_fingerprint(found->pdata[i]);

		if (accepted)
			g_ptr_array_add(chosen, found->pdata[i]);
	}
	for (guint i = 0; i < found->len && !chosen->len; i++)
		g_ptr_array_add(chosen, found->pdata[i]);
	if (chosen->len)
		return NULL;
	return error_with_hint(error_new(ERROR_LOOKUP, _("no compile server is known, and none was found on the "
							 "network")),
			       _("--use-server=HOST names one; or write HOST or HOST:PORT into %s or %s"),
			       server_list_file(false), server_list_file(true));
}

static struct error *reach_found(struct connection *connection)
{
	g_autoptr(GPtrArray) chosen = g_ptr_array_new();
	GPtrArray *found;
	struct error *error = discover_servers(&found);

	error = error ?: choose_found(found, chosen);
	g_ptr_array_add(chosen, NULL);
	error = error ?: reach_any((char **)chosen->pdata, connection);
	g_ptr_array_unref(found);
	return error;
}

static struct error *ask(char **servers)
{
	_cleanup_(connection_clear) struct connection connection = {.fd = -1};
	struct error *error = *servers ? reach_any(servers, &connection) : reach_found(&connection);

	error = error ?: check_trust(&connection);
	return error ?: tunnel_carry(connection.ssl, STDIN_FILENO, STDOUT_FILENO, false, SECONDS_OF_PATIENCE);
}

/* For stap, which cannot tell whether it was the server that said it. */
static void say_as_server(struct error *error)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	frame_append_error(bytes, error);
	write_all(STDOUT_FILENO, (const char *)bytes->data, bytes->len);
}

static void list_one(const char *server)
{
	_cleanup_(connection_clear) struct connection connection = {.fd = -1};
	struct error *error = reach(server, &connection), *distrust;

	error = error ?: shake_hands(&connection);
	distrust = error ? NULL : check_trust(&connection);
	printf("%s: %s\n", connection.name, error ? error->message : distrust ? _("not trusted") : _("trusted"));
	error_free(error);
	error_free(distrust);
}

static struct error *list(char **servers)
{
	GPtrArray *found;
	struct error *error = NULL;

	for (char **server = servers; *server; server++)
		list_one(*server);
	if (*servers)
		return NULL;
	error = discover_servers(&found);
	for (guint i = 0; i < found->len; i++)
		list_one(found->pdata[i]);
	g_ptr_array_unref(found);
	return error;
}

static struct error *show_fingerprint(void)
{
	struct identity identity;
	struct error *error = own_identity(&identity);
	g_autofree char *fingerprint = error ? NULL : certificate_fingerprint(identity.certificate);

	if (!error)
		printf("%s\n", fingerprint);
	identity_clear(&identity);
	return error;
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";
	struct error *error;

	i18n_init();
	signal(SIGPIPE, SIG_IGN);
	if (!strcmp(command, "ask")) {
		error = ask(argv + 2);
		if (!error)
			return EXIT_SUCCESS;
		say_as_server(error);
		error_free(error);
		return EXIT_FAILURE;
	}
	if (!strcmp(command, "trust") && (argc == 4 || argc == 5))
		error = trust(argv[2], argv[3], argv[4]);
	else if (!strcmp(command, "revoke") && argc == 4)
		error = stop_trusting(argv[2], argv[3]);
	else if (!strcmp(command, "list"))
		error = list(argv + 2);
	else if (!strcmp(command, "fingerprint") && argc == 2)
		error = show_fingerprint();
	else
		error = error_new(ERROR_OTHER, _("%s is started by stap."), "stap-client");
	return error_told(error) ? EXIT_FAILURE : EXIT_SUCCESS;
}
