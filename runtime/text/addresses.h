/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses as text. */
#ifndef SPILE_RUNTIME_TEXT_ADDRESSES_H
#define SPILE_RUNTIME_TEXT_ADDRESSES_H

#include "runtime/core/internal.h"

/** Format "0x... 0x..." into a string of the script; leave out an address that does not fit whole. */
void put_addresses(struct stp_context *c, char *to, const unsigned long *addresses, unsigned int count);

#endif
