/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of those who use compile servers; see places.c. */
#ifndef SPILE_SERVER_PLACES_H
#define SPILE_SERVER_PLACES_H

#include <stdbool.h>

/** $SPILE_CONFIG or ~/.config/spile: the user's certificate, servers and whom he trusts. Never freed, as all here. */
const char *server_user_folder(void);

/** Fingerprints of accepted servers: the user's, or the administrator's for all. */
const char *server_trust_file(bool for_all);

/** Servers, one a line, for a --use-server that names none. */
const char *server_list_file(bool for_all);

#endif
