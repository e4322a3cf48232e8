/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Access to kernel memory that may fault. Scripts contain these functions, so this includes no header of the kernel.
 * For each architecture:
 *
 * - stp_load(address, size, fault): load `size` (1, 2, 4, 8) bytes, zero-extended. Set *fault if the address is not the
 *   kernel's or cannot be read, else leave it.
 * - arch_store(address, size, value): store the low `size` bytes. Return 0 if the address is not the kernel's or cannot
 *   be written.
 * - arch_stack_pointer(): the current stack pointer.
 */
#ifndef SPILE_RUNTIME_ARCH_MEMORY_H
#define SPILE_RUNTIME_ARCH_MEMORY_H

#include "runtime/abi/layout.h"

#define STP_ALWAYS_INLINE inline __attribute__((__always_inline__))

/*
 * Declare the section as the kernel's headers do. Newer ones add the entry size, which must match if the script
 * includes kernel headers; otherwise it may be omitted.
 */
#ifdef EXTABLE_SIZE
#define STP_EXCEPTION_TABLE "\"aM\",@progbits," __stringify(EXTABLE_SIZE)
#else
#define STP_EXCEPTION_TABLE "\"a\""
#endif

#if defined(__x86_64__)
#include "runtime/arch/x86/memory.h"
#elif defined(__aarch64__)
#include "runtime/arch/arm64/memory.h"
#endif

#endif
