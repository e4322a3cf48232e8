/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compile servers that announce themselves on the local network; see discovery.c. */
#ifndef SPILE_SERVER_DISCOVERY_H
#define SPILE_SERVER_DISCOVERY_H

#include <glib.h>

#include "translator/util/error.h"

/**
 * Look for a short time.
 *
 * @param[out] servers Of char *: HOST:PORT of each, in the order of their names, to be freed with the array.
 * @return ERROR_UNSUPPORTED: this was built without avahi; ERROR_LOOKUP: there is no avahi to ask.
 */
struct error *discover_servers(GPtrArray **servers);

#endif
