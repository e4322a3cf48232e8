/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses as text. */
#ifndef SPILE_RUNTIME_TEXT_ADDRESSES_H
#define SPILE_RUNTIME_TEXT_ADDRESSES_H

#include <linux/string.h>

#include "runtime/core/internal.h"

/* Printed after the last frame of a stack that has further ones. */
#define INCOMPLETE_MARK " (incomplete)"

/**
 * Format "0x... 0x..." into a string of the script: the innermost frame and @p levels callers, or all frames if that is
 * negative. An address that does not fit whole is left out.
 *
 * @param[in] is_cut The stack has further frames. If so, or if an address did not fit, the text ends with a blank.
 */
void put_stack(struct stp_context *c, char *to, const unsigned long *addresses, unsigned int frames, stp_long levels,
	       bool is_cut);

/** Is the text of a stack, from its last address on, that of a stack with further frames? */
static inline bool stack_text_is_cut(const char *after_last)
{
	return after_last[0] == ' ' && !after_last[strspn(after_last, " ")];
}

#endif
