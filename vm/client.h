/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The side of a guest's user: run commands over a connection to the hub. */
#ifndef SPILE_VM_CLIENT_H
#define SPILE_VM_CLIENT_H

#include <stdint.h>

#include "translator/util/error.h"
#include "vm/link.h"

struct client_session {
	struct link link; /* to the hub */
	int64_t deadline; /* monotonic microseconds for all that is done; 0: none */
	int signals; /* signalfd of what is passed on to commands */
	int last_signal; /* that ended us */
	bool verbose; /* tell how the guest came to be */
	char *report; /* what the guest's kernel complained of while the last command ran, NULL: nothing */
};

/** Begin: catch the signals that are passed on. @p fd is a connection to a hub, @p seconds the time-out (0: none). */
void client_begin(struct client_session *session, int fd, unsigned int seconds);

/** Connect to the socket of a guest that was started before. */
struct error *client_connect(const char *path, int *fd);

/** Wait until the guest is up. */
struct error *client_wait_ready(struct client_session *session);

/**
 * Run a command in the guest to its end.
 *
 * @param[in] fds Standard input, output and error of the command on this side; they stay open.
 * @param[out] status Its exit status as a shell gives it.
 * @return An error if the guest was lost (with the console's end in the message), ERROR_INTERRUPTED if the user gave
 * up.
 *
 * A complaint of the guest's kernel is no error of the command: it is left in @p session->report.
 */
struct error *client_run(struct client_session *session, char **arguments, const int fds[3], int *status);

/** Tell the hub to end the guest and wait until it has. */
struct error *client_stop(struct client_session *session);

void client_end(struct client_session *session);

#endif
