/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Access to kernel memory that may fault, for arm64; see runtime/arch/memory.h. */
#ifndef SPILE_RUNTIME_ARCH_ARM64_MEMORY_H
#define SPILE_RUNTIME_ARCH_ARM64_MEMORY_H

#include "runtime/compat/has_include.h"

/*
 * The fixup of an exception table entry, "continue at the given address". Since 5.16 an entry also has a type, and data
 * that depend on it. Since 6.0, the types for loads and stores also set two registers; register 31 stands for none.
 */
#if __has_include(<asm/asm-extable.h>)
#include <asm/asm-extable.h>
#define STP_EXCEPTION_TEXT_OF(number) #number
#define STP_EXCEPTION_TEXT(number) STP_EXCEPTION_TEXT_OF(number)
#ifdef EX_TYPE_KACCESS_ERR_ZERO
#define STP_EXCEPTION_HOW ".short " STP_EXCEPTION_TEXT(EX_TYPE_KACCESS_ERR_ZERO) ", 31 | 31 << 5\n"
#else
#define STP_EXCEPTION_HOW ".short " STP_EXCEPTION_TEXT(EX_TYPE_FIXUP) ", 0\n"
#endif
#else
#define STP_EXCEPTION_HOW
#endif

#define STP_MAY_FAULT(insn)                                                                                            \
	"1: " insn "\n"                                                                                                \
	"   mov %w[fault], wzr\n"                                                                                      \
	"2:\n"                                                                                                         \
	".pushsection \"__ex_table\"," STP_EXCEPTION_TABLE "\n"                                                        \
	".balign 4\n"                                                                                                  \
	".long 1b - .\n"                                                                                               \
	".long 2b - .\n" STP_EXCEPTION_HOW ".popsection"
#define STP_LOAD_INSN(insn)                                                                                            \
	asm volatile(STP_MAY_FAULT(insn)                                                                               \
		     : [value] "+r"(value), [fault] "+r"(failed)                                                       \
		     : [address] "r"(address)                                                                          \
		     : "memory")
#define STP_STORE_INSN(insn)                                                                                           \
	asm volatile(STP_MAY_FAULT(insn)                                                                               \
		     : [fault] "+r"(failed)                                                                            \
		     : [address] "r"(address), [value] "r"(value)                                                      \
		     : "memory", "cc")

/*
 * The processor takes an address for the kernel's if bit 55 is set; the byte above it may be a tag. An access to other
 * memory is an oops, not a fixup (arch/arm64/mm/fault.c, do_page_fault()). All faults in the kernel's half are handled
 * by the exception table.
 */
static STP_ALWAYS_INLINE int arch_is_of_kernel(unsigned long address)
{
	return address >> 55 & 1;
}

static STP_ALWAYS_INLINE stp_ulong stp_load(unsigned long address, unsigned int size, int *fault)
{
	unsigned long value = 0;
	int failed = 1;

	if (stp_likely(arch_is_of_kernel(address))) {
		switch (size) {
		case 1:
			STP_LOAD_INSN("ldrb %w[value], [%[address]]");
			break;
		case 2:
			STP_LOAD_INSN("ldrh %w[value], [%[address]]");
			break;
		case 4:
			STP_LOAD_INSN("ldr %w[value], [%[address]]");
			break;
		default:
			STP_LOAD_INSN("ldr %[value], [%[address]]");
			break;
		}
	}
	*fault |= failed;
	return value;
}

static inline int arch_store(unsigned long address, unsigned int size, stp_long value)
{
	int failed = 1;

	if (arch_is_of_kernel(address)) {
		switch (size) {
		case 1:
			STP_STORE_INSN("strb %w[value], [%[address]]");
			break;
		case 2:
			STP_STORE_INSN("strh %w[value], [%[address]]");
			break;
		case 4:
			STP_STORE_INSN("str %w[value], [%[address]]");
			break;
		default:
			STP_STORE_INSN("str %[value], [%[address]]");
			break;
		}
	}
	return !failed;
}

static STP_ALWAYS_INLINE unsigned long arch_stack_pointer(void)
{
	unsigned long here;

	__asm__("mov %0, sp" : "=r"(here));
	return here;
}

#endif
