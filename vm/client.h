/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The client side: run commands in a guest over a connection to its hub. */
#ifndef SPILE_VM_CLIENT_H
#define SPILE_VM_CLIENT_H

#include <stdint.h>

#include "common/base/error.h"
#include "vm/link.h"

struct client_session {
	struct link link; /* to the hub */
	int64_t deadline; /* monotonic microseconds, for all operations; 0: none */
	int signals; /* signalfd of the signals that are forwarded to commands */
	int last_signal; /* the signal that ended the session */
	bool verbose; /* print how the guest was started */
	bool limits_output; /* of the next commands, to most_output bytes of standard output */
	uint64_t most_output;
	char *report; /* kernel errors in the guest during the last command; NULL: none */
};

/**
 * Start a session and block the signals to forward. @p fd is a connection to a hub, @p seconds the timeout (0: none).
 */
void client_begin(struct client_session *session, int fd, unsigned int seconds);

/** Connect to the socket of a guest that is already running. */
struct error *client_connect(const char *path, int *fd);

/** Wait until the guest is ready. */
struct error *client_wait_ready(struct client_session *session);

/**
 * Run a command in the guest until it ends.
 *
 * @param[in] fds Standard input, output and error of the command on this side; they stay open.
 * @param[out] status Its exit status in shell notation.
 * @return An error if the guest was lost (with the end of the console in the message); ERROR_INTERRUPTED if the user
 *         interrupted it.
 *
 * Errors of the guest's kernel do not make the command fail; they are stored in @p session->report.
 */
struct error *client_run(struct client_session *session, char **arguments, const int fds[3], int *status);

/** Tell the hub to stop the guest, and wait until it has stopped. */
struct error *client_stop(struct client_session *session);

void client_end(struct client_session *session);

#endif
