/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How options of stap work with a compile server; see server_options.c. */
#ifndef SPILE_WIRE_SERVER_OPTIONS_H
#define SPILE_WIRE_SERVER_OPTIONS_H

#include <glib.h>

#include "common/limits.h"
#include "common/base/error.h"

enum server_option_kind {
	SERVER_OPTION_REFUSED, /* cannot be used with a server */
	SERVER_OPTION_HERE, /* handled by the client */
	SERVER_OPTION_SENT,
	SERVER_OPTION_DIRECTORY, /* sent, together with the files of its directory */
	SERVER_OPTION_GURU, /* sent; a server accepts it only if configured to */
};

/**
 * Classify an option. Options that are not in the table are refused.
 *
 * @param[in] name A letter, or a long name without "--".
 * @param[out] reason Untranslated reason of a refusal, or NULL if there is no specific one. May be NULL.
 */
enum server_option_kind server_option_kind(const char *name, const char **reason);

/** Return an error that explains why an option cannot be used with a server. */
struct error *server_option_refusal(const char *name);

/** Return the privilege that a request's options (of struct request_option *) ask for. The last such option counts. */
enum privilege server_options_privilege(const GPtrArray *options);

/**
 * Refuse limits beyond what that privilege allows, as stap does. A server checks this before translation, because the
 * client may be any program, and the module is signed.
 */
struct error *server_limits_refusal(const GPtrArray *options);

/** Return whether the server's stap accepts the option in this form. @p has_argument: it was given with an argument. */
bool server_option_takes(const char *name, bool has_argument);

#endif
