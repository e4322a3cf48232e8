/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signing modules, for kernels that load only signed ones; see sign.c. */
#ifndef SPILE_BUILD_SIGN_H
#define SPILE_BUILD_SIGN_H

#include "translator/translation.h"

/**
 * Sign a module if --sign-module was given, or if the kernel requires it and a key is available.
 *
 * @return ERROR_LOOKUP if --sign-module was given and there is no key or no program to sign with.
 */
struct error *sign_module(const struct translation *t, const char *path);

#endif
