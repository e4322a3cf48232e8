/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses in programs on arm64; see runtime/arch/user_address.h. The processor ignores the upper byte of an address,
 * except that it must be the tag of the memory if the program uses MTE.
 */
#ifndef SPILE_RUNTIME_ARCH_ARM64_USER_ADDRESS_H
#define SPILE_RUNTIME_ARCH_ARM64_USER_ADDRESS_H

#include <linux/mm.h>
#include <linux/thread_info.h>

static __always_inline unsigned long user_address(unsigned long address)
{
	return untagged_addr(address);
}

/* The kernel accepts tags only of programs that have asked for it (PR_SET_TAGGED_ADDR_CTRL), as those with MTE have. */
static __always_inline unsigned long user_pointer(unsigned long address)
{
	return test_thread_flag(TIF_TAGGED_ADDR) ? address : user_address(address);
}

#endif
