// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-client: connect stap to a compile server. stap starts it for --use-server, so that stap itself does not depend
 * on OpenSSL; users do not run it. It connects to the first server that is reachable; if none is given, to one found on
 * the network. It checks that the server is trusted, sends its standard input, and copies the answer to standard
 * output. Its own errors are written there, too, in the format of the server's errors (common/wire/protocol.h).
 *
 * - stap-client ask [SERVER...]: a server is HOST, HOST:PORT or [ADDRESS]:PORT
 * - stap-client trust FILE SERVER [FINGERPRINT]: trust a server after asking the user, or with a known fingerprint
 * - stap-client revoke FILE SERVER
 * - stap-client list [SERVER...]
 * - stap-client fingerprint: print our own fingerprint, for a server's administrator
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

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/read_write.h"
#include "common/base/standard_streams.h"
#include "common/wire/places.h"
#include "common/wire/protocol.h"
#include "server/discovery.h"
#include "server/identity.h"
#include "server/trust.h"
#include "server/tunnel.h"

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

/* Split "host", "host:port" or "[::1]:port". An IPv6 address without brackets is a host. */
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

/* Return HOST:PORT, the key of a server in the trust file. Free with g_free(). */
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
	return error_with_hint(
		error_new(ERROR_LOOKUP, _("cannot reach the compile server %s: %s"), name, reason),
		_("check that stap-server is running there and that no firewall blocks its port, or omit "
		  "--use-server"));
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

	/* A common name has at most 64 characters (ub-common-name, RFC 5280). */
	if (g_utf8_strlen(subject, -1) > 64)
		*g_utf8_offset_to_pointer(subject, 64) = '\0';
	return identity_provide(server_user_directory(), "client", IDENTITY_OF_TLS, subject, ret);
}

/* Set up TLS over the socket, and find the server's fingerprint. */
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

/* Return the fingerprint trusted by the user or by the administrator, or NULL. Free with g_free(). */
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
				  _("the certificate of compile server %s has changed: its fingerprint is %s, "
				    "not %s"),
				  connection->name, connection->fingerprint, accepted),
			_("if its administrator confirms the new certificate, run 'stap --use-server=%s "
			  "--trust-servers=%s'"),
			connection->name, connection->fingerprint);
	return error_with_hint(
		error_new(ERROR_OTHER, _("the compile server %s is not trusted; its fingerprint is %s"),
			  connection->name, connection->fingerprint),
		_("compare it with 'stap-server fingerprint' on the server, then run 'stap --use-server=%s "
		  "--trust-servers=%s'"),
		connection->name, connection->fingerprint);
}

static bool person_agrees(const struct connection *connection)
{
	char answer[16] = "";

	fprintf(stderr, _("The server %s has the fingerprint\n  %s\n"), connection->name, connection->fingerprint);
	fprintf(stderr, "%s ",
		_("Does 'stap-server fingerprint' print the same on the server, and do you trust its modules? [y/N]"));
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
		return error_new(ERROR_OTHER, _("the server %s has the fingerprint %s"), connection.name,
				 connection.fingerprint);
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
		printf(_("The server %s is no longer trusted.\n"), name);
	return error;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/*
 * Choose the trusted servers among those found, or all of them if none is trusted; the error of the first one then says
 * how to trust it.
 */
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
			       _("name one with --use-server=HOST, or write HOST or HOST:PORT to %s or %s"),
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

static struct error *ask_servers(char **servers)
{
	_cleanup_(connection_clear) struct connection connection = {.fd = -1};
	struct error *error = *servers ? reach_any(servers, &connection) : reach_found(&connection);

	error = error ?: check_trust(&connection);
	return error ?: tunnel_carry(connection.ssl, STDIN_FILENO, STDOUT_FILENO, false, SECONDS_OF_PATIENCE);
}

/* Report an error to stap in the format of a server's error. */
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

	if (!error)
		identity_print_fingerprint(&identity);
	identity_clear(&identity);
	return error;
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";
	struct error *error;

	standard_streams_open();
	i18n_init(locale_directory());
	signal(SIGPIPE, SIG_IGN);
	if (!strcmp(command, "ask")) {
		error = ask_servers(argv + 2);
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
	return standard_output_finish(error_report_free(error) ? EXIT_FAILURE : EXIT_SUCCESS);
}
