/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses in programs, whose upper bits may be a tag. For each architecture:
 *
 * - user_pointer(address): the address as the kernel's functions accept it to access the current program's memory.
 * - user_address(address): the address without a tag, by which mappings are found.
 */
#ifndef SPILE_RUNTIME_ARCH_USER_ADDRESS_H
#define SPILE_RUNTIME_ARCH_USER_ADDRESS_H

#if defined(__x86_64__)
#include "runtime/arch/x86/user_address.h"
#elif defined(__aarch64__)
#include "runtime/arch/arm64/user_address.h"
#endif

#endif
