/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs and libraries of guests of another architecture, in the cache; see guest_root.c. */
#ifndef SPILE_VM_GUEST_ROOT_H
#define SPILE_VM_GUEST_ROOT_H

#include "common/architecture.h"
#include "common/base/error.h"

/** Ensure that the cache has the guest root of an architecture. */
struct error *guest_root_fetch(const char *kernels, const struct architecture *architecture);

#endif
