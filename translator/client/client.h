/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run passes 1 to 4 on a compile server; see client.c. */
#ifndef SPILE_CLIENT_CLIENT_H
#define SPILE_CLIENT_CLIENT_H

#include "translator/options.h"
#include "translator/client/answer.h"

/** Return an error if an option cannot be used with a server. */
struct error *server_check_options(const struct options *options);

/**
 * Have the script of a command line translated by a server. Messages go to standard error, and the output of passes 1
 * to 3 and of lists to standard output, as they arrive. A module's signature is stored beside it as NAME.ko.sgn.
 *
 * @param[in] release The kernel's release, or its beginning.
 * @param[in] module_name NULL: the server chooses one that depends on the module's content.
 * @param[in] work_directory The directory for the module.
 * @return ERROR_LOOKUP if no server is reachable or the script's files do not exist; ERROR_INTERRUPTED; ERROR_OTHER if
 *         the server refused the request.
 */
struct error *server_translate(struct arena *arena, const struct options *options, const char *release,
			       const char *module_name, const char *work_directory, struct server_answer *answer);

/**
 * --trust-servers: trust the servers named by --use-server, or revoke that.
 *
 * @param[out] exit_status Set if a server was not accepted; the reason was printed.
 */
struct error *server_trust(struct arena *arena, const struct options *options, int *exit_status);

/** --list-servers: list the servers and whether they are trusted. */
struct error *server_list(struct arena *arena, const struct options *options, int *exit_status);

#endif
