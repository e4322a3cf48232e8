// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * TLS for processes that do not handle it: stap passes its request to stap-client, and the server's handler gets it
 * from the gate. Both use the code in this file, which does not interpret the data.
 */
#include "server/tunnel.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <openssl/err.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"
#include "server/identity.h"

enum { BLOCK = 16384, MILLISECONDS = 1000 };

static gint64 milliseconds_now(void)
{
	return g_get_monotonic_time() / 1000;
}

/* Return the poll events that OpenSSL waits for after a result, or 0 if it waits for none. */
static short wanted_events(SSL *ssl, int result)
{
	int reason = SSL_get_error(ssl, result);

	return reason == SSL_ERROR_WANT_READ ? POLLIN : reason == SSL_ERROR_WANT_WRITE ? POLLOUT : 0;
}

struct error *tunnel_begin(SSL *ssl, int seconds)
{
	gint64 end = milliseconds_now() + (gint64)seconds * MILLISECONDS;
	int fd = SSL_get_fd(ssl), result;

	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	ERR_clear_error();
	while ((result = SSL_do_handshake(ssl)) != 1) {
		struct pollfd socket = {.fd = fd, .events = wanted_events(ssl, result)};
		gint64 left = end - milliseconds_now();

		if (!socket.events)
			return error_openssl(_("TLS handshake failed"));
		if (left <= 0 || !poll(&socket, 1, left))
			return error_new(ERROR_SYSTEM, _("TLS handshake failed: timed out after %d seconds"), seconds);
	}
	return NULL;
}

char *tunnel_peer(SSL *ssl)
{
	X509 *certificate = SSL_get0_peer_certificate(ssl);

	return certificate ? certificate_fingerprint(certificate) : NULL;
}

struct tunnel {
	SSL *ssl;
	int from, to;
	char out[BLOCK]; /* data to send to the peer */
	size_t out_used, out_sent;
	short out_wants, in_wants; /* poll events that OpenSSL waits for */
	bool ends_with_input, input_ended, peer_ended, failed;
	gint64 progress; /* when data was last sent, or none was left to send */
};

static void read_input(struct tunnel *t)
{
	ssize_t got = read(t->from, t->out, sizeof(t->out));

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	t->input_ended = got <= 0;
	t->out_used = MAX(got, 0);
	t->out_sent = 0;
	t->progress = milliseconds_now();
}

static void send_output(struct tunnel *t)
{
	int sent;

	ERR_clear_error();
	sent = SSL_write(t->ssl, t->out + t->out_sent, t->out_used - t->out_sent);
	t->out_wants = 0;
	if (sent > 0) {
		t->out_sent += sent;
		t->progress = milliseconds_now();
		return;
	}
	t->out_wants = wanted_events(t->ssl, sent);
	t->failed = !t->out_wants;
}

static void receive(struct tunnel *t)
{
	char block[BLOCK];
	int got;

	do {
		ERR_clear_error();
		got = SSL_read(t->ssl, block, sizeof(block));
		/* If the handler no longer reads, still forward its remaining output, which may explain why. */
		if (got > 0 && !write_all(t->to, block, got) && !t->ends_with_input)
			t->peer_ended = true;
	} while (got > 0 && !t->peer_ended);
	if (t->peer_ended)
		return;
	t->in_wants = wanted_events(t->ssl, got);
	t->peer_ended = !t->in_wants;
}

static bool has_output(const struct tunnel *t)
{
	return t->out_sent < t->out_used;
}

/* Close the connection such that the sent data arrives: closing a socket with unread data would discard it. */
static void take_leave(SSL *ssl)
{
	enum { PATIENCE = 2 * MILLISECONDS };
	struct pollfd socket = {.fd = SSL_get_fd(ssl), .events = POLLIN};
	gint64 end = milliseconds_now() + PATIENCE, left;
	char block[BLOCK];

	SSL_shutdown(ssl);
	shutdown(socket.fd, SHUT_WR);
	while ((left = end - milliseconds_now()) > 0 && poll(&socket, 1, left) > 0 &&
	       read(socket.fd, block, sizeof(block)) > 0)
		;
}

void tunnel_say(SSL *ssl, const void *data, size_t length)
{
	/* The send buffer is empty, so this does not block. */
	ERR_clear_error();
	SSL_write(ssl, data, length);
	take_leave(ssl);
}

/* Wait for an event. Return false on timeout or error. */
static bool wait_for_more(struct tunnel *t, int patience)
{
	bool sending = has_output(t);
	struct pollfd fds[] = {
		{.fd = SSL_get_fd(t->ssl), .events = t->in_wants | (sending ? t->out_wants : 0)},
		{.fd = sending || t->input_ended ? -1 : t->from, .events = POLLIN},
	};
	int wait = sending ? MAX(0, t->progress + (gint64)patience * MILLISECONDS - milliseconds_now()) : -1;
	int ready = poll(fds, G_N_ELEMENTS(fds), wait);

	if (!ready || (ready < 0 && errno != EINTR))
		return false;
	if (ready > 0 && fds[1].revents)
		read_input(t);
	return true;
}

struct error *tunnel_carry(SSL *ssl, int from, int to, bool ends_with_input, int patience)
{
	g_autofree struct tunnel *t = g_new0(struct tunnel, 1);

	t->ssl = ssl;
	t->from = from;
	t->to = to;
	t->ends_with_input = ends_with_input;
	while (!t->failed) {
		receive(t);
		if (t->peer_ended)
			return NULL;
		if (has_output(t))
			send_output(t);
		if (!has_output(t) && t->input_ended && ends_with_input) {
			take_leave(ssl);
			return NULL;
		}
		if (has_output(t) && !t->out_wants)
			continue;
		if (!t->failed && !wait_for_more(t, patience))
			return error_new(ERROR_SYSTEM, _("timed out while sending to the peer"));
	}
	return error_openssl(_("lost the connection"));
}
