/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signing a module, for kernels that load no others; see sign.c. */
#ifndef SPILE_BUILD_SIGN_H
#define SPILE_BUILD_SIGN_H

#include "translator/translation.h"

/**
 * Sign a module if --sign-module was given, or if the kernel demands it and a key is at hand.
 *
 * @return ERROR_LOOKUP: --sign-module was given and there is no key, or no program to sign with.
 */
struct error *sign_module(const struct translation *t, const char *path);

#endif
