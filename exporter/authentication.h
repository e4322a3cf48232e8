/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may read metrics: users with passwords, and tokens; see authentication.c. */
#ifndef SPILE_EXPORTER_AUTHENTICATION_H
#define SPILE_EXPORTER_AUTHENTICATION_H

#include <stdbool.h>

#include "common/base/error.h"

struct authentication;

/**
 * Read the files of users and tokens.
 *
 * @param[in] users A file with a line USER:PASSWORD for each user, or NULL.
 * @param[in] tokens A file with a token per line, or NULL.
 * @param[out] ret NULL if both are NULL. Free it with authentication_free().
 */
struct error *authentication_read(const char *users, const char *tokens, struct authentication **ret);
void authentication_free(struct authentication *authentication);

/** May a client with this Authorization header, which may be NULL, read metrics? */
bool authentication_accepts(const struct authentication *authentication, const char *header);

/** Return the WWW-Authenticate header for a client that may not. */
const char *authentication_challenge(const struct authentication *authentication);

#endif
