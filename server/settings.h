/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a compile server was told to be. */
#ifndef SPILE_SERVER_SETTINGS_H
#define SPILE_SERVER_SETTINGS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct server_settings {
	const char *state_folder; /* keys, and who was accepted */
	const char *cache_folder; /* where kernels are, and what is kept for them; for all requests to read */
	const char *address, *port; /* to listen at; address NULL: all */
	int64_t running, waiting; /* requests at once */
	int64_t connections; /* at once, whatever they are at */
	int64_t seconds; /* for a request to come, and for its translation */
	int64_t memory; /* megabytes of a translation's processes, and as many of its files */
	int64_t processes; /* of each translation */
	bool accepts_everybody, allows_guru, allows_build_roots, no_sandbox;
	GPtrArray *shown; /* of const char *: folders that translations see besides the system's */
	int output; /* descriptor of what is to be written: standard output, or a file */
	const char *user; /* to become, if started as root; NULL: the usual one */
};

/** The file with the fingerprints of accepted clients; to be freed. */
char *settings_clients_file(const struct server_settings *settings);

#endif
