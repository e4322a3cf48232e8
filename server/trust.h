/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which fingerprints have been accepted; see trust.c. */
#ifndef SPILE_SERVER_TRUST_H
#define SPILE_SERVER_TRUST_H

#include <stdbool.h>

#include "translator/util/error.h"

/**
 * The fingerprint that a file has for a name.
 *
 * @return Free with g_free(). NULL: none, or there is no such file.
 */
char *trust_find(const char *path, const char *name);

/** Has the text of such a file a line with this fingerprint? */
bool trust_text_has(const char *text, const char *fingerprint);

/**
 * Accept: a line "NAME FINGERPRINT", in place of those that the name had.
 *
 * @param[in] fingerprint NULL: the name is to have none any more.
 */
struct error *trust_set(const char *path, const char *name, const char *fingerprint);

#endif
