/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs and libraries that guests of another architecture need. stap-vm unpacks those of Debian in the cache
 * (vm/guest_root.c); our own are cross-built, and installed in a directory of their own.
 */
#ifndef SPILE_COMMON_GUEST_ROOT_H
#define SPILE_COMMON_GUEST_ROOT_H

#include "common/architecture.h"

/** Directory of the guest roots, in the kernels directory of the cache. It is exempt from the cache limit. */
#define GUEST_ROOTS_DIRECTORY ".guest-roots"

/**
 * Return the directory with Debian's programs and libraries of an architecture. NULL if it is this machine's, whose
 * root directory has them, or if it was not fetched. Free with g_free().
 */
char *guest_root_find(const struct architecture *architecture);

/**
 * Return the path of a program of Spile ("staprun", "spile-agent") for an architecture, which may not exist. Free with
 * g_free().
 */
char *guest_program(const struct architecture *architecture, const char *name);

#endif
