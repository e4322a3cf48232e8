// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The HTTP side of stap-exporter. libmicrohttpd runs in the main loop's thread: its epoll descriptor is a source of the
 * main loop, so no client can hold a thread, and nothing needs locks. A scrape of a script that has no data yet
 * suspends its connection until there is some, or until a time has passed.
 *
 * Each connection always has a deadline: for its next request to arrive, and for the answer to be read. A timer closes
 * those that are late. libmicrohttpd's own timeout is not used, because it starts anew with every byte.
 */
#include "exporter/http.h"

#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "exporter/address.h"
#include "exporter/authentication.h"
#include "exporter/own_metrics.h"
#include "exporter/trusted_file.h"
#include "server/log.h"

enum {
	CONNECTION_MEMORY = 16 << 10, /* bytes for the headers of a request */
	WAITER_POLL = 100, /* milliseconds */
	SEND_BUFFER = 128 << 10, /* bytes; the kernel's own choice is megabytes for a client that does not read */
	MOST_LIBRARY_LINES = 10, /* of libmicrohttpd in the log per minute, since clients can cause them */
};

struct http {
	struct exporter_settings *settings;
	struct registry *registry;
	struct authentication *authentication;
	char *certificate, *key; /* texts */
	struct address address;
	int listener;
	struct MHD_Daemon *daemon;
	GSource *source;
	guint sweeper, poller;
	GList *clients; /* of struct client */
	struct http_counts counts;
	int64_t log_minute;
	unsigned int log_lines; /* in that minute */
};

/* A connection. */
struct client {
	struct http *http;
	struct MHD_Connection *connection;
	int fd;
	int64_t deadline; /* monotonic, microseconds */
	bool is_idle; /* it waits for a further request */
	/* libmicrohttpd must run once more, although none of its descriptors is ready */
	int64_t began;
	bool has_nul; /* its path contains a NUL, where libmicrohttpd would end it */
	char *waits_for; /* name of the script for which it is suspended, or NULL */
	int64_t waits_until;
};

/* ---- libmicrohttpd in the main loop ------------------------------------------------------------------------------ */

struct daemon_source {
	GSource source;
	struct MHD_Daemon *daemon;
	gpointer tag;
	bool must_run; /* something has happened for which libmicrohttpd has no event */
};

static bool is_due(struct daemon_source *source, int *timeout)
{
	MHD_UNSIGNED_LONG_LONG milliseconds;

	*timeout = source->must_run ? 0 : -1;
	if (!source->must_run && MHD_get_timeout(source->daemon, &milliseconds) == MHD_YES)
		*timeout = (int)MIN(milliseconds, G_MAXINT);
	return !*timeout;
}

static gboolean prepare_source(GSource *source, gint *timeout)
{
	return is_due((struct daemon_source *)source, timeout);
}

static gboolean check_source(GSource *source)
{
	struct daemon_source *own = (struct daemon_source *)source;
	int timeout;

	return g_source_query_unix_fd(source, own->tag) || is_due(own, &timeout);
}

static gboolean dispatch_source(GSource *source, GSourceFunc callback, gpointer data)
{
	struct daemon_source *own = (struct daemon_source *)source;

	own->must_run = false;
	MHD_run(own->daemon);
	return G_SOURCE_CONTINUE;
}

static GSourceFuncs source_functions = {
	.prepare = prepare_source,
	.check = check_source,
	.dispatch = dispatch_source,
};

static GSource *attach_daemon(struct MHD_Daemon *daemon)
{
	GSource *source = g_source_new(&source_functions, sizeof(struct daemon_source));
	struct daemon_source *own = (struct daemon_source *)source;
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);

	own->daemon = daemon;
	own->tag = g_source_add_unix_fd(source, info->epoll_fd, G_IO_IN);
	g_source_attach(source, NULL);
	return source;
}

/*
 * Let libmicrohttpd run once more. It has no event for a resumed connection. At its limit of connections it stops
 * listening, and listens again only in a run after some are closed.
 */
static void run_soon(struct http *http)
{
	if (http->source)
		((struct daemon_source *)http->source)->must_run = true;
}

/* ---- clients ----------------------------------------------------------------------------------------------------- */

static void set_deadline(struct client *client)
{
	client->deadline = g_get_monotonic_time() + client->http->settings->timeout * G_USEC_PER_SEC;
}

static struct client *client_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
			  enum MHD_ConnectionNotificationCode code)
{
	struct http *http = context;
	struct client *client = *socket_context;
	int buffer = SEND_BUFFER;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		http->clients = g_list_remove(http->clients, client);
		http->counts.connections--;
		run_soon(http);
		g_free(client->waits_for);
		g_free(client);
		return;
	}
	client = g_new0(struct client, 1);
	client->http = http;
	client->connection = connection;
	client->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	setsockopt(client->fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof(buffer));
	set_deadline(client);
	*socket_context = client;
	http->clients = g_list_prepend(http->clients, client);
	http->counts.connections++;
}

/* A request line has arrived. The result becomes the handler's context of the request. */
static void *on_request(void *context, const char *address, struct MHD_Connection *connection)
{
	struct client *client = client_of(connection);

	set_deadline(client);
	client->is_idle = false;
	client->began = g_get_monotonic_time();
	client->waits_until = 0;
	client->has_nul = strstr(address, "%00");
	return NULL;
}

static void on_completion(void *context, struct MHD_Connection *connection, void **request,
			  enum MHD_RequestTerminationCode code)
{
	struct client *client = client_of(connection);

	set_deadline(client);
	client->is_idle = true;
}

/* Answer a suspended client, by having the handler called again. */
static void resume(struct client *client)
{
	g_clear_pointer(&client->waits_for, g_free);
	set_deadline(client);
	MHD_resume_connection(client->connection);
	run_soon(client->http);
}

/*
 * Make the kernel drop the data that it still buffers for the client. libmicrohttpd sees the end of the stream, and
 * closes it.
 */
static void cut(struct client *client)
{
	const struct linger none = {.l_onoff = 1};

	setsockopt(client->fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	shutdown(client->fd, SHUT_RDWR);
	set_deadline(client);
	client->http->counts.timeouts += !client->is_idle;
}

static gboolean sweep(gpointer data)
{
	struct http *http = data;
	int64_t now = g_get_monotonic_time();

	run_soon(http);
	for (GList *at = http->clients; at; at = at->next) {
		struct client *client = at->data;

		if (!client->waits_for && client->deadline <= now)
			cut(client);
	}
	return G_SOURCE_CONTINUE;
}

/* Answer the clients that need not wait any longer. Return whether others still wait. */
static bool answer_waiters(struct http *http)
{
	int64_t now = g_get_monotonic_time();
	bool has_more = false;

	for (GList *at = http->clients; at; at = at->next) {
		struct client *client = at->data;
		struct script *script = client->waits_for ? registry_find(http->registry, client->waits_for) : NULL;

		if (!client->waits_for)
			continue;
		if (!script || script_may_answer(script) || now >= client->waits_until) {
			resume(client);
		} else {
			/* A script may take longer to start than it is kept. */
			script_keep(script);
			has_more = true;
		}
	}
	return has_more;
}

static gboolean poll_waiters(gpointer data)
{
	struct http *http = data;

	if (answer_waiters(http))
		return G_SOURCE_CONTINUE;
	http->poller = 0;
	return G_SOURCE_REMOVE;
}

static gboolean on_wake(gpointer data)
{
	struct http *http = data;

	http->poller = answer_waiters(http) ? g_timeout_add(WAITER_POLL, poll_waiters, http) : 0;
	return G_SOURCE_REMOVE;
}

/* Answer in the next round of the main loop, since this may be in the middle of a script's change. */
void http_wake(struct http *http, const struct script *script)
{
	if (!http || !http->poller || !script_may_answer(script))
		return;
	g_source_remove(http->poller);
	http->poller = g_idle_add(on_wake, http);
}

static enum MHD_Result suspend(struct client *client, const struct script *script)
{
	struct http *http = client->http;

	if (!client->waits_until)
		client->waits_until = client->began + http->settings->wait * G_USEC_PER_SEC;
	client->waits_for = g_strdup(script_name(script));
	MHD_suspend_connection(client->connection);
	if (!http->poller)
		http->poller = g_timeout_add(WAITER_POLL, poll_waiters, http);
	return MHD_YES;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void free_bytes(void *bytes)
{
	g_bytes_unref(bytes);
}

/* Send the bytes, whose reference this function takes. */
static enum MHD_Result send_bytes(struct client *client, unsigned int status, const char *type, GBytes *bytes,
				  const char *header, const char *value)
{
	gsize size;
	const void *data = g_bytes_get_data(bytes, &size);
	struct MHD_Response *response =
		MHD_create_response_from_buffer_with_free_callback_cls(size, (void *)(data ?: ""), free_bytes, bytes);
	enum MHD_Result result;

	if (!response) {
		g_bytes_unref(bytes);
		return MHD_NO;
	}
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	/* A browser must not take a label for a page. */
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	if (header)
		MHD_add_response_header(response, header, value);
	if (status < G_N_ELEMENTS(client->http->counts.responses))
		client->http->counts.responses[status]++;
	result = MHD_queue_response(client->connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result send_text(struct client *client, unsigned int status, const char *text, const char *header,
				 const char *value)
{
	g_autofree char *line = g_strdup_printf("%s\n", text);

	return send_bytes(client, status, "text/plain; charset=utf-8", g_bytes_new(line, strlen(line)), header, value);
}

static enum text_format format_of(struct client *client)
{
	return text_format_of(MHD_lookup_connection_value(client->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT));
}

static enum MHD_Result send_metrics(struct client *client, enum text_format format, GBytes *text)
{
	return send_bytes(client, MHD_HTTP_OK, text_content_types[format], text, MHD_HTTP_HEADER_VARY,
			  MHD_HTTP_HEADER_ACCEPT);
}

static enum MHD_Result answer_index(struct client *client)
{
	GList *scripts = registry_scripts(client->http->registry);
	GString *text = g_string_new("/metrics\n");

	for (GList *at = scripts; at; at = at->next)
		g_string_append_printf(text, "/%s\n", script_name(at->data));
	g_list_free(scripts);
	return send_bytes(client, MHD_HTTP_OK, "text/plain; charset=utf-8", g_string_free_to_bytes(text), NULL, NULL);
}

static enum MHD_Result answer_own(struct client *client)
{
	static const struct exporter_limits limits = {
		.series = G_MAXINT, .label_length = 1 << 10, .response_size = G_MAXINT};
	enum text_format format = format_of(client);
	struct metric_set *set = own_metrics(client->http->registry, &client->http->counts, &limits);
	GBytes *text = text_write(set, format);

	metric_set_free(set);
	return send_metrics(client, format, text);
}

static enum MHD_Result answer_script(struct client *client, struct script *script)
{
	enum text_format format = format_of(client);
	GBytes *text = NULL;
	enum scrape_result result = script_scrape(script, format, &text);
	g_autofree char *reason = NULL;

	if (result == SCRAPE_PENDING && client->http->settings->wait &&
	    (!client->waits_until || g_get_monotonic_time() < client->waits_until))
		return suspend(client, script);
	script_count_scrape(script, g_get_monotonic_time() - client->began, result != SCRAPE_READY);
	if (result == SCRAPE_READY)
		return send_metrics(client, format, text);
	reason = script_explain(script);
	return send_text(client, MHD_HTTP_SERVICE_UNAVAILABLE, reason, MHD_HTTP_HEADER_RETRY_AFTER, "5");
}

static enum MHD_Result answer_path(struct client *client, const char *path)
{
	struct script *script = client->has_nul ? NULL : registry_find(client->http->registry, path);
	const char *refusal = registry_refusal(client->http->registry, path);

	if (!*path && !client->has_nul)
		return answer_index(client);
	if (!strcmp(path, "metrics") && !client->has_nul)
		return answer_own(client);
	if (script)
		return answer_script(client, script);
	if (refusal) {
		g_autofree char *text = g_strdup_printf(_("the script is refused: %s"), refusal);

		return send_text(client, MHD_HTTP_FORBIDDEN, text, NULL, NULL);
	}
	return send_text(client, MHD_HTTP_NOT_FOUND, _("no such script"), NULL, NULL);
}

static enum MHD_Result on_handle(void *context, struct MHD_Connection *connection, const char *path, const char *method,
				 const char *version, const char *upload, size_t *upload_size, void **request)
{
	struct http *http = context;
	struct client *client = client_of(connection);
	const char *header;

	/* Refusing in the first call also refuses the body of the request. */
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return send_text(client, MHD_HTTP_METHOD_NOT_ALLOWED, _("only GET and HEAD are allowed"),
				 MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	header = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_AUTHORIZATION);
	if (!authentication_accepts(http->authentication, header))
		return send_text(client, MHD_HTTP_UNAUTHORIZED, _("authentication is required"),
				 MHD_HTTP_HEADER_WWW_AUTHENTICATE, authentication_challenge(http->authentication));
	if (*upload_size) {
		*upload_size = 0;
		return MHD_YES;
	}
	/* The first call precedes the body of the request. An answer is possible only in the second one. */
	if (!*request) {
		*request = client;
		return MHD_YES;
	}
	return answer_path(client, *path == '/' ? path + 1 : path);
}

static void on_log(void *context, const char *format, va_list values)
{
	struct http *http = context;
	int64_t minute = g_get_monotonic_time() / G_USEC_PER_SEC / 60;
	g_autofree char *text = NULL;

	if (minute != http->log_minute)
		http->log_lines = 0;
	http->log_minute = minute;
	if (http->log_lines++ >= MOST_LIBRARY_LINES)
		return;
	text = g_strdup_vprintf(format, values);
	server_log("http: %s", text);
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

static struct error *check_exposure(const struct http *http)
{
	if (address_is_loopback(&http->address) || (http->certificate && http->authentication))
		return NULL;
	return error_with_hint(error_new(ERROR_OTHER,
					 _("refused to listen on %s: other machines could read the metrics"),
					 http->settings->listen),
			       _("set 'certificate' and 'key', and 'users' or 'tokens', or listen on 127.0.0.1"));
}

static struct error *read_settings(struct http *http)
{
	const struct exporter_settings *settings = http->settings;
	struct error *error = address_parse(settings->listen, settings->port, &http->address);
	size_t length;

	error = error ?: authentication_read(settings->users, settings->tokens, &http->authentication);
	if (!error && settings->certificate)
		error = trusted_file_read(settings->certificate, false, &http->certificate, &length);
	if (!error && settings->key)
		error = trusted_file_read(settings->key, true, &http->key, &length);
	if (!error && settings->key && MHD_is_feature_supported(MHD_FEATURE_SSL) != MHD_YES)
		error = error_new(ERROR_UNSUPPORTED, _("libmicrohttpd was built without TLS"));
	return error ?: check_exposure(http);
}

static struct http *make(struct exporter_settings *settings, struct registry *registry)
{
	struct http *http = g_new0(struct http, 1);

	http->settings = settings_ref(settings);
	http->registry = registry;
	http->listener = -1;
	return http;
}

struct error *http_check(struct exporter_settings *settings)
{
	struct http *http = make(settings, NULL);
	struct error *error = read_settings(http);

	http_end(http);
	return error;
}

/* With the same address, go on with the socket, which cannot be bound twice. */
static struct error *open_listener(struct http *http, const struct http *old)
{
	if (!old || !address_equal(&old->address, &http->address))
		return address_listen(&http->address, &http->listener);
	http->listener = fcntl(old->listener, F_DUPFD_CLOEXEC, 0);
	return http->listener < 0 ? error_errno("dup") : NULL;
}

static struct error *start_daemon(struct http *http)
{
	struct MHD_OptionItem tls[] = {
		{MHD_OPTION_HTTPS_MEM_KEY, 0, http->key},
		{MHD_OPTION_HTTPS_MEM_CERT, 0, http->certificate},
		{MHD_OPTION_HTTPS_PRIORITIES, 0, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
		{MHD_OPTION_END, 0, NULL},
	};
	struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
	unsigned int flags =
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | (http->certificate ? MHD_USE_TLS : 0);
	/* libmicrohttpd closes the socket that it gets; ours is for the next server. */
	int listener = fcntl(http->listener, F_DUPFD_CLOEXEC, 0);

	http->daemon =
		MHD_start_daemon(flags, 0, NULL, NULL, on_handle, http, MHD_OPTION_EXTERNAL_LOGGER, on_log, http,
				 MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT,
				 (unsigned int)http->settings->connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
				 (size_t)CONNECTION_MEMORY, MHD_OPTION_NOTIFY_CONNECTION, on_connection, http,
				 MHD_OPTION_NOTIFY_COMPLETED, on_completion, http, MHD_OPTION_URI_LOG_CALLBACK,
				 on_request, http, MHD_OPTION_ARRAY, http->certificate ? tls : none, MHD_OPTION_END);
	if (http->daemon)
		return NULL;
	close_fd(&listener);
	return error_with_hint(error_new(ERROR_OTHER, _("cannot start the HTTP server")),
			       _("check that 'certificate' and 'key' are PEM files that belong together"));
}

struct error *http_start(struct exporter_settings *settings, struct registry *registry, struct http *old,
			 struct http **ret)
{
	struct http *http = make(settings, registry);
	struct error *error = read_settings(http);
	g_autofree char *where = NULL;

	error = error ?: open_listener(http, old);
	error = error ?: start_daemon(http);
	if (error) {
		http_end(http);
		return error;
	}
	if (old) {
		http->counts = old->counts;
		http->counts.connections = 0;
		http_end(old);
	}
	http->source = attach_daemon(http->daemon);
	http->sweeper = g_timeout_add_seconds(1, sweep, http);
	where = address_of_socket(http->listener);
	server_log(_("listening on %s"), where);
	*ret = http;
	return NULL;
}

void http_end(struct http *http)
{
	if (!http)
		return;
	for (GList *at = http->clients; at; at = at->next)
		if (((struct client *)at->data)->waits_for)
			resume(at->data);
	if (http->source) {
		g_source_destroy(http->source);
		/* Connections that are closed below would use it. */
		g_clear_pointer(&http->source, g_source_unref);
	}
	if (http->daemon)
		MHD_stop_daemon(http->daemon);
	if (http->sweeper)
		g_source_remove(http->sweeper);
	if (http->poller)
		g_source_remove(http->poller);
	close_fd(&http->listener);
	authentication_free(http->authentication);
	g_free(http->certificate);
	g_free(http->key);
	settings_unref(http->settings);
	g_free(http);
}
