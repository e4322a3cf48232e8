/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes 1 to 4 by a compile server; see client.c. */
#ifndef SPILE_SERVER_CLIENT_H
#define SPILE_SERVER_CLIENT_H

#include "translator/options.h"
#include "translator/server/answer.h"

/** Are there options that a server takes in no way? */
struct error *server_check_options(const struct options *options);

/**
 * Have the script of a command line translated. Messages go to standard error, and what passes 1 to 3 and lists print
 * to standard output, as they come. A signature of the module is put beside it, as NAME.ko.sgn.
 *
 * @param[in] release The kernel's, or its beginning.
 * @param[in] module_name NULL: the server finds one that stands for the module.
 * @param[in] work_folder Where the module is put.
 * @return ERROR_LOOKUP: no server, or the script's files are not there; ERROR_INTERRUPTED; ERROR_OTHER: what the server
 * refused.
 */
struct error *server_translate(struct arena *arena, const struct options *options, const char *release,
			       const char *module_name, const char *work_folder, struct server_answer *answer);

/**
 * --trust-servers: accept the servers that --use-server names, or revoke that.
 *
 * @param[out] exit_status Set if a server was not accepted, and why was told.
 */
struct error *server_trust(struct arena *arena, const struct options *options, int *exit_status);

/** --list-servers: which there are, and whether they are trusted. */
struct error *server_list(struct arena *arena, const struct options *options, int *exit_status);

#endif
