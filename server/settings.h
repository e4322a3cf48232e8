/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of a compile server from its command line. */
#ifndef SPILE_SERVER_SETTINGS_H
#define SPILE_SERVER_SETTINGS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct server_settings {
	const char *state_directory; /* keys and accepted clients */
	const char *cache_directory; /* kernels and cached data; readable for all requests */
	const char *address, *port; /* to listen on; address NULL: all */
	int64_t running, waiting; /* limits of concurrent requests */
	int64_t connections; /* limit of concurrent connections in any state */
	int64_t seconds; /* limit for receiving a request, and for its translation */
	int64_t memory; /* megabytes for the processes of a translation, and the same again for its files */
	int64_t processes; /* limit per translation */
	bool accepts_everybody, allows_guru, allows_build_roots, no_sandbox;
	GPtrArray *shown; /* of const char *: more directories that sandboxes can read */
	int output; /* descriptor for the result of a command: standard output or a file */
	const char *user; /* the user to become if started as root; NULL: the default */
};

/** Return the path of the file with the fingerprints of accepted clients. Free with g_free(). */
char *settings_clients_file(const struct server_settings *settings);

#endif
