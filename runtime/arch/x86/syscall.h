/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of x86-64; see runtime/arch/syscall.h. */
#ifndef SPILE_RUNTIME_ARCH_X86_SYSCALL_H
#define SPILE_RUNTIME_ARCH_X86_SYSCALL_H

#include <linux/compat.h>
#include <asm/syscall.h>

#define SYSCALL_FUNCTION(name) "__x64_sys_" name
#define SYSCALL_PAIRS_ARE_EVEN false

static __always_inline bool task_is_32_bit(void)
{
	return in_ia32_syscall();
}

#endif
