/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules that somebody whom the administrator trusts has signed; see signature.c. */
#ifndef SPILE_STAPRUN_SIGNATURE_H
#define SPILE_STAPRUN_SIGNATURE_H

#include <stddef.h>

#include "translator/util/error.h"

/** A signature in memory, as its file has it. */
struct signature {
	size_t size;
	unsigned char bytes[1024]; /* of a key of 8192 bits */
};

/**
 * Read the signature of a module, with the identity that the caller has now.
 *
 * @param[in] module The path of the module.
 * @return ERROR_LOOKUP if there is none.
 */
struct error *signature_read(const char *module, struct signature *signature);

/**
 * Is it the signature of these bytes, by one of the keys that the administrator trusts? As root, before privileges are
 * limited. The kernel may load a module for it and sleep.
 */
struct error *signature_check(const struct signature *signature, const void *data, size_t size);

#endif
