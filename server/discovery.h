/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find compile servers that announce themselves on the local network; see discovery.c. */
#ifndef SPILE_SERVER_DISCOVERY_H
#define SPILE_SERVER_DISCOVERY_H

#include <glib.h>

#include "common/base/error.h"

/**
 * Search the local network for at most 3 seconds.
 *
 * @param[out] servers Strings HOST:PORT, sorted. Owned by the array, which the caller unrefs.
 * @return ERROR_UNSUPPORTED if this was built without avahi; ERROR_LOOKUP if the avahi daemon is not available.
 */
struct error *discover_servers(GPtrArray **servers);

#endif
