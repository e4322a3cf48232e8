/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Configuration files of users of compile servers; see places.c. */
#ifndef SPILE_WIRE_PLACES_H
#define SPILE_WIRE_PLACES_H

#include <stdbool.h>

/**
 * Return $SPILE_CONFIG or ~/.config/spile, which holds the user's certificate and the lists of servers and of trusted
 * servers. Strings from this file are never freed.
 */
const char *server_user_directory(void);

/** Return the file with fingerprints of trusted servers: the user's, or the administrator's for all users. */
const char *server_trust_file(bool for_all);

/** Return the file that lists servers, one per line, for a --use-server without a name. */
const char *server_list_file(bool for_all);

#endif
