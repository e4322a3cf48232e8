/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of arm64; see runtime/arch/syscall.h. */
#ifndef SPILE_RUNTIME_ARCH_ARM64_SYSCALL_H
#define SPILE_RUNTIME_ARCH_ARM64_SYSCALL_H

#include <linux/compat.h>
#include <asm/syscall.h>

#define SYSCALL_FUNCTION(name) "__arm64_sys_" name
/* AAPCS32. The PAIR_UNSIGNED of the table are two longs, or even anyway. */
#define SYSCALL_PAIRS_ARE_EVEN true

static __always_inline bool task_is_32_bit(void)
{
	return is_compat_task();
}

#endif
