/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of trusted fingerprints; see trust.c. */
#ifndef SPILE_SERVER_TRUST_H
#define SPILE_SERVER_TRUST_H

#include <stdbool.h>

#include "common/base/error.h"

/**
 * Find the fingerprint of a name in a file.
 *
 * @return Free with g_free(). NULL if the name or the file does not exist.
 */
char *trust_find(const char *path, const char *name);

/** Return whether the text of such a file has a line with this fingerprint. */
bool trust_text_has(const char *text, const char *fingerprint);

/**
 * Set the line "NAME FINGERPRINT" in a file, in place of earlier lines with that name.
 *
 * @param[in] fingerprint NULL removes the name.
 */
struct error *trust_set(const char *path, const char *name, const char *fingerprint);

#endif
