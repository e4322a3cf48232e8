/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of addresses in programs. Scripts use the functions of script/services.h. */
#ifndef SPILE_RUNTIME_USER_STACKS_SYMBOLS_H
#define SPILE_RUNTIME_USER_STACKS_SYMBOLS_H

#include <linux/types.h>

/** See struct stp_part. */
size_t user_symbol_text(unsigned long address, bool is_return, char *to, size_t size);

#endif
