/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which options of stap concern a compile server; see server_options.c. */
#ifndef SPILE_SERVER_SERVER_OPTIONS_H
#define SPILE_SERVER_SERVER_OPTIONS_H

#include <glib.h>

#include "translator/util/error.h"
#include "translator/util/limits.h"

enum server_option_kind {
	SERVER_OPTION_REFUSED, /* it cannot be used together with a server */
	SERVER_OPTION_HERE, /* of the client's own business */
	SERVER_OPTION_SENT,
	SERVER_OPTION_FOLDER, /* sent, with the files of the folder that it names */
	SERVER_OPTION_GURU, /* sent; a server takes it if it was told to */
};

/**
 * What becomes of an option. All that the table does not have is refused.
 *
 * @param[in] name A letter, or what stands behind "--".
 * @param[out] reason Of a refusal, to be translated; NULL: there is nothing to say but that it is no option for a
 * server. May be NULL.
 */
enum server_option_kind server_option_kind(const char *name, const char **reason);

/** Why an option cannot be used together with a server. */
struct error *server_option_refusal(const char *name);

/** For whom a request of these options (of struct request_option *) wants a module. The last such option counts. */
enum privilege server_options_privilege(const GPtrArray *options);

/**
 * Refuse limits beyond what that privilege allows, as stap does. A server asks before it translates, since the client
 * may be any program, and the module is signed.
 */
struct error *server_limits_refusal(const GPtrArray *options);

/** Does a server's stap get the option in this form? @p has_argument: it came with one. */
bool server_option_takes(const char *name, bool has_argument);

#endif
