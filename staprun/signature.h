/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verify modules signed with a key that the administrator trusts; see signature.c. */
#ifndef SPILE_STAPRUN_SIGNATURE_H
#define SPILE_STAPRUN_SIGNATURE_H

#include <stddef.h>

#include "common/base/error.h"

/** The bytes of a signature file. */
struct signature {
	size_t size;
	unsigned char bytes[1024]; /* enough for a key of 8192 bits */
};

/**
 * Read the signature of a module, with the current identity of the process.
 *
 * @param[in] module The path of the module.
 * @return ERROR_LOOKUP if the signature file does not exist.
 */
struct error *signature_read(const char *module, struct signature *signature);

/**
 * Verify the signature of @p data against the keys that the administrator trusts. Call this as root, before privileges
 * are limited. May sleep while the kernel loads a module.
 */
struct error *signature_check(const struct signature *signature, const void *data, size_t size);

#endif
