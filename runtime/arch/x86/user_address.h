/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses in programs on x86-64, which have no tags; see runtime/arch/user_address.h. */
#ifndef SPILE_RUNTIME_ARCH_X86_USER_ADDRESS_H
#define SPILE_RUNTIME_ARCH_X86_USER_ADDRESS_H

#include <linux/compiler.h>

static __always_inline unsigned long user_pointer(unsigned long address)
{
	return address;
}

static __always_inline unsigned long user_address(unsigned long address)
{
	return address;
}

#endif
