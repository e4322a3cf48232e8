/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiling header files for their types; see headers.c. */
#ifndef SPILE_BUILD_HEADERS_H
#define SPILE_BUILD_HEADERS_H

#include "translator/translation.h"

/**
 * Make an object file whose DWARF has all types of some header files.
 *
 * @param[in] headers "<linux/sched.h><linux/fs_struct.h>", included in this order.
 * @param[in] for_kernel Compile them as part of the target kernel; otherwise, as part of a program.
 * @param[in] directory A private directory, in which the file is made.
 * @param[out] path To be freed.
 * @return ERROR_BUILD with the compiler's messages, ERROR_LOOKUP if there is no compiler or kernel to build for.
 */
struct error *headers_compile(const struct translation *t, const char *headers, bool for_kernel, const char *directory,
			      char **path);

#endif
